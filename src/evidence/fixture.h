// For tests: a workspace with a real run in it, and hands to tamper with its bundle.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "noema/evidence.h"
#include "noema/run.h"
#include "noema/value.h"

namespace noema::evidence {

/// A folder that vanishes with the object.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Runs a small digital link (bits, repetition code, QPSK, AWGN, back) and gives its bundle's folder; fails the test
/// when the run does not complete.
std::string link_bundle(const std::filesystem::path& workspace, RunOptions options = {});

/// The same for any recipe in YAML.
std::string recipe_bundle(const std::filesystem::path& workspace, std::string_view recipe, RunOptions options = {});

/// A copy of a bundle under the same name, in a folder of its own.
std::string copied(const std::string& bundle, const std::filesystem::path& into);

std::string file_text(const std::string& path);
void write_text(const std::string& path, std::string_view text);
Value document(const std::string& bundle, const char* file);
/// Changes a document and writes it in the proper form.
void edit(const std::string& bundle, const char* file, const std::function<void(Value&)>& change);
/// Makes the digests good again that a forger of the summary or manifest would think of first: the summary's bytes in
/// the manifest, and the manifest's own.
void reseal(const std::string& bundle);

/// Is there an error whose message names `file`?
bool blames(const Verdict& verdict, std::string_view file);
/// Is there a check of this id and status?
bool has(const Verdict& verdict, std::string_view id, std::string_view status = "error");
/// All that is not a pass, for messages of tests.
std::string complaints(const Verdict& verdict);

}  // namespace noema::evidence
