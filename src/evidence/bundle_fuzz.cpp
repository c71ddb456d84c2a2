// Verifying any bundle ends in a verdict. Inputs are JSON objects of a bundle's files: {"summary.json": {...}, ...}.
// They are damaged as trees, not as bytes, so that most of what is tried reaches the checks behind the JSON reader.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/digest.h"
#include "core/files.h"
#include "core/json.h"
#include "core/text.h"
#include "noema/evidence.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

namespace fs = std::filesystem;
using noema::Value;

/// Folder of the bundle under test, in memory where the system offers that.
class Scratch {
 public:
  Scratch() {
    std::error_code none;
    const fs::path root = fs::is_directory("/dev/shm", none) ? fs::path("/dev/shm") : fs::temp_directory_path();
    std::string name = (root / "noema_fuzz.XXXXXX").string();
    NOEMA_ASSERT(::mkdtemp(name.data()) != nullptr, "a folder for the bundle is needed");
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// The bytes of a file: documents in the program's own form, texts as they are, and after `hex:` what digits spell.
std::string file_bytes(const Value& content) {
  if (!content.is_string()) return noema::pretty_json(content);
  const std::string& text = content.string();
  if (!text.starts_with("hex:")) return text;
  std::string bytes;
  for (std::size_t at = 4; at + 1 < text.size(); at += 2) {
    bytes += static_cast<char>(std::strtoul(text.substr(at, 2).c_str(), nullptr, 16));
  }
  return bytes;
}

/// Writes the members that are safe paths into a folder named by the summary's run id; returns the folder.
fs::path lay_out(const Value& files, const fs::path& parent) {
  std::error_code ignored;
  for (const auto& old : fs::directory_iterator(parent, ignored)) fs::remove_all(old.path(), ignored);
  const Value* summary = files.find("summary.json");
  const Value* id = summary == nullptr ? nullptr : summary->find("run_id");
  const bool named =
      id != nullptr && id->is_string() && id->string().size() < 100 && noema::is_safe_component(id->string());
  const fs::path folder = parent / (named ? id->string() : "run");
  fs::create_directories(folder, ignored);
  for (const auto& [name, content] : files.members()) {
    if (!noema::is_safe_relative_path(name) || name.size() > 200) continue;
    const fs::path path = folder / name;
    fs::create_directories(path.parent_path(), ignored);
    std::ofstream(path, std::ios::binary) << file_bytes(content);
  }
  return folder;
}

/// Makes the two digests good that every other check stands behind.
void reseal(Value& files) {
  const Value* summary = files.find("summary.json");
  const Value* manifest = files.find("manifest.json");
  if (summary == nullptr || manifest == nullptr || !manifest->is_object()) return;
  const std::string text = noema::pretty_json(*summary);
  Value sealed = *manifest;
  if (const Value* stated = sealed.find("summary"); stated != nullptr && stated->is_object()) {
    sealed.edit("summary").set("sha256", noema::sha256_hex(text)).set("size_bytes", std::uint64_t{text.size()});
  }
  sealed.erase("sha256");
  sealed.set("sha256", noema::sha256_of(sealed));
  files.set("manifest.json", sealed);
}

/// Damages trees: takes members away, doubles them, moves parts to other places, changes leaves.
class Damage {
 public:
  explicit Damage(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t limit) { return limit < 2 ? 0 : random_() % limit; }

  /// Walks down to a random node and changes it; every level may be where it stops, leaves always are.
  void hit(Value& node, const Value& whole) {
    const bool deeper = node.size() > 0 && below(8) != 0;
    if (deeper && node.is_object()) {
      const std::string key = node.members()[below(node.size())].first;
      hit(node.edit(key), whole);
    } else if (deeper) {
      hit(node.edit(below(node.size())), whole);
    } else {
      change(node, whole);
    }
  }

 private:
  Value& any_part(Value& node) {
    if (node.size() == 0 || below(8) == 0) return node;
    if (node.is_object()) return any_part(node.edit(std::string(node.members()[below(node.size())].first)));
    return any_part(node.edit(below(node.size())));
  }

  void change(Value& node, const Value& whole) {
    switch (below(6)) {
      case 0:
        if (node.is_object() && node.size() > 0) {
          node.erase(std::string(node.members()[below(node.size())].first));
        } else if (node.is_array() && node.size() > 0) {
          Value::Items items = node.items();
          items.erase(items.begin() + static_cast<std::ptrdiff_t>(below(items.size())));
          node = Value(std::move(items));
        } else {
          node = Value();
        }
        break;
      case 1:
        if (node.is_array() && node.size() > 0) {
          node.push(Value(node[below(node.size())]));
        } else {
          node = scalar();
        }
        break;
      case 2: {
        Value copy = whole;
        node = any_part(copy);
        break;
      }
      case 3:
        if (node.is_object()) {
          Value copy = whole;
          const Value part = any_part(copy);
          node.set(word(), part);
        } else {
          node = Value(word());
        }
        break;
      default:
        node = node.is_string() ? Value(bent(node.string())) : scalar();
    }
  }

  Value scalar() {
    static const std::array<Value, 14> values{
        Value(),        Value(true),    Value(false),      Value(0),
        Value(1),       Value(-1),      Value(INT64_MAX),  Value(INT64_MIN),
        Value(1e308),   Value(-0.0),    Value(UINT64_MAX), Value::integer_text("123456789012345678901234567890"),
        Value::array(), Value::object()};
    return values[below(values.size())];
  }

  std::string word() {
    static const std::array<const char*, 12> words{"",     "sha256",    "status",    "steps",        "id",   "params",
                                                   "../x", "completed", "artifacts", "$noema_value", "bits", "reason"};
    return words[below(words.size())];
  }

  std::string bent(std::string text) {
    if (text.empty() || below(4) == 0) return word();
    const std::size_t at = below(text.size());
    if (below(2) == 0) {
      text.erase(at);
    } else {
      text[at] = static_cast<char>('!' + below(94));
    }
    return noema::is_utf8(text) ? text : word();
  }

  std::mt19937 random_;
};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  auto files = noema::parse_json({reinterpret_cast<const char*>(data), size});
  Damage damage(seed);
  if (!files || !files->is_object() || damage.below(50) == 0) return LLVMFuzzerMutate(data, size, max_size);
  for (std::size_t i = 0, times = 1 + damage.below(4); i < times; ++i) damage.hit(*files, Value(*files));
  if (!files->is_object()) return LLVMFuzzerMutate(data, size, max_size);
  if (damage.below(2) == 0) reseal(*files);
  const std::string text = noema::canonical_json(*files);
  if (text.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::ranges::copy(text, data);
  return text.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Scratch scratch;
  const auto files = noema::parse_json({reinterpret_cast<const char*>(data), size});
  if (!files || !files->is_object()) return 0;
  const fs::path folder = lay_out(*files, scratch.path());
  const noema::Verdict verdict = noema::verify_run(folder.string(), &noema::builtin_catalog());
  NOEMA_ASSERT(verdict.status == "valid" || verdict.status == "warning" || verdict.status == "invalid", "a verdict");
  NOEMA_ASSERT(noema::is_utf8(noema::verdict_text(verdict)), "a verdict must be printable");
  NOEMA_ASSERT(noema::check_json(verdict.document).has_value(), "a report must be JSON");
  return 0;
}
