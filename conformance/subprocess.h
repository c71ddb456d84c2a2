// Running programs, and scratch folders, for tests that look at the program from outside.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace noema::conformance {

/// A folder for one test; removed with all it holds. It stands in the build tree's file system, not in memory.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }
  /// Writes a file, making its folders; gives its path.
  std::string write(std::string_view name, std::string_view bytes) const;

 private:
  std::string path_;
};

std::string file_bytes(const std::string& path);
void overwrite(const std::string& path, std::string_view bytes);
/// Everything below a folder: relative path -> content, `-> target` for a link, `/` for a folder.
std::map<std::string, std::string> tree_of(const std::string& folder);

struct Launch {
  std::vector<std::string> arguments;
  std::string folder = ".";
  std::vector<std::pair<std::string, std::string>> environment;  ///< set in addition to ours
  std::uint64_t file_limit = 0;                                  ///< RLIMIT_FSIZE in bytes; 0 = none
  bool as_nobody = false;                                        ///< only root can ask for it
  bool terminal = false;                                         ///< standard error is a terminal
  std::string output;  ///< where standard output goes instead of into Finished::out
};

struct Finished {
  int status = -1;         ///< exit status; 128 + number when a signal ended it
  bool timed_out = false;  ///< it was killed
  double seconds = 0;
  std::string out;
  std::string err;
};

/// A running program. Ended by force if it still runs when this ends.
class Child {
 public:
  Child(const std::string& program, const Launch& launch);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void send(int signal) const;
  Finished wait(double seconds = 60);

 private:
  pid_t process_ = -1;
  int out_ = -1;
  int err_ = -1;
  int terminal_ = -1;
  double started_ = 0;
};

/// Runs the program under test to its end.
Finished noema_program(const Launch& launch);
Finished noema_program(std::vector<std::string> arguments, const std::string& folder = ".");
/// The ids of the errors that `runs verify` finds in a bundle, each once; `verify.none` when it gave no report.
std::vector<std::string> errors_of_verification(const std::string& bundle);
/// The program's path.
std::string noema_path();
/// The repository, and the shared reference data beside it.
std::string source_folder();
std::string shared_folder();

}  // namespace noema::conformance
