// Symbol mapping, decisions and LLR, a vector at a time. Each function works on the parts of symbols, interleaved.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "kernels/modem.h"
#include "kernels/modem_levels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/modem_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace noema::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Every function returns how many of its units (bits, symbols or parts) it has done; the caller does the rest.

// One bit to one part of size `amplitude`, negative for 1.
std::size_t map_signs(const std::uint8_t* HWY_RESTRICT bits, std::size_t size, float amplitude,
                      float* HWY_RESTRICT parts) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<std::uint8_t, decltype(d)> d8;
  const auto plus = hn::BitCast(du, hn::Set(d, amplitude));
  std::size_t i = 0;
  for (const std::size_t n = hn::Lanes(d); i + n <= size; i += n) {
    const auto signs = hn::ShiftLeft<31>(hn::PromoteTo(du, hn::LoadU(d8, bits + i)));
    hn::StoreU(hn::BitCast(d, hn::Or(signs, plus)), d, parts + i);
  }
  return i;
}

std::size_t map_bpsk(const std::uint8_t* HWY_RESTRICT bits, std::size_t size, float* HWY_RESTRICT parts) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<std::uint8_t, decltype(d)> d8;
  const auto one = hn::BitCast(du, hn::Set(d, 1.0f));
  std::size_t i = 0;
  for (const std::size_t n = hn::Lanes(d); i + n <= size; i += n) {
    const auto signs = hn::ShiftLeft<31>(hn::PromoteTo(du, hn::LoadU(d8, bits + i)));
    hn::StoreInterleaved2(hn::BitCast(d, hn::Or(signs, one)), hn::Zero(d), d, parts + 2 * i);
  }
  return i;
}

// Two bits to one part.
std::size_t map_qam16(const std::uint8_t* HWY_RESTRICT bits, std::size_t size, float* HWY_RESTRICT parts) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<std::uint16_t, decltype(d)> d16;
  const auto inner = hn::BitCast(du, hn::Set(d, qam16_inner_level));
  const auto outer = hn::BitCast(du, hn::Set(d, qam16_outer_level));
  const auto one = hn::Set(du, 1u);
  std::size_t i = 0;
  for (const std::size_t n = hn::Lanes(d); i + n <= size; i += n) {
    const auto pair = hn::PromoteTo(du, hn::LoadU(d16, reinterpret_cast<const std::uint16_t*>(bits + 2 * i)));
    const auto first = hn::And(pair, one);
    const auto second = hn::ShiftRight<8>(pair);
    const auto size_bits = hn::IfThenElse(hn::Eq(first, second), outer, inner);
    const auto sign = hn::ShiftLeft<31>(hn::Xor(first, one));
    hn::StoreU(hn::BitCast(d, hn::Or(sign, size_bits)), d, parts + i);
  }
  return i;
}

// One part to one bit: 1 when below zero.
std::size_t decide_signs(const float* HWY_RESTRICT parts, std::size_t size, std::uint8_t* HWY_RESTRICT bits) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::Rebind<std::uint8_t, decltype(d)> d8;
  const auto one = hn::Set(di, 1);
  std::size_t i = 0;
  for (const std::size_t n = hn::Lanes(d); i + n <= size; i += n) {
    const auto below = hn::RebindMask(di, hn::Lt(hn::LoadU(d, parts + i), hn::Zero(d)));
    hn::StoreU(hn::DemoteTo(d8, hn::IfThenElseZero(below, one)), d8, bits + i);
  }
  return i;
}

std::size_t decide_bpsk(const float* HWY_RESTRICT parts, std::size_t symbols, std::uint8_t* HWY_RESTRICT bits) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::Rebind<std::uint8_t, decltype(d)> d8;
  const auto one = hn::Set(di, 1);
  std::size_t i = 0;
  for (const std::size_t n = hn::Lanes(d); i + n <= symbols; i += n) {
    hn::Vec<decltype(d)> re, im;
    hn::LoadInterleaved2(d, parts + 2 * i, re, im);
    const auto below = hn::RebindMask(di, hn::Lt(re, hn::Zero(d)));
    hn::StoreU(hn::DemoteTo(d8, hn::IfThenElseZero(below, one)), d8, bits + i);
  }
  return i;
}

