// Text: UTF-8, near-miss names, labels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace noema {

bool is_utf8(std::string_view text);
/// The code point at `index`, which is moved past it. The text must be valid UTF-8.
std::uint32_t next_code_point(std::string_view text, std::size_t& index);
void append_utf8(std::string& text, std::uint32_t code_point);
std::size_t code_point_count(std::string_view text);

/// The known name that `name` most probably meant; empty when none is near.
std::string nearest(std::string_view name, const std::vector<std::string>& known);
/// `did you mean 'x'?`, or empty.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

std::string_view trimmed(std::string_view text);
std::string lower_ascii(std::string_view text);
std::string joined(const std::vector<std::string>& parts, std::string_view separator);
std::vector<std::string> split(std::string_view text, char separator);
/// Printable form of untrusted text for messages: at most `limit` characters, control characters escaped.
std::string shown(std::string_view text, std::size_t limit = 80);

}  // namespace noema
