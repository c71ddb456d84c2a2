// Pictures by a pinned manifest (kind noema.image_dataset_manifest): every file with its digest and where it comes
// from.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "core/digest.h"
#include "core/files.h"
#include "core/json.h"
#include "core/text.h"
#include "noema/recipe.h"
#include "ops/source/image_selection.h"

namespace noema::source {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_manifest = std::uint64_t{64} << 20;

Error bad_manifest(const Call& call, std::string message, Code code = code::document_value) {
  Error error = refuse_parameter("manifest_path", code,
                                 "manifest " + shown(call.text("manifest_path"), 300) + ": " + std::move(message));
  error.at.file = call.text("manifest_path");
  return error;
}

bool is_link(const std::string& path) {
  std::error_code problem;
  return fs::is_symlink(fs::symlink_status(path, problem));
}

/// The first part of `relative` below `root` that is a link; empty when none is.
std::string first_link(const std::string& root, const std::string& relative) {
  std::string path = root, so_far;
  for (const std::string& part : split(relative, '/')) {
    path = path_in(path, part);
    so_far = so_far.empty() ? part : so_far + '/' + part;
    if (is_link(path)) return so_far;
  }
  return {};
}

/// Reads members of the manifest; messages name the place.
class Reader {
 public:
  Reader(const Call& call, std::string place) : call_(call), place_(std::move(place)) {}

  Result<std::string> text(const Value& object, std::string_view key) const {
    const Value* value = object.find(key);
    if (value == nullptr || !value->is_string() || value->string().empty()) {
      return bad_manifest(call_, at(key) + " must be a text of at least one character");
    }
    return value->string();
  }

  Result<std::string> digest(const Value& object, std::string_view key) const {
    NOEMA_TRY(std::string value, text(object, key));
    if (!is_sha256_hex(value)) {
      return bad_manifest(call_, at(key) + " is " + shown(value) + "; 64 lower-case hex characters are needed");
    }
    return value;
  }

  Result<std::vector<std::string>> texts(const Value& list, const std::string& place) const {
    if (!list.is_array() || list.size() == 0)
      return bad_manifest(call_, place + " must be a list of at least one text");
    std::vector<std::string> values;
    for (const Value& item : list.items()) {
      if (!item.is_string() || item.string().empty()) return bad_manifest(call_, place + " must hold texts only");
      values.push_back(item.string());
    }
    return values;
  }

  std::string at(std::string_view key) const {
    return place_.empty() ? std::string(key) : place_ + '.' + std::string(key);
  }

