// Derived seeds: the one rule that recipes, steps and items inside a step share.
// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <string>

#include "core/digest.h"
#include "noema/recipe.h"

namespace noema {

std::uint64_t derive_seed(std::string_view master, std::string_view name_space, std::string_view step,
                          std::string_view stream) {
  constexpr std::uint64_t modulus = (std::uint64_t{1} << 31) - 1;
  std::string text;
  for (const std::string_view part : {master, name_space, step}) text.append(part).push_back('|');
  text.append(stream);
  const std::string digest = sha256_hex(text);
  std::uint64_t leading = 0;
  std::from_chars(digest.data(), digest.data() + 16, leading, 16);
  return leading % modulus;
}

}  // namespace noema
