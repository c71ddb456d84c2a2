// SPDX-License-Identifier: Apache-2.0
#include "core/text.h"

#include <algorithm>
#include <array>

namespace noema {
namespace {

/// Length of the valid sequence at `index`, or 0.
std::size_t sequence(std::string_view text, std::size_t index, std::uint32_t& point) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[index + k]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) {
    point = lead;
    return 1;
  }
  std::size_t length = 0;
  if (lead >= 0xC2 && lead <= 0xDF) length = 2;
  if (lead >= 0xE0 && lead <= 0xEF) length = 3;
  if (lead >= 0xF0 && lead <= 0xF4) length = 4;
  if (length == 0 || index + length > text.size()) return 0;
  point = lead & (0xFFu >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return 0;
    point = (point << 6) | (byte(k) & 0x3Fu);
  }
  if (length == 3 && (point < 0x800 || (point >= 0xD800 && point <= 0xDFFF))) return 0;
  if (length == 4 && (point < 0x10000 || point > 0x10FFFF)) return 0;
  return length;
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    std::uint32_t point = 0;
    const std::size_t length = sequence(text, i, point);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

std::uint32_t next_code_point(std::string_view text, std::size_t& index) {
  std::uint32_t point = 0xFFFD;
  const std::size_t length = sequence(text, index, point);
  index += std::max<std::size_t>(length, 1);
  return length == 0 ? 0xFFFD : point;
}

void append_utf8(std::string& text, std::uint32_t point) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xC0 | (point >> 6));
    put(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    put(0xE0 | (point >> 12));
    put(0x80 | ((point >> 6) & 0x3F));
    put(0x80 | (point & 0x3F));
  } else {
    put(0xF0 | (point >> 18));
    put(0x80 | ((point >> 12) & 0x3F));
    put(0x80 | ((point >> 6) & 0x3F));
    put(0x80 | (point & 0x3F));
  }
}

std::size_t code_point_count(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string nearest(std::string_view name, const std::vector<std::string>& known) {
  if (name.empty() || name.size() > 200) return {};
  const std::size_t allowed = std::max<std::size_t>(2, name.size() / 4);
  std::size_t best = allowed + 1;
  const std::string* found = nullptr;
  for (const std::string& candidate : known) {
    if (candidate.size() > name.size() + allowed || name.size() > candidate.size() + allowed) continue;
    const std::size_t steps = distance(name, candidate);
    if (steps < best) {
      best = steps;
      found = &candidate;
    }
  }
  return found == nullptr ? std::string{} : *found;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  const std::string near = nearest(name, known);
  return near.empty() ? std::string{} : "did you mean '" + near + "'?";
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n\f\v";
  const std::size_t first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

std::string lower_ascii(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) out += separator;
    out += part;
  }
  return out;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (true) {
    const std::size_t end = text.find(separator, start);
    parts.emplace_back(text.substr(start, end == std::string_view::npos ? end : end - start));
    if (end == std::string_view::npos) return parts;
    start = end + 1;
  }
}

std::string shown(std::string_view text, std::size_t limit) {
  std::string out = "'";
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size() && count < limit; ++count) {
    const std::size_t start = i;
    std::uint32_t point = 0;
    const std::size_t length = sequence(text, i, point);
    if (length == 0 || point < 0x20 || point == 0x7F) {
      static constexpr std::string_view digits = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(text[start]);
      out += "\\x";
      out += digits[byte >> 4];
      out += digits[byte & 15];
      ++i;
    } else {
      out += text.substr(i, length);
      i += length;
    }
  }
  return out + (count == limit ? "...'" : "'");
}

}  // namespace noema
