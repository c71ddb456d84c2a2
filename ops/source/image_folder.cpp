// Pictures as they lie in a folder: every PNG, JPEG and WebP file directly in it, in byte order of name.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "core/text.h"
#include "ops/source/image_selection.h"

namespace noema::source {
namespace {

namespace fs = std::filesystem;

struct Entry {
  std::string name, stem, id;
};

bool is_picture_name(const std::string& name) {
  const std::string lower = lower_ascii(name);
  for (const std::string_view suffix : {".png", ".jpg", ".jpeg", ".webp"}) {
    if (lower.size() > suffix.size() && lower.ends_with(suffix)) return true;
  }
  return false;
}

Error bad_folder(const std::string& folder, Code code, std::string message, std::string hint = {}) {
  return refuse_parameter("dataset_dir", code, "folder " + shown(folder, 300) + " " + std::move(message),
                          std::move(hint));
}

Result<std::vector<Entry>> list_folder(const Call& call) {
  const std::string& folder = call.text("dataset_dir");
  const std::string root = call.resolve(folder.empty() ? "." : folder);
  std::error_code problem;
  std::vector<Entry> entries;
  fs::directory_iterator at(root, problem);
  for (; !problem && at != fs::directory_iterator(); at.increment(problem)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with('.') || !is_picture_name(name)) continue;
    if (!is_utf8(name))
      return bad_folder(folder, code::io_path, "holds the file " + shown(name) + ", whose name is not UTF-8");
    std::error_code gone;
    if (at->is_symlink(gone)) NOEMA_CHECK(check_confined(root, at->path().string(), name, "dataset_dir"));
    if (!at->is_regular_file(gone)) continue;
    entries.push_back({name, name.substr(0, name.rfind('.')), {}});
  }
  if (problem)
    return bad_folder(folder, code::io_read, "can't be listed: " + problem.message(),
                      "set dataset_dir to a folder of pictures; a relative one counts from where the run starts");
  if (entries.empty()) {
    return bad_folder(folder, code::input_invalid,
                      "holds no pictures; .png, .jpg, .jpeg and .webp files directly in it count",
                      "put pictures into it, or set dataset_dir to another folder");
  }
  std::ranges::sort(entries, {}, &Entry::name);
  return entries;
}

/// Stems where they are unique; whole names for the others, and for any stem that such a name would meet.
void name_entries(std::vector<Entry>& entries) {
  for (Entry& entry : entries) entry.id = entry.stem;
  for (bool changed = true; changed;) {
    changed = false;
    std::map<std::string, int> uses;
    for (const Entry& entry : entries) ++uses[entry.id];
    for (Entry& entry : entries) {
      if (uses[entry.id] < 2 || entry.id == entry.name) continue;
      entry.id = entry.name;
      changed = true;
    }
  }
}

SelectedImage selected(const Call& call, const Entry& entry) {
  SelectedImage image;
  image.sample_id = entry.id;
  image.filename = entry.name;
  image.path = path_in(call.text("dataset_dir"), entry.name);
  image.source_id = image.group_id = call.text("dataset") + ':' + entry.id;
  image.ancestry_ids = {image.source_id};
  return image;
}

}  // namespace

Result<ImageSelection> select_from_folder(const Call& call) {
  if (!call.text("split").empty()) {
    return refuse_parameter("split", code::parameter_conflict,
                            "split is " + shown(call.text("split")) + ", but a folder without a manifest has no splits",
                            "choose pictures with image_ids, or describe the folder in a manifest");
  }
  NOEMA_TRY(std::vector<Entry> entries, list_folder(call));
  name_entries(entries);
  std::vector<std::string> ids;
  if (!lists_all_of_kodak(call)) {
    NOEMA_TRY(ids, listed_ids(call));
  }
  ImageSelection selection;
  selection.split = "folder";
  selection.publication_blocker = "nothing is stated about the licence of these files";
  if (ids.empty()) {
    for (const Entry& entry : entries) selection.images.push_back(selected(call, entry));
    return selection;
  }
  std::vector<std::string> known;
  for (const Entry& entry : entries) known.push_back(entry.id);
  for (const std::string& id : ids) {
    const auto found = std::ranges::find(entries, id, &Entry::id);
    if (found == entries.end()) {
      return refuse_parameter("image_ids", code::parameter_choice,
                              "image_ids names " + shown(id) + ", which is no picture of the folder " +
                                  shown(call.text("dataset_dir"), 300),
                              did_you_mean(id, known));
    }
    selection.images.push_back(selected(call, *found));
  }
  return selection;
}

}  // namespace noema::source
