// Scans over unpacked bits, a vector at a time.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "kernels/bits.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/bits_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace noema::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The first two return how many leading elements are in order, in whole vectors: the caller looks at the rest.
std::size_t skip_bits(const std::uint8_t* HWY_RESTRICT values, std::size_t size) {
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t n = hn::Lanes(d);
  const auto one = hn::Set(d, std::uint8_t{1});
  std::size_t i = 0;
  for (; i + 4 * n <= size; i += 4 * n) {
    const auto any = hn::Or(hn::Or(hn::LoadU(d, values + i), hn::LoadU(d, values + i + n)),
                            hn::Or(hn::LoadU(d, values + i + 2 * n), hn::LoadU(d, values + i + 3 * n)));
    if (!hn::AllTrue(d, hn::Eq(hn::AndNot(one, any), hn::Zero(d)))) break;
  }
  return i;
}

std::size_t skip_equal(const std::uint8_t* HWY_RESTRICT a, const std::uint8_t* HWY_RESTRICT b, std::size_t size) {
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t n = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + n <= size; i += n) {
    if (!hn::AllTrue(d, hn::Eq(hn::LoadU(d, a + i), hn::LoadU(d, b + i)))) break;
  }
  return i;
}

// The last two count over the first `size / n * n` elements.
std::uint64_t ones(const std::uint8_t* HWY_RESTRICT bits, std::size_t size, std::size_t* done) {
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t n = hn::Lanes(d);
  std::uint64_t count = 0;
  std::size_t i = 0;
  for (; i + n <= size; i += n) count += hn::CountTrue(d, hn::Ne(hn::LoadU(d, bits + i), hn::Zero(d)));
  *done = i;
  return count;
}

std::uint64_t differences(const std::uint8_t* HWY_RESTRICT a, const std::uint8_t* HWY_RESTRICT b, std::size_t size,
                          std::size_t* done) {
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t n = hn::Lanes(d);
  std::uint64_t count = 0;
  std::size_t i = 0;
  for (; i + n <= size; i += n) count += hn::CountTrue(d, hn::Ne(hn::LoadU(d, a + i), hn::LoadU(d, b + i)));
  *done = i;
  return count;
}

}  // namespace noema::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace noema::kernels {
namespace {
HWY_EXPORT(skip_bits);
HWY_EXPORT(skip_equal);
HWY_EXPORT(ones);
HWY_EXPORT(differences);
}  // namespace

std::size_t first_not_bit_simd(std::span<const std::uint8_t> values) {
  const std::size_t done = HWY_DYNAMIC_DISPATCH(skip_bits)(values.data(), values.size());
  return done + first_not_bit_reference(values.subspan(done));
}

std::uint64_t count_ones_simd(std::span<const Bit> bits) {
  std::size_t done = 0;
  const std::uint64_t count = HWY_DYNAMIC_DISPATCH(ones)(bits.data(), bits.size(), &done);
  return count + count_ones_reference(bits.subspan(done));
}

std::uint64_t count_differences_simd(std::span<const Bit> a, std::span<const Bit> b) {
  std::size_t done = 0;
  const std::uint64_t count = HWY_DYNAMIC_DISPATCH(differences)(a.data(), b.data(), a.size(), &done);
  return count + count_differences_reference(a.subspan(done), b.subspan(done));
}

std::size_t first_difference_simd(std::span<const Bit> a, std::span<const Bit> b) {
  const std::size_t done = HWY_DYNAMIC_DISPATCH(skip_equal)(a.data(), b.data(), a.size());
  return done + first_difference_reference(a.subspan(done), b.subspan(done));
}

}  // namespace noema::kernels
#endif
