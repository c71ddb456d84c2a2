// Any bytes as a benchmark pack: read, its entries made into recipes, or refused.
// SPDX-License-Identifier: Apache-2.0
#include "pack/pack.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/json.h"
#include "core/report.h"
#include "core/text.h"

namespace {

namespace fs = std::filesystem;

/// A folder with the recipe that entries of the seed packs name; the pack itself is written anew for each input.
class Folder {
 public:
  Folder() {
    std::error_code none;
    const fs::path root = fs::is_directory("/dev/shm", none) ? fs::path("/dev/shm") : fs::temp_directory_path();
    std::string name = (root / "noema_fuzz.XXXXXX").string();
    NOEMA_ASSERT(::mkdtemp(name.data()) != nullptr, "a folder for the pack is needed");
    path_ = name;
    std::ofstream(path_ / "r.yaml")
        << "schema_version: 1\nname: entry\nmetadata:\n  seed: 23\n  matrix:\n    dimensions: {code: [1, 3]}\n"
           "    step_params: {encode: {factor: {matrix: code}}}\n"
           "steps:\n- {id: data, op: source.random_bits, params: {bit_count: 24}}\n"
           "- {id: encode, op: channel.repetition_encoder, inputs: {bits: data.bits}}\n";
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void expect_printable(const noema::Error& error) {
  NOEMA_ASSERT(!error.message.empty() && noema::is_utf8(noema::error_text(error)), "an error must be printable");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  const std::string file = (folder.path() / "pack.yaml").string();
  std::ofstream(file, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  const auto pack = noema::read_pack(file);
  if (!pack) {
    expect_printable(pack.error());
    return 0;
  }
  NOEMA_ASSERT(noema::check_json(pack->normal).has_value(), "the normal form is JSON");
  for (const noema::PackEntry& entry : pack->entries) {
    // Only the recipe beside the pack: an input must not make the fuzzer read elsewhere.
    if (entry.path != "r.yaml") continue;
    const auto recipe = noema::entry_recipe(*pack, entry, noema::builtin_catalog());
    if (!recipe) expect_printable(recipe.error());
  }
  return 0;
}