 private:
  const Call& call_;
  std::string place_;
};

struct Manifest {
  Value document;
  std::string sha256;
  std::string folder;  ///< authored path of the folder that `root` names
  std::vector<SelectedImage> samples;
};

Result<Value> parse(const Call& call, const FileContent& file) {
  if (lower_ascii(file.path).ends_with(".json"))
    return parse_json(file.bytes, file.path, {largest_manifest, 64, 4'000'000});
  NOEMA_TRY(Document document, parse_yaml_document({file.path, file.bytes}));
  if (!document.value.is_object()) return bad_manifest(call, "the document must be a mapping");
  return std::move(document.value);
}

Result<void> check_head(const Call& call, const Value& document) {
  const Reader reader(call, "");
  const Value* version = document.find("schema_version");
  if (version == nullptr || version->int64() != std::int64_t{1}) return bad_manifest(call, "schema_version must be 1");
  NOEMA_TRY(const std::string kind, reader.text(document, "kind"));
  if (kind != "noema.image_dataset_manifest") {
    return bad_manifest(call, "kind is " + shown(kind) + "; noema.image_dataset_manifest is needed");
  }
  NOEMA_TRY(const std::string id, reader.text(document, "id"));
  if (id != call.text("dataset")) {
    return bad_manifest(call,
                        "its id is " + shown(id) + " but the parameter dataset is " + shown(call.text("dataset")));
  }
  NOEMA_CHECK(reader.text(document, "version"));
  return {};
}

/// Where the samples lie, as an authored path.
Result<std::string> data_folder(const Call& call, const Value& document) {
  NOEMA_TRY(const std::string root, Reader(call, "").text(document, "root"));
  const std::string parent = fs::path(call.text("manifest_path")).parent_path().string();
  if (root == ".") return parent.empty() ? "." : parent;
  if (!is_safe_relative_path(root))
    return bad_manifest(call, "root is " + shown(root) + "; a relative path without .. is allowed");
  const std::string link = first_link(call.resolve(parent.empty() ? "." : parent), root);
  if (!link.empty())
    return bad_manifest(call, "root leads through the link " + shown(link) + "; links are not allowed", code::io_path);
  return path_in(parent, root);
}

Result<SelectedImage> read_sample(const Call& call, const Value& sample, const std::string& folder, std::size_t index) {
  const std::string place = "samples[" + std::to_string(index) + "]";
  const Reader reader(call, place);
  SelectedImage image;
  NOEMA_TRY(image.sample_id, reader.text(sample, sample.find("sample_id") != nullptr ? "sample_id" : "id"));
  NOEMA_TRY(image.filename, reader.text(sample, "path"));
  if (!is_safe_relative_path(image.filename)) {
    return bad_manifest(call,
                        reader.at("path") + " is " + shown(image.filename) + "; a relative path without .. is allowed",
                        code::io_path);
  }
  image.path = path_in(folder, image.filename);
  NOEMA_TRY(image.sha256, reader.digest(sample, "sha256"));
  NOEMA_TRY(image.source_id, reader.text(sample, "source_id"));
  NOEMA_TRY(image.group_id, reader.text(sample, "group_id"));
  NOEMA_TRY(image.source_sha256, reader.digest(sample, "source_sha256"));
  const Value* ancestry = sample.find("ancestry_ids");
  NOEMA_TRY(image.ancestry_ids, reader.texts(ancestry == nullptr ? Value() : *ancestry, reader.at("ancestry_ids")));
  if (const Value* transform = sample.find("transform")) {
    if (!transform->is_object()) return bad_manifest(call, reader.at("transform") + " must be a mapping");
    NOEMA_CHECK(Reader(call, reader.at("transform")).text(*transform, "name"));
    image.transform = *transform;
  }
  NOEMA_TRY(const std::string fingerprint, reader.digest(sample, "transform_fingerprint_sha256"));
  if (const std::string found = sha256_of(image.transform); fingerprint != found) {
    return bad_manifest(call, reader.at("transform_fingerprint_sha256") + " is " + fingerprint +
                                  "; the canonical digest of the transform is " + found);
  }
  if (image.transform.at("name").string() == "identity" && image.source_sha256 != image.sha256) {
    return bad_manifest(call, place + " has the identity as its transform, so source_sha256 must equal sha256");
  }
  if (const Value* page = sample.find("source_url"); page != nullptr && page->is_string()) image.source_url = *page;
  return image;
}

Result<Manifest> read_manifest(Call& call) {
  const std::string& path = call.text("manifest_path");
  const std::string& expected = call.text("manifest_sha256");
  if (!is_sha256_hex(expected)) {
    return refuse_parameter(
        "manifest_sha256", code::parameter_missing,
        "manifest_sha256 is " + shown(expected) + "; a manifest needs its SHA-256, 64 lower-case hex characters",
        "sha256sum prints it; it must come from where the manifest was published");
  }
  if (is_link(call.resolve(path))) return bad_manifest(call, "it is a link; links are not allowed", code::io_path);
  NOEMA_TRY(const FileContent file, call.read_file(path, largest_manifest));
  if (file.sha256 != expected) {
    return refuse_parameter(
        "manifest_sha256", code::input_invalid,
        "manifest " + shown(path, 300) + " has the SHA-256 " + file.sha256 + "; " + expected + " was stated",
        "another version of the manifest lies there, or the digest is wrong");
  }
  Manifest manifest;
  manifest.sha256 = file.sha256;
  NOEMA_TRY(manifest.document, parse(call, file));
  NOEMA_CHECK(check_head(call, manifest.document));
  NOEMA_TRY(manifest.folder, data_folder(call, manifest.document));
  const Value* samples = manifest.document.find("samples");
  if (samples == nullptr || !samples->is_array() || samples->size() == 0) {
    return bad_manifest(call, "samples must be a list of at least one sample");
  }
  std::set<std::string> seen;
  for (const Value& sample : samples->items()) {
    NOEMA_TRY(SelectedImage image, read_sample(call, sample, manifest.folder, manifest.samples.size()));
    if (!seen.insert(lower_ascii(image.sample_id)).second) {
      return bad_manifest(call,
                          "the sample id " + shown(image.sample_id) + " stands twice (letter case does not count)");
    }
    manifest.samples.push_back(std::move(image));
  }
  return manifest;
}

/// Ids of the chosen split; every split of the manifest is checked to name known samples once.
Result<std::vector<std::string>> read_splits(const Call& call, const Manifest& manifest) {
  const Value* splits = manifest.document.find("splits");
  if (splits == nullptr || !splits->is_object() || splits->size() == 0) {
    return bad_manifest(call, "splits must map at least one name to a list of sample ids");
  }
  std::set<std::string> known;
  for (const SelectedImage& sample : manifest.samples) known.insert(sample.sample_id);
  std::vector<std::string> chosen, names;
  const std::string& wanted = call.text("split");
  for (const auto& [name, list] : splits->members()) {
    NOEMA_TRY(const std::vector<std::string> ids, Reader(call, "").texts(list, "splits." + name));
    std::set<std::string> seen;
    for (const std::string& id : ids) {
      if (!known.contains(id))
        return bad_manifest(call, "splits." + name + " names " + shown(id) + ", which is no sample");
      if (!seen.insert(id).second) return bad_manifest(call, "splits." + name + " names " + shown(id) + " twice");
    }
    names.push_back(name);
    if (name == wanted) chosen = ids;
  }
  if (!wanted.empty() && chosen.empty()) {
    return refuse_parameter("split", code::parameter_choice,
                            "split is " + shown(wanted) + "; the manifest has " + joined(names, ", "),
                            did_you_mean(wanted, names));
  }
  return chosen;
}

/// image_ids where they are given, else the split. With both, every id must be of the split.
Result<std::vector<std::string>> chosen_ids(const Call& call, const std::vector<std::string>& split_ids) {
  std::vector<std::string> ids;
  const bool kodak_default = lists_all_of_kodak(call) && call.text("dataset") != "kodak";
  if (!kodak_default) {
    NOEMA_TRY(ids, listed_ids(call));
  }
  if (ids.empty()) {
    if (split_ids.empty()) {
      return refuse_parameter("split", code::parameter_missing,
                              "neither image_ids nor split chooses pictures of the manifest");
    }
    return split_ids;
  }
  const std::set<std::string_view> allowed(split_ids.begin(), split_ids.end());
  for (const std::string& id : ids) {
    if (allowed.empty() || allowed.contains(id)) continue;
    return refuse_parameter(
        "image_ids", code::parameter_conflict,
        "image_ids names " + shown(id) + ", which is not of the split " + shown(call.text("split")));
  }
  return ids;
}

}  // namespace

