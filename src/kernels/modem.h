// Maps bits to symbols of unit average power and back, hard and soft.
//
// BPSK: b -> 1-2b. QPSK: (b0, b1) -> ((1-2b0) + j(1-2b1))/sqrt 2. 16-QAM: natural binary on each axis, (b0, b1) on I
// and (b2, b3) on Q, index 0..3 -> -3, -1, 1, 3 over sqrt 10. Adaptive orders 1, 2, 4, 6: as BPSK and QPSK, then
// natural binary on 4 or 8 levels an axis. This is not the labelling of 3GPP. LLR: log P(bit 0)/P(bit 1), so positive
// favours 0, by the max-log rule.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "kernels/implementation.h"
#include "noema/value.h"

namespace noema::kernels {

enum class Modulation { bpsk, qpsk, qam16 };

/// From `bpsk`, `qpsk` or `qam16`; empty for any other text.
std::optional<Modulation> modulation_of(std::string_view name);
constexpr std::size_t bits_per_symbol(Modulation modulation) {
  return modulation == Modulation::bpsk ? 1 : modulation == Modulation::qpsk ? 2 : 4;
}

inline constexpr float qpsk_amplitude = 0x1.6a09e6p-1f;     ///< 1/sqrt 2
inline constexpr float qam16_inner_level = 0x1.43d136p-2f;  ///< 1/sqrt 10
inline constexpr float qam16_outer_level = 0x1.e5b9d2p-1f;  ///< 3/sqrt 10

/// bits.size() = bits_per_symbol * symbols.size(); bits are 0 or 1.
using MapBits = void (*)(Modulation modulation, std::span<const Bit> bits, std::span<Complex> symbols);
void map_bits_reference(Modulation modulation, std::span<const Bit> bits, std::span<Complex> symbols);
void map_bits_simd(Modulation modulation, std::span<const Bit> bits, std::span<Complex> symbols);
inline constexpr std::array map_bits_implementations{
    Implementation<MapBits>{"reference", map_bits_reference},
    Implementation<MapBits>{"simd", map_bits_simd},
};
inline void map_bits(Modulation modulation, std::span<const Bit> bits, std::span<Complex> symbols) {
  map_bits_simd(modulation, bits, symbols);
}

/// Hard decisions. BPSK and QPSK: 1 when the part is below 0. 16-QAM: nearest level, the lower of two equally near.
using DecideBits = void (*)(Modulation modulation, std::span<const Complex> symbols, std::span<Bit> bits);
void decide_bits_reference(Modulation modulation, std::span<const Complex> symbols, std::span<Bit> bits);
void decide_bits_simd(Modulation modulation, std::span<const Complex> symbols, std::span<Bit> bits);
inline constexpr std::array decide_bits_implementations{
    Implementation<DecideBits>{"reference", decide_bits_reference},
    Implementation<DecideBits>{"simd", decide_bits_simd},
};
inline void decide_bits(Modulation modulation, std::span<const Complex> symbols, std::span<Bit> bits) {
  decide_bits_simd(modulation, symbols, bits);
}

/// Max-log LLR for noise of total variance `noise_variance` (both parts together; below 1e-12 it counts as 1e-12).
/// BPSK: float32(4/v) * Re y. QPSK: float32(2 sqrt 2/v) times each part. 16-QAM: the piecewise linear form of an axis
/// in double, rounded once. llr.size() = bits_per_symbol * symbols.size().
using SoftBits = void (*)(Modulation modulation, std::span<const Complex> symbols, double noise_variance,
                          std::span<float> llr);
void soft_bits_reference(Modulation modulation, std::span<const Complex> symbols, double noise_variance,
                         std::span<float> llr);
void soft_bits_simd(Modulation modulation, std::span<const Complex> symbols, double noise_variance,
                    std::span<float> llr);
inline constexpr std::array soft_bits_implementations{
    Implementation<SoftBits>{"reference", soft_bits_reference},
    Implementation<SoftBits>{"simd", soft_bits_simd},
};
inline void soft_bits(Modulation modulation, std::span<const Complex> symbols, double noise_variance,
                      std::span<float> llr) {
  soft_bits_simd(modulation, symbols, noise_variance, llr);
}

/// Bit 1 where llr < 0.
using HardBits = void (*)(std::span<const float> llr, std::span<Bit> bits);
void hard_bits_reference(std::span<const float> llr, std::span<Bit> bits);
void hard_bits_simd(std::span<const float> llr, std::span<Bit> bits);
inline constexpr std::array hard_bits_implementations{
    Implementation<HardBits>{"reference", hard_bits_reference},
    Implementation<HardBits>{"simd", hard_bits_simd},
};
inline void hard_bits(std::span<const float> llr, std::span<Bit> bits) { hard_bits_simd(llr, bits); }

// ---- adaptive modulation: an order (bits a symbol) of 1, 2, 4 or 6, and 0 for an unused symbol --------------------
constexpr bool is_adaptive_order(int order) { return order == 1 || order == 2 || order == 4 || order == 6; }
/// The point of the first `order` bits.
Complex map_adaptive(int order, std::span<const Bit> bits);
/// Writes `order` bits. Order 4 and 6: the index nearest to the part times its norm, halves to even, clipped.
void decide_adaptive(int order, Complex symbol, std::span<Bit> bits);

}  // namespace noema::kernels
