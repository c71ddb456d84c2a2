// Choosing pictures (image_selection.h): what the three ways share, and the way of the Kodak table.
// SPDX-License-Identifier: Apache-2.0
#include "ops/source/image_selection.h"

#include <algorithm>
#include <filesystem>

#include "core/digest.h"
#include "core/text.h"
#include "ops/common/media/kodak.h"

namespace noema::source {

namespace fs = std::filesystem;

std::string path_in(const std::string& folder, const std::string& name) {
  if (folder.empty()) return name;
  return folder.ends_with('/') ? folder + name : folder + '/' + name;
}

Result<void> check_confined(const std::string& root, const std::string& path, std::string_view shown_name,
                            std::string_view parameter) {
  std::error_code problem;
  const fs::path real_root = fs::canonical(root, problem);
  const fs::path real_path = problem ? fs::path() : fs::canonical(path, problem);
  if (problem) {
    return refuse_parameter(parameter, code::io_read,
                            shown(shown_name, 300) + " can't be reached: " + problem.message());
  }
  const auto [end, rest] = std::mismatch(real_root.begin(), real_root.end(), real_path.begin(), real_path.end());
  if (end == real_root.end()) return {};
  return refuse_parameter(parameter, code::io_path,
                          shown(shown_name, 300) + " is a link that leaves its folder; links within it are allowed",
                          "copy the file into the folder");
}

Result<std::vector<std::string>> listed_ids(const Call& call) {
  std::vector<std::string> ids;
  const std::string& text = call.text("image_ids");
  if (trimmed(text).empty()) return ids;
  for (const std::string& part : split(text, ',')) {
    const std::string id(trimmed(part));
    if (id.empty())
      return refuse_parameter("image_ids", code::parameter_choice, "image_ids has an empty id between two commas");
    if (std::ranges::find(ids, id) != ids.end()) {
      return refuse_parameter("image_ids", code::parameter_choice, "image_ids names " + shown(id) + " twice",
                              "repeat_count repeats the whole batch");
    }
    ids.push_back(id);
  }
  return ids;
}

bool lists_all_of_kodak(const Call& call) {
  std::string all;
  for (const media::KodakFile& file : media::kodak_files) all += (all.empty() ? "" : ",") + std::string(file.id);
  return call.text("image_ids") == all;
}

Result<ImageSelection> select_kodak(const Call& call) {
  NOEMA_TRY(const std::vector<std::string> ids, listed_ids(call));
  if (ids.empty()) {
    return refuse_parameter("image_ids", code::parameter_choice,
                            "image_ids names no picture; kodim01 to kodim24 are allowed");
  }
  ImageSelection selection;
  selection.split = call.text("split").empty() ? "all" : call.text("split");
  const std::string digest = sha256_of(media::kodak_manifest());
  selection.manifest_sha256 = digest;
  selection.expected_manifest_sha256 = digest;
  selection.manifest_version = media::kodak_version;
  selection.source_page = media::kodak_page;
  selection.license = media::kodak_license();
  selection.publication_blocker = media::kodak_blocker;
  for (const std::string& id : ids) {
    const media::KodakFile* file = media::find_kodak(id);
    if (file == nullptr) {
      return refuse_parameter("image_ids", code::parameter_choice,
                              "image_ids names " + shown(id) + "; kodim01 to kodim24 are allowed");
    }
    SelectedImage image;
    image.sample_id = id;
    image.filename = file->name();
    image.path = path_in(call.text("dataset_dir"), image.filename);
    image.sha256 = std::string(file->sha256);
    image.bytes = file->bytes;
    image.source_id = image.group_id = "kodak:" + id;
    image.ancestry_ids = {image.source_id};
    image.source_url = media::kodak_url(*file);
    selection.images.push_back(std::move(image));
  }
  return selection;
}

Result<ImageSelection> select_images(Call& call) {
  if (!call.text("manifest_path").empty()) return select_from_manifest(call);
  if (!call.text("manifest_sha256").empty()) {
    return refuse_parameter("manifest_sha256", code::parameter_conflict,
                            "manifest_sha256 is set but manifest_path is empty",
                            "name the manifest, or leave both empty");
  }
  return call.text("dataset") == "kodak" ? select_kodak(call) : select_from_folder(call);
}

}  // namespace noema::source
