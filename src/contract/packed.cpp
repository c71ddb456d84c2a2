// Writing and reading packed values (contract/packed.h).
// SPDX-License-Identifier: Apache-2.0
#include "contract/packed.h"

#include <bit>
#include <cstdint>

#include "noema/error.h"

namespace noema::contract {
namespace {

void put_count(std::string& out, std::uint64_t count) {
  for (; count >= 0x80; count >>= 7) out += static_cast<char>(0x80 | (count & 0x7F));
  out += static_cast<char>(count);
}

void put_text(std::string& out, std::string_view text) {
  put_count(out, text.size());
  out += text;
}

void put(std::string& out, const Value& value) {
  switch (value.kind()) {
    case Value::Kind::null:
      out += 'n';
      break;
    case Value::Kind::boolean:
      out += value.boolean() ? 't' : 'f';
      break;
    case Value::Kind::integer:
      out += 'i';
      put_text(out, value.integer_text());
      break;
    case Value::Kind::number: {
      out += 'd';
      const auto bits = std::bit_cast<std::uint64_t>(value.number());
      for (int shift = 0; shift < 64; shift += 8) out += static_cast<char>((bits >> shift) & 0xFF);
      break;
    }
    case Value::Kind::string:
      out += 's';
      put_text(out, value.string());
      break;
    case Value::Kind::array:
      out += 'a';
      put_count(out, value.size());
      for (const Value& item : value.items()) put(out, item);
      break;
    case Value::Kind::object:
      out += 'o';
      put_count(out, value.size());
      for (const auto& [key, member] : value.members()) {
        put_text(out, key);
        put(out, member);
      }
      break;
  }
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  bool at_end() const { return at_ == bytes_.size(); }

  Value value() {
    switch (static_cast<char>(byte())) {
      case 'n':
        return {};
      case 't':
        return true;
      case 'f':
        return false;
      case 'i':
        return Value::integer_text(text());
      case 'd': {
        std::uint64_t bits = 0;
        for (int shift = 0; shift < 64; shift += 8) bits |= std::uint64_t{byte()} << shift;
        return std::bit_cast<double>(bits);
      }
      case 's':
        return text();
      case 'a':
        return list();
      case 'o':
        return object();
      default:
        break;
    }
    NOEMA_ASSERT(false, "packed bytes hold an unknown tag");
    return {};
  }

 private:
  std::uint8_t byte() {
    NOEMA_ASSERT(at_ < bytes_.size(), "packed bytes end early");
    return static_cast<std::uint8_t>(bytes_[at_++]);
  }

  std::uint64_t count() {
    std::uint64_t total = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint8_t part = byte();
      total |= std::uint64_t{part & 0x7Fu} << shift;
      if (part < 0x80) break;
    }
    NOEMA_ASSERT(total <= bytes_.size(), "packed bytes hold an impossible length");
    return total;
  }

  std::string_view text() {
    const std::uint64_t length = count();
    NOEMA_ASSERT(length <= bytes_.size() - at_, "packed bytes end early");
    at_ += length;
    return bytes_.substr(at_ - length, length);
  }

  Value list() {
    Value::Items items;
    const std::uint64_t size = count();
    items.reserve(size);
    for (std::uint64_t i = 0; i < size; ++i) items.push_back(value());
    return items;
  }

  Value object() {
    Value made = Value::object();
    for (std::uint64_t left = count(); left != 0; --left) {
      std::string key(text());
      made.append(std::move(key), value());
    }
    return made;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

}  // namespace

std::string packed(const Value& value) {
  std::string out;
  put(out, value);
  return out;
}

Value unpacked(std::string_view bytes) {
  Reader reader(bytes);
  Value value = reader.value();
  NOEMA_ASSERT(reader.at_end(), "packed bytes go on after their value");
  return value;
}

}  // namespace noema::contract