// One part to two bits.
std::size_t decide_qam16(const float* HWY_RESTRICT parts, std::size_t size, std::uint8_t* HWY_RESTRICT bits) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::Rebind<std::uint16_t, decltype(d)> d16;
  const auto high = hn::Set(d, qam16_last_inner);
  const auto low = hn::Set(d, -qam16_last_inner);
  std::size_t i = 0;
  for (const std::size_t n = hn::Lanes(d); i + n <= size; i += n) {
    const auto part = hn::LoadU(d, parts + i);
    const auto positive = hn::Gt(part, hn::Zero(d));
    const auto odd = hn::Or(hn::Gt(part, high), hn::AndNot(positive, hn::Ge(part, low)));
    const auto first = hn::IfThenElseZero(hn::RebindMask(di, positive), hn::Set(di, 1));
    const auto second = hn::IfThenElseZero(hn::RebindMask(di, odd), hn::Set(di, 256));
    hn::StoreU(hn::DemoteTo(d16, hn::Or(first, second)), d16, reinterpret_cast<std::uint16_t*>(bits + 2 * i));
  }
  return i;
}

std::size_t soft_bpsk(const float* HWY_RESTRICT parts, std::size_t symbols, float scale, float* HWY_RESTRICT llr) {
  const hn::ScalableTag<float> d;
  std::size_t i = 0;
  for (const std::size_t n = hn::Lanes(d); i + n <= symbols; i += n) {
    hn::Vec<decltype(d)> re, im;
    hn::LoadInterleaved2(d, parts + 2 * i, re, im);
    hn::StoreU(hn::Mul(hn::Set(d, scale), re), d, llr + i);
  }
  return i;
}

std::size_t soft_qpsk(const float* HWY_RESTRICT parts, std::size_t size, float scale, float* HWY_RESTRICT llr) {
  const hn::ScalableTag<float> d;
  std::size_t i = 0;
  for (const std::size_t n = hn::Lanes(d); i + n <= size; i += n) {
    hn::StoreU(hn::Mul(hn::Set(d, scale), hn::LoadU(d, parts + i)), d, llr + i);
  }
  return i;
}

std::size_t soft_qam16(const float* HWY_RESTRICT parts, std::size_t size, double scale, float* HWY_RESTRICT llr) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const auto slope = hn::Set(d, 4.0 * qam16_inner);
  const auto sum = hn::Set(d, qam16_inner + qam16_outer);
  const auto step = hn::Set(d, qam16_step);
  const auto scales = hn::Set(d, scale);
  std::size_t i = 0;
  for (const std::size_t n = hn::Lanes(d); i + n <= size; i += n) {
    const auto part = hn::PromoteTo(d, hn::LoadU(df, parts + i));
    const auto size_of_part = hn::Abs(part);
    const auto twice = hn::Add(size_of_part, size_of_part);
    const auto near = hn::Mul(slope, size_of_part);
    const auto first =
        hn::IfThenElse(hn::Le(size_of_part, hn::Set(d, qam16_midpoint)), near, hn::Mul(sum, hn::Sub(twice, step)));
    const auto second =
        hn::IfThenElse(hn::Le(size_of_part, hn::Set(d, qam16_step / 2.0)), near, hn::Mul(step, hn::Sub(sum, twice)));
    const auto sign = hn::CopySign(scales, part);
    const auto first_llr = hn::DemoteTo(df, hn::Mul(hn::Neg(sign), first));
    const auto second_llr = hn::DemoteTo(df, hn::Mul(sign, second));
    hn::StoreInterleaved2(first_llr, second_llr, df, llr + 2 * i);
  }
  return i;
}

}  // namespace noema::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace noema::kernels {
namespace {

HWY_EXPORT(map_signs);
HWY_EXPORT(map_bpsk);
HWY_EXPORT(map_qam16);
HWY_EXPORT(decide_signs);
HWY_EXPORT(decide_bpsk);
HWY_EXPORT(decide_qam16);
HWY_EXPORT(soft_bpsk);
HWY_EXPORT(soft_qpsk);
HWY_EXPORT(soft_qam16);

const float* parts_of(std::span<const Complex> symbols) { return reinterpret_cast<const float*>(symbols.data()); }

// Whole symbols in `parts` parts.
std::size_t symbols_in(std::size_t parts) { return parts / 2; }

}  // namespace

