// SPDX-License-Identifier: Apache-2.0
#include "run/environment.h"

#include <fmt/core.h>
#include <hwy/highway.h>
#include <openssl/crypto.h>
#include <sys/utsname.h>
#include <tbb/version.h>
#include <zlib.h>

#include <chrono>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "core/build_info.h"
#include "kernels/simd.h"
#include "run/run_id.h"

namespace noema {
namespace {

Value cpu() {
  Value facts = Value::object({{"logical_core_count", std::thread::hardware_concurrency()}});
  std::ifstream info("/proc/cpuinfo");
  std::string line;
  static const std::set<std::string> reported{"aes",  "avx",    "avx2",   "avx512f", "fma",
                                              "neon", "sha_ni", "sse4_1", "sse4_2"};
  while (std::getline(info, line)) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string text = line.substr(std::min(colon + 2, line.size()));
    if (line.starts_with("model name") && facts.find("model") == nullptr) facts.set("model", text);
    if ((line.starts_with("flags") || line.starts_with("Features")) &&
        facts.find("numeric_instruction_flags") == nullptr) {
      std::istringstream words(text);
      std::set<std::string> found;
      for (std::string word; words >> word;) {
        if (reported.contains(word)) found.insert(word);
      }
      Value flags = Value::array();
      for (const std::string& flag : found) flags.push(flag);
      facts.set("numeric_instruction_flags", flags);
    }
  }
  return facts;
}

}  // namespace

Value capture_environment(int threads) {
  const BuildInfo& build = build_info();
  utsname system{};
  ::uname(&system);
  static const Value processor = cpu();
  Value files = Value::object();
  for (const BuildInfo::File& file : build.project_files) {
    files.set(file.path, Value::object({{"sha256", file.sha256}, {"size_bytes", file.size}}));
  }
  return Value::object(
      {{"schema_version", 1},
       {"captured_at_utc", utc_text(std::chrono::system_clock::now())},
       {"noema", Value::object({{"version", build.version},
                                {"build_id", build.build_id},
                                {"commit", build.commit.empty() ? Value() : Value(build.commit)},
                                {"dirty", build.dirty},
                                {"source_tree_sha256", build.source_tree_sha256},
                                {"compiler", build.compiler},
                                {"flags", build.flags}})},
       {"platform",
        Value::object({{"system", system.sysname}, {"release", system.release}, {"machine", system.machine}})},
       {"hardware", Value::object({{"cpu", processor}})},
       {"runtime", Value::object({{"threads", threads}, {"simd", kernels::simd_target()}})},
       {"dependencies", Value::object({{"openssl", OpenSSL_version(OPENSSL_VERSION_STRING)},
                                       {"zlib", zlibVersion()},
                                       {"tbb", fmt::format("{}.{}", TBB_VERSION_MAJOR, TBB_VERSION_MINOR)},
                                       {"highway", fmt::format("{}.{}.{}", HWY_MAJOR, HWY_MINOR, HWY_PATCH)}})},
       {"project_files", files}});
}

}  // namespace noema
