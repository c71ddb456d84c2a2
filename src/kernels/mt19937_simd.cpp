// The inner loops of the Mersenne Twister and of the polar method, a vector at a time.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kernels/math.h"
#include "kernels/mt19937_block.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/mt19937_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace noema::kernels::mt::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vector_math = noema::math::HWY_NAMESPACE;

constexpr std::size_t lag = 397;

// state[i] from state[i], state[i + 1] and the word `lag` steps ahead (modulo 624), for i in first..last-1.
template <class D>
HWY_INLINE void twist(D d, std::uint32_t* state, std::size_t first, std::size_t last, std::ptrdiff_t ahead) {
  const std::size_t n = hn::Lanes(d);
  std::size_t i = first;
  for (; i + n <= last; i += n) {
    const auto next = hn::LoadU(d, state + i + 1);
    const auto joined =
        hn::Or(hn::And(hn::LoadU(d, state + i), hn::Set(d, 0x80000000u)), hn::And(next, hn::Set(d, 0x7FFFFFFFu)));
    const auto odd = hn::Zero(d) - hn::And(next, hn::Set(d, 1u));
    const auto far = hn::LoadU(d, state + static_cast<std::ptrdiff_t>(i) + ahead);
    hn::StoreU(hn::Xor(hn::Xor(far, hn::ShiftRight<1>(joined)), hn::And(odd, hn::Set(d, 0x9908B0DFu))), d, state + i);
  }
  for (std::size_t left = (last - first) % n; left != 0; --left, ++i) {
    const std::uint32_t next = state[i + 1];
    const std::uint32_t joined = (state[i] & 0x80000000u) | (next & 0x7FFFFFFFu);
    state[i] = state[static_cast<std::ptrdiff_t>(i) + ahead] ^ (joined >> 1) ^ ((next & 1u) != 0 ? 0x9908B0DFu : 0u);
  }
}

void next_block(std::uint32_t* state, std::uint32_t* output) {
  const hn::CappedTag<std::uint32_t, 16> d;  // 16 lanes divide 624, and a vector stays within its own side of the lag
  constexpr auto ahead = static_cast<std::ptrdiff_t>(lag);
  constexpr auto behind = ahead - static_cast<std::ptrdiff_t>(size);
  twist(d, state, 0, size - lag, ahead);
  twist(d, state, size - lag, size - 1, behind);
  const std::uint32_t joined = (state[size - 1] & 0x80000000u) | (state[0] & 0x7FFFFFFFu);
  state[size - 1] = state[lag - 1] ^ (joined >> 1) ^ ((state[0] & 1u) != 0 ? 0x9908B0DFu : 0u);

  for (std::size_t i = 0; i < size; i += hn::Lanes(d)) {
    auto y = hn::LoadU(d, state + i);
    y = hn::Xor(y, hn::ShiftRight<11>(y));
    y = hn::Xor(y, hn::And(hn::ShiftLeft<7>(y), hn::Set(d, 0x9D2C5680u)));
    y = hn::Xor(y, hn::And(hn::ShiftLeft<15>(y), hn::Set(d, 0xEFC60000u)));
    hn::StoreU(hn::Xor(y, hn::ShiftRight<18>(y)), d, output + i);
  }
}

void low_bits(const std::uint32_t* HWY_RESTRICT words, std::size_t count, Bit* HWY_RESTRICT bits) {
  const hn::ScalableTag<std::uint32_t> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::Rebind<std::uint8_t, decltype(d)> d8;
  const std::size_t n = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + n <= count; i += n) {
    const auto bit = hn::And(hn::LoadU(d, words + i), hn::Set(d, 1u));
    hn::StoreU(hn::DemoteTo(d8, hn::BitCast(di, bit)), d8, bits + i);
  }
  for (; i < count; ++i) bits[i] = static_cast<Bit>(words[i] & 1u);
}

#if HWY_TARGET == HWY_SCALAR

std::size_t accept_points(const std::uint32_t* words, std::size_t points, Accepted& accepted) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < points; ++i) {
    const Point p = point(words + 4 * i);
    accepted.x1[count] = p.x1;
    accepted.x2[count] = p.x2;
    accepted.r2[count] = p.r2;
    count += p.accepted();
  }
  return count;
}

