// ops/channel/repetition.h: inner loops of the repetition code.
// SPDX-License-Identifier: Apache-2.0
#include "ops/channel/repetition.h"

#include <algorithm>
#include <cstring>

#include "kernels/bits.h"

namespace noema::channel {
namespace {

/// Factors known at compile time: the compiler unrolls the group and runs many groups at once.
template <std::size_t factor>
void repeat_fixed(std::span<const Bit> bits, std::span<Bit> coded) {
  Bit* out = coded.data();
  for (const Bit bit : bits) {
    for (std::size_t copy = 0; copy < factor; ++copy) out[copy] = bit;
    out += factor;
  }
}

template <std::size_t factor>
void vote_fixed(std::span<const Bit> coded, std::span<Bit> bits) {
  const Bit* in = coded.data();
  for (Bit& bit : bits) {
    unsigned ones = 0;
    for (std::size_t copy = 0; copy < factor; ++copy) ones += in[copy];
    bit = ones >= factor - factor / 2 ? 1 : 0;
    in += factor;
  }
}

}  // namespace

void repeat_bits(std::span<const Bit> bits, std::uint64_t factor, std::span<Bit> coded) {
  switch (factor) {
    case 1:
      std::ranges::copy(bits, coded.begin());
      return;
    case 2:
      return repeat_fixed<2>(bits, coded);
    case 3:
      return repeat_fixed<3>(bits, coded);
    case 4:
      return repeat_fixed<4>(bits, coded);
    case 5:
      return repeat_fixed<5>(bits, coded);
    case 7:
      return repeat_fixed<7>(bits, coded);
    default:
      break;
  }
  Bit* out = coded.data();
  for (const Bit bit : bits) {
    std::memset(out, bit, factor);
    out += factor;
  }
}

void vote_bits(std::span<const Bit> coded, std::uint64_t factor, std::span<Bit> bits) {
  switch (factor) {
    case 1:
      std::ranges::copy(coded, bits.begin());
      return;
    case 2:
      return vote_fixed<2>(coded, bits);
    case 3:
      return vote_fixed<3>(coded, bits);
    case 4:
      return vote_fixed<4>(coded, bits);
    case 5:
      return vote_fixed<5>(coded, bits);
    case 7:
      return vote_fixed<7>(coded, bits);
    default:
      break;
  }
  constexpr std::uint64_t short_group = 32;  // below it a call costs more than the sum
  for (Bit& bit : bits) {
    const std::span<const Bit> group = coded.first(factor);
    std::uint64_t ones = 0;
    if (factor < short_group) {
      for (const Bit copy : group) ones += copy;
    } else {
      ones = kernels::count_ones(group);
    }
    bit = vote(ones, factor);
    coded = coded.subspan(factor);
  }
}

}  // namespace noema::channel
