// The 24 Kodak test photographs: names, sizes and digests under which they are known, and what may be said of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "noema/value.h"

namespace noema::media {

struct KodakFile {
  std::string_view id;  ///< kodim01 to kodim24
  std::uint64_t bytes;
  std::string_view sha256;

  std::string name() const { return std::string(id) + ".png"; }
};

extern const std::array<KodakFile, 24> kodak_files;

inline constexpr std::string_view kodak_version = "r0k.us-png-sha256-v1";
inline constexpr std::string_view kodak_page = "https://r0k.us/graphics/kodak/";
/// Where one file is published; the digest decides whether it is the right one.
std::string kodak_url(const KodakFile& file);

/// The file with this id; null when there is none.
const KodakFile* find_kodak(std::string_view id);

/// What a user has to do when files are missing or wrong.
inline constexpr std::string_view kodak_hint =
    "run `noema data fetch kodak`, or set dataset_dir to a folder that holds the files";

/// {id, version, files: [{filename, sha256, size_bytes}]}: the list whose digest stands for the set.
Value kodak_manifest();

/// Licence status: nobody authoritative has stated one.
Value kodak_license();
inline constexpr std::string_view kodak_blocker =
    "the licence is known from third parties only; ask the rights holder before publishing pictures";

}  // namespace noema::media