std::size_t count_accepted(const std::uint32_t* words, std::size_t points) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < points; ++i) count += point(words + 4 * i).accepted();
  return count;
}

template <class T>
void finish(Accepted& accepted, std::size_t count, double scale, T* out) {
  for (std::size_t i = 0; i < count; ++i) {
    const double factor = std::sqrt(-2.0 * math::log(accepted.r2[i]) / accepted.r2[i]);
    out[2 * i] = static_cast<T>(factor * accepted.x2[i] * scale);
    out[2 * i + 1] = static_cast<T>(factor * accepted.x1[i] * scale);
  }
}

#else

template <class D>
struct Points {
  hn::Vec<D> x1, x2, r2;
  hn::Mask<D> inside;
};

// One coordinate a lane from the two outputs in it: (a >> 5) 2^-26 + (b >> 6) 2^-52 - 1, each term made by putting the
// bits into the mantissa of a power of two.
template <class D>
HWY_INLINE hn::Vec<D> coordinates(D d, const std::uint32_t* words) {
  const hn::RebindToUnsigned<D> du;
  const auto both = hn::LoadU(du, reinterpret_cast<const std::uint64_t*>(words));
  const auto a = hn::Or(hn::ShiftRight<37>(hn::ShiftLeft<32>(both)), hn::Set(du, 0x4190000000000000u));  // 2^26 + ...
  const auto b = hn::Or(hn::ShiftRight<38>(both), hn::Set(du, 0x3FF0000000000000u));                     // 1 + ...
  return (hn::BitCast(d, a) - hn::Set(d, 0x1p26 + 2.0)) + hn::BitCast(d, b);
}

// A vector of points from the next 4 outputs each.
template <class D>
HWY_INLINE Points<D> load_points(D d, const std::uint32_t* words) {
  const auto low = coordinates(d, words);
  const auto high = coordinates(d, words + 2 * hn::Lanes(d));
  const auto x1 = hn::ConcatEven(d, high, low);
  const auto x2 = hn::ConcatOdd(d, high, low);
  const auto r2 = x1 * x1 + x2 * x2;
  return {x1, x2, r2, hn::And(hn::Lt(r2, hn::Set(d, 1.0)), hn::Ne(r2, hn::Zero(d)))};
}

// Closes the gaps in one vector of points. AVX-512 has an instruction for it; elsewhere lanes move one by one, without
// branches, since a fifth of the points is rejected at random.
template <class D>
HWY_INLINE std::size_t keep_inside(D d, const Points<D>& p, Accepted& accepted, std::size_t count) {
#if HWY_TARGET <= HWY_AVX3
  hn::CompressStore(p.x1, p.inside, d, accepted.x1 + count);
  hn::CompressStore(p.x2, p.inside, d, accepted.x2 + count);
  return count + hn::CompressStore(p.r2, p.inside, d, accepted.r2 + count);
#else
  constexpr std::size_t lanes = hn::MaxLanes(D());
  alignas(64) double x1[lanes], x2[lanes], r2[lanes];
  alignas(64) std::uint64_t inside[lanes];
  hn::Store(p.x1, d, x1);
  hn::Store(p.x2, d, x2);
  hn::Store(p.r2, d, r2);
  const hn::RebindToUnsigned<D> du;
  hn::Store(hn::ShiftRight<63>(hn::BitCast(du, hn::VecFromMask(d, p.inside))), du, inside);
  for (std::size_t k = 0; k < lanes; ++k) {
    accepted.x1[count] = x1[k];
    accepted.x2[count] = x2[k];
    accepted.r2[count] = r2[k];
    count += inside[k];
  }
  return count;
#endif
}

std::size_t accept_points(const std::uint32_t* words, std::size_t points, Accepted& accepted) {
  const hn::CappedTag<double, 8> d;
  const std::size_t n = hn::Lanes(d);
  std::size_t count = 0;
  std::size_t i = 0;
  for (; i + n <= points; i += n) count = keep_inside(d, load_points(d, words + 4 * i), accepted, count);
  for (; i < points; ++i) {
    const Point p = point(words + 4 * i);
    accepted.x1[count] = p.x1;
    accepted.x2[count] = p.x2;
    accepted.r2[count] = p.r2;
    count += p.accepted();
  }
  return count;
}

