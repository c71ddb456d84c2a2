// Which pictures source.image_dataset reads, and what is known of them before they are read: from the Kodak table, from
// a pinned manifest, or from a folder as it lies there.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "noema/backend.h"
#include "noema/error.h"
#include "noema/value.h"

namespace noema::source {

/// One picture to read.
struct SelectedImage {
  std::string sample_id;
  std::string path;                    ///< to read it by: authored folder and file name
  std::string filename;                ///< to record: relative to the data folder
  std::optional<std::string> sha256;   ///< that the file must have
  std::optional<std::uint64_t> bytes;  ///< that the file must have
  std::string source_id, group_id;
  std::vector<std::string> ancestry_ids;
  std::optional<std::string> source_sha256;  ///< of what the file was made from; the file itself when absent
  Value transform = Value::object({{"name", "identity"}});  ///< that made the file from its source
  Value source_url;
};

/// All pictures of a batch in order, and the facts about their data set that go into the metadata.
struct ImageSelection {
  std::vector<SelectedImage> images;
  std::string split;
  Value manifest_path, manifest_sha256, expected_manifest_sha256, manifest_version;  ///< null where there is none
  Value source_page, license, publication_blocker;
  bool publication_ready = false;
};

/// The parameters' choice: a manifest where one is named, else Kodak by that name, else the folder.
Result<ImageSelection> select_images(Call& call);

/// The three ways.
Result<ImageSelection> select_kodak(const Call& call);
Result<ImageSelection> select_from_manifest(Call& call);
Result<ImageSelection> select_from_folder(const Call& call);

/// Ids in `image_ids`: separated by commas, blanks around them dropped; an error when one is empty or stands twice.
Result<std::vector<std::string>> listed_ids(const Call& call);
/// Whether `image_ids` is the contract's default, which means the Kodak set and is no choice for other data.
bool lists_all_of_kodak(const Call& call);

/// `folder` and `name` with one separator between them.
std::string path_in(const std::string& folder, const std::string& name);
/// An error when `path`, with all links followed, lies outside `root`. Both are resolved paths.
Result<void> check_confined(const std::string& root, const std::string& path, std::string_view shown_name,
                            std::string_view parameter);

}  // namespace noema::source
