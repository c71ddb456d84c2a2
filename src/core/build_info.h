// What the build knows about itself: stands in the evidence of every run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace noema {

struct BuildInfo {
  struct File {
    std::string path;
    std::string sha256;
    std::uint64_t size = 0;
  };
  std::string version;
  std::string build_id;  ///< digest of source tree, compiler and flags, shortened
  std::string commit;    ///< 40 hex characters; empty when built outside git
  bool dirty = false;
  std::string source_tree_sha256;  ///< over paths and digests of src, ops, include, cmake
  std::string compiler;
  std::string flags;
  std::vector<File> project_files;
};

const BuildInfo& build_info();

}  // namespace noema