Result<ImageSelection> select_from_manifest(Call& call) {
  NOEMA_TRY(Manifest manifest, read_manifest(call));
  NOEMA_TRY(const std::vector<std::string> split_ids, read_splits(call, manifest));
  NOEMA_TRY(const std::vector<std::string> ids, chosen_ids(call, split_ids));
  const auto member = [&](std::string_view key) {
    const Value* value = manifest.document.find(key);
    return value == nullptr ? Value() : *value;
  };
  ImageSelection selection;
  selection.split = call.text("split").empty() ? "image_ids" : call.text("split");
  selection.manifest_path = call.text("manifest_path");
  selection.manifest_sha256 = manifest.sha256;
  selection.expected_manifest_sha256 = call.text("manifest_sha256");
  selection.manifest_version = member("version");
  selection.source_page = member("source_page");
  selection.license = member("license");
  selection.publication_blocker = member("publication_blocker");
  selection.publication_ready = member("publication_ready") == Value(true);
  std::map<std::string_view, const SelectedImage*> by_id;
  for (const SelectedImage& sample : manifest.samples) by_id.emplace(sample.sample_id, &sample);
  const std::string root = call.resolve(manifest.folder);
  for (const std::string& id : ids) {
    const auto found = by_id.find(id);
    if (found == by_id.end()) {
      std::vector<std::string> known;
      for (const SelectedImage& sample : manifest.samples) known.push_back(sample.sample_id);
      return refuse_parameter("image_ids", code::parameter_choice,
                              "image_ids names " + shown(id) + ", which is no sample of the manifest",
                              did_you_mean(id, known));
    }
    const SelectedImage& sample = *found->second;
    if (const std::string link = first_link(root, sample.filename); !link.empty()) {
      return bad_manifest(call,
                          "sample " + shown(id) + " leads through the link " + shown(link) + "; links are not allowed",
                          code::io_path);
    }
    selection.images.push_back(sample);
  }
  return selection;
}

}  // namespace noema::source
