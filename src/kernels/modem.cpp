// Symbol mapping, decisions and LLR: the definitions, and adaptive modulation.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/modem.h"

#include <algorithm>
#include <cmath>

#include "kernels/modem_levels.h"
#include "noema/error.h"

namespace noema::kernels {
namespace {

float signed_amplitude(Bit bit, float amplitude) { return bit != 0 ? -amplitude : amplitude; }

// Natural binary: the first bit chooses the sign (0 is negative), equal bits the outer level.
float qam16_level(Bit first, Bit second) {
  const float size = first == second ? qam16_outer_level : qam16_inner_level;
  return first != 0 ? size : -size;
}

void decide_qam16(float part, Bit* bits) {
  const bool positive = part > 0;
  bits[0] = positive;
  bits[1] = part > qam16_last_inner || (!positive && part >= -qam16_last_inner);
}

// Norm of the square constellation with `levels` levels an axis at odd integers.
double adaptive_norm(int levels) { return std::sqrt(2.0 * (levels * levels - 1) / 3.0); }

float adaptive_level(std::span<const Bit> bits) {
  int index = 0;
  for (const Bit bit : bits) index = 2 * index + bit;
  const int levels = 1 << bits.size();
  return static_cast<float>((2 * index - (levels - 1)) / adaptive_norm(levels));
}

void decide_adaptive_axis(float part, std::span<Bit> bits) {
  const int levels = 1 << bits.size();
  const double place = std::nearbyint((static_cast<double>(part) * adaptive_norm(levels) + (levels - 1)) / 2.0);
  // Written so that NaN gives 0.
  const auto index = static_cast<unsigned>(place >= levels - 1 ? levels - 1 : place > 0 ? place : 0.0);
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<Bit>((index >> (bits.size() - 1 - i)) & 1u);
}

}  // namespace

std::optional<Modulation> modulation_of(std::string_view name) {
  if (name == "bpsk") return Modulation::bpsk;
  if (name == "qpsk") return Modulation::qpsk;
  if (name == "qam16") return Modulation::qam16;
  return {};
}

void map_bits_reference(Modulation modulation, std::span<const Bit> bits, std::span<Complex> symbols) {
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    switch (modulation) {
      case Modulation::bpsk:
        symbols[i] = {signed_amplitude(bits[i], 1.0f), 0.0f};
        break;
      case Modulation::qpsk:
        symbols[i] = {signed_amplitude(bits[2 * i], qpsk_amplitude), signed_amplitude(bits[2 * i + 1], qpsk_amplitude)};
        break;
      case Modulation::qam16:
        symbols[i] = {qam16_level(bits[4 * i], bits[4 * i + 1]), qam16_level(bits[4 * i + 2], bits[4 * i + 3])};
        break;
    }
  }
}

void decide_bits_reference(Modulation modulation, std::span<const Complex> symbols, std::span<Bit> bits) {
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const Complex y = symbols[i];
    switch (modulation) {
      case Modulation::bpsk:
        bits[i] = y.real() < 0;
        break;
      case Modulation::qpsk:
        bits[2 * i] = y.real() < 0;
        bits[2 * i + 1] = y.imag() < 0;
        break;
      case Modulation::qam16:
        decide_qam16(y.real(), &bits[4 * i]);
        decide_qam16(y.imag(), &bits[4 * i + 2]);
        break;
    }
  }
}

void soft_bits_reference(Modulation modulation, std::span<const Complex> symbols, double noise_variance,
                         std::span<float> llr) {
  const SoftScale scale(noise_variance);
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const Complex y = symbols[i];
    switch (modulation) {
      case Modulation::bpsk:
        llr[i] = scale.bpsk * y.real();
        break;
      case Modulation::qpsk:
        llr[2 * i] = scale.qpsk * y.real();
        llr[2 * i + 1] = scale.qpsk * y.imag();
        break;
      case Modulation::qam16:
        for (std::size_t axis = 0; axis < 2; ++axis) {
          const double part = axis == 0 ? y.real() : y.imag();
          const double size = std::abs(part);
          const double first = size <= qam16_midpoint ? 4.0 * qam16_inner * size
                                                      : (qam16_inner + qam16_outer) * (2.0 * size - qam16_step);
          const double second = size <= qam16_step / 2.0 ? 4.0 * qam16_inner * size
                                                         : qam16_step * (qam16_inner + qam16_outer - 2.0 * size);
          const double sign = std::copysign(scale.qam16, part);
          llr[4 * i + 2 * axis] = static_cast<float>(-sign * first);
          llr[4 * i + 2 * axis + 1] = static_cast<float>(sign * second);
        }
        break;
    }
  }
}

void hard_bits_reference(std::span<const float> llr, std::span<Bit> bits) {
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = llr[i] < 0;
}

Complex map_adaptive(int order, std::span<const Bit> bits) {
  NOEMA_ASSERT(is_adaptive_order(order), "adaptive orders are 1, 2, 4 and 6");
  if (order == 1) return {signed_amplitude(bits[0], 1.0f), 0.0f};
  if (order == 2) return {signed_amplitude(bits[0], qpsk_amplitude), signed_amplitude(bits[1], qpsk_amplitude)};
  const std::size_t half = static_cast<std::size_t>(order) / 2;
  return {adaptive_level(bits.first(half)), adaptive_level(bits.subspan(half, half))};
}

void decide_adaptive(int order, Complex symbol, std::span<Bit> bits) {
  NOEMA_ASSERT(is_adaptive_order(order), "adaptive orders are 1, 2, 4 and 6");
  if (order <= 2) {
    bits[0] = symbol.real() < 0;
    if (order == 2) bits[1] = symbol.imag() < 0;
    return;
  }
  const std::size_t half = static_cast<std::size_t>(order) / 2;
  decide_adaptive_axis(symbol.real(), bits.first(half));
  decide_adaptive_axis(symbol.imag(), bits.subspan(half, half));
}

}  // namespace noema::kernels