void map_bits_simd(Modulation modulation, std::span<const Bit> bits, std::span<Complex> symbols) {
  float* parts = reinterpret_cast<float*>(symbols.data());
  const std::size_t size = 2 * symbols.size();
  std::size_t done = 0;
  switch (modulation) {
    case Modulation::bpsk:
      done = HWY_DYNAMIC_DISPATCH(map_bpsk)(bits.data(), symbols.size(), parts);
      break;
    case Modulation::qpsk:
      done = symbols_in(HWY_DYNAMIC_DISPATCH(map_signs)(bits.data(), size, qpsk_amplitude, parts));
      break;
    case Modulation::qam16:
      done = symbols_in(HWY_DYNAMIC_DISPATCH(map_qam16)(bits.data(), size, parts));
      break;
  }
  map_bits_reference(modulation, bits.subspan(done * bits_per_symbol(modulation)), symbols.subspan(done));
}

void decide_bits_simd(Modulation modulation, std::span<const Complex> symbols, std::span<Bit> bits) {
  const float* parts = parts_of(symbols);
  const std::size_t size = 2 * symbols.size();
  std::size_t done = 0;
  switch (modulation) {
    case Modulation::bpsk:
      done = HWY_DYNAMIC_DISPATCH(decide_bpsk)(parts, symbols.size(), bits.data());
      break;
    case Modulation::qpsk:
      done = symbols_in(HWY_DYNAMIC_DISPATCH(decide_signs)(parts, size, bits.data()));
      break;
    case Modulation::qam16:
      done = symbols_in(HWY_DYNAMIC_DISPATCH(decide_qam16)(parts, size, bits.data()));
      break;
  }
  decide_bits_reference(modulation, symbols.subspan(done), bits.subspan(done * bits_per_symbol(modulation)));
}

void soft_bits_simd(Modulation modulation, std::span<const Complex> symbols, double noise_variance,
                    std::span<float> llr) {
  const float* parts = parts_of(symbols);
  const std::size_t size = 2 * symbols.size();
  const SoftScale scale(noise_variance);
  std::size_t done = 0;
  switch (modulation) {
    case Modulation::bpsk:
      done = HWY_DYNAMIC_DISPATCH(soft_bpsk)(parts, symbols.size(), scale.bpsk, llr.data());
      break;
    case Modulation::qpsk:
      done = symbols_in(HWY_DYNAMIC_DISPATCH(soft_qpsk)(parts, size, scale.qpsk, llr.data()));
      break;
    case Modulation::qam16:
      done = symbols_in(HWY_DYNAMIC_DISPATCH(soft_qam16)(parts, size, scale.qam16, llr.data()));
      break;
  }
  soft_bits_reference(modulation, symbols.subspan(done), noise_variance,
                      llr.subspan(done * bits_per_symbol(modulation)));
}

void hard_bits_simd(std::span<const float> llr, std::span<Bit> bits) {
  const std::size_t done = HWY_DYNAMIC_DISPATCH(decide_signs)(llr.data(), bits.size(), bits.data());
  hard_bits_reference(llr.subspan(done), bits.subspan(done));
}

}  // namespace noema::kernels
#endif