std::size_t count_accepted(const std::uint32_t* words, std::size_t points) {
  const hn::CappedTag<double, 8> d;
  const std::size_t n = hn::Lanes(d);
  std::size_t count = 0;
  std::size_t i = 0;
  for (; i + n <= points; i += n) count += hn::CountTrue(d, load_points(d, words + 4 * i).inside);
  for (; i < points; ++i) count += point(words + 4 * i).accepted();
  return count;
}

template <class D>
HWY_INLINE void store_pairs(D d, hn::Vec<D> first, hn::Vec<D> second, double* out) {
  hn::StoreInterleaved2(first, second, d, out);
}
template <class D>
HWY_INLINE void store_pairs(D d, hn::Vec<D> first, hn::Vec<D> second, float* out) {
  const hn::Rebind<float, D> df;
  hn::StoreInterleaved2(hn::DemoteTo(df, first), hn::DemoteTo(df, second), df, out);
  static_cast<void>(d);
}

template <class T>
void finish(Accepted& accepted, std::size_t count, double scale, T* out) {
  const hn::CappedTag<double, 8> d;
  const std::size_t n = hn::Lanes(d);
  // The last vector may be partial: what stands behind the points is made harmless.
  for (std::size_t i = count; i < (count + n - 1) / n * n; ++i) {
    accepted.x1[i] = accepted.x2[i] = 0.0;
    accepted.r2[i] = 0.5;
  }
  for (std::size_t i = 0; i < count; i += n) {
    const auto r2 = hn::LoadU(d, accepted.r2 + i);
    const auto factor = hn::Sqrt(hn::Set(d, -2.0) * vector_math::log_of_normal(d, r2) / r2);
    const auto first = factor * hn::LoadU(d, accepted.x2 + i) * hn::Set(d, scale);
    const auto second = factor * hn::LoadU(d, accepted.x1 + i) * hn::Set(d, scale);
    if (i + n <= count) {
      store_pairs(d, first, second, out + 2 * i);
    } else {
      T rest[2 * hn::MaxLanes(d)];
      store_pairs(d, first, second, rest);
      for (std::size_t k = 0; k < 2 * (count - i); ++k) out[2 * i + k] = rest[k];
    }
  }
}

#endif

void finish_floats(Accepted& accepted, std::size_t count, double scale, float* out) {
  finish(accepted, count, scale, out);
}
void finish_doubles(Accepted& accepted, std::size_t count, double scale, double* out) {
  finish(accepted, count, scale, out);
}

}  // namespace noema::kernels::mt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace noema::kernels::mt {
namespace {
HWY_EXPORT(next_block);
HWY_EXPORT(low_bits);
HWY_EXPORT(accept_points);
HWY_EXPORT(count_accepted);
HWY_EXPORT(finish_floats);
HWY_EXPORT(finish_doubles);
}  // namespace

void next_block(std::uint32_t* state, std::uint32_t* output) { HWY_DYNAMIC_DISPATCH(next_block)(state, output); }
void low_bits(const std::uint32_t* words, std::size_t count, Bit* bits) {
  HWY_DYNAMIC_DISPATCH(low_bits)(words, count, bits);
}
std::size_t accept_points(const std::uint32_t* words, std::size_t points, Accepted& accepted) {
  return HWY_DYNAMIC_DISPATCH(accept_points)(words, points, accepted);
}
std::size_t count_accepted(const std::uint32_t* words, std::size_t points) {
  return HWY_DYNAMIC_DISPATCH(count_accepted)(words, points);
}
void finish_normals(Accepted& accepted, std::size_t count, double scale, float* out) {
  HWY_DYNAMIC_DISPATCH(finish_floats)(accepted, count, scale, out);
}
void finish_normals(Accepted& accepted, std::size_t count, double scale, double* out) {
  HWY_DYNAMIC_DISPATCH(finish_doubles)(accepted, count, scale, out);
}

}  // namespace noema::kernels::mt
#endif
