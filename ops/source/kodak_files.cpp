// source.kodak_files: names the Kodak files that lie in a folder, after checking each against the table.
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "core/digest.h"
#include "core/text.h"
#include "noema/backend.h"
#include "ops/common/media/kodak.h"
#include "ops/source/image_selection.h"
#include "ops/source/source.h"

namespace noema::source {
namespace {

Result<void> verify(Call& call, const media::KodakFile& file, const std::string& path) {
  const std::string wanted = std::to_string(file.bytes) + " bytes with SHA-256 " + std::string(file.sha256);
  auto content = call.read_file(path, 2 * file.bytes);
  if (!content) {
    Error error = std::move(content).error();
    error.at.path = "params.dataset_dir";
    error.message += "; " + file.name() + " of " + wanted + " is needed";
    error.hint = media::kodak_hint;
    return error;
  }
  if (content->bytes.size() == file.bytes && content->sha256 == file.sha256) return {};
  return refuse_parameter("dataset_dir", code::input_invalid,
                          "file " + shown(path, 300) + " has " + std::to_string(content->bytes.size()) +
                              " bytes and SHA-256 " + content->sha256 + "; " + wanted + " was expected",
                          std::string(media::kodak_hint));
}

Result<void> produce(Call& call) {
  const std::uint64_t limit = call.count("limit");
  Value::Items files, records;
  for (std::uint64_t i = 0; i < limit; ++i) {
    const media::KodakFile& file = media::kodak_files[i];
    NOEMA_CHECK(verify(call, file, path_in(call.text("dataset_dir"), file.name())));
    NOEMA_CHECK(call.progress("data", i + 1, limit, "file"));
    files.emplace_back(file.name());
    records.push_back(Value::object({{"filename", file.name()},
                                     {"source_url", media::kodak_url(file)},
                                     {"sha256", file.sha256},
                                     {"size_bytes", file.bytes},
                                     {"path", file.name()}}));
  }
  const Value document = Value::object({{"schema_version", 1},
                                        {"kind", "image.files"},
                                        {"dataset", "kodak"},
                                        {"dataset_dir", call.text("dataset_dir")},
                                        {"dataset_manifest_version", media::kodak_version},
                                        {"dataset_manifest_sha256", sha256_of(media::kodak_manifest())},
                                        {"dataset_source_page", media::kodak_page},
                                        {"dataset_license", media::kodak_license()},
                                        {"dataset_publication_ready", false},
                                        {"dataset_publication_blocker", media::kodak_blocker},
                                        {"limit", limit},
                                        {"files", Value(std::move(files))},
                                        {"file_records", Value(std::move(records))},
                                        {"count", limit},
                                        {"note", "paths are relative to dataset_dir; no pixels are stored here"}});
  call.emit_document("images", document, document);
  return {};
}

}  // namespace

void add_kodak_files(KernelList& kernels) { kernels.add("source.kodak_files", "cpp", "default", produce); }

}  // namespace noema::source
