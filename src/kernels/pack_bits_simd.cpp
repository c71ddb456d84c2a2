// Packs and unpacks bits a vector at a time, through masks.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "kernels/pack_bits.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pack_bits_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace noema::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

std::size_t pack(const std::uint8_t*, std::size_t, std::uint8_t*) { return 0; }
std::size_t unpack(const std::uint8_t*, std::size_t, std::uint8_t*) { return 0; }

#else

// A mask puts lane 0 into the lowest bit, so each group of eight lanes is reversed.
template <class D>
HWY_INLINE hn::Vec<D> reverse_groups(D d, hn::Vec<D> lanes) {
  const hn::Repartition<std::uint64_t, D> d64;
  const auto low = hn::BitCast(d, hn::Set(d64, 0x0001020304050607u));
  const auto base = hn::BitCast(d, hn::Set(d64, 0x0808080808080808u));
  const auto upper = hn::BitCast(d, hn::OddEven(hn::BitCast(d64, base), hn::Zero(d64)));
  return hn::TableLookupBytes(lanes, hn::Or(low, upper));
}

// Both return the whole bytes done.
std::size_t pack(const std::uint8_t* HWY_RESTRICT bits, std::size_t bytes, std::uint8_t* HWY_RESTRICT packed) {
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t step = hn::Lanes(d) / 8;
  std::size_t i = 0;
  for (; i + step <= bytes; i += step) {
    const auto lanes = reverse_groups(d, hn::LoadU(d, bits + 8 * i));
    hn::StoreMaskBits(d, hn::Ne(lanes, hn::Zero(d)), packed + i);
  }
  return i;
}

std::size_t unpack(const std::uint8_t* HWY_RESTRICT packed, std::size_t bytes, std::uint8_t* HWY_RESTRICT bits) {
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t step = hn::Lanes(d) / 8;
  const auto one = hn::Set(d, std::uint8_t{1});
  std::size_t i = 0;
  // A mask may be read as a whole 64-bit word: stay that far from the end.
  for (; i + step <= bytes && i + 8 <= bytes; i += step) {
    const auto lanes = hn::IfThenElseZero(hn::LoadMaskBits(d, packed + i), one);
    hn::StoreU(reverse_groups(d, lanes), d, bits + 8 * i);
  }
  return i;
}

#endif

}  // namespace noema::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace noema::kernels {
namespace {
HWY_EXPORT(pack);
HWY_EXPORT(unpack);
}  // namespace

void pack_bits_simd(std::span<const Bit> bits, std::span<std::byte> bytes) {
  const std::size_t done =
      HWY_DYNAMIC_DISPATCH(pack)(bits.data(), bits.size() / 8, reinterpret_cast<std::uint8_t*>(bytes.data()));
  pack_bits_swar(bits.subspan(8 * done), bytes.subspan(done));
}

void unpack_bits_simd(std::span<const std::byte> bytes, std::span<Bit> bits) {
  const std::size_t done =
      HWY_DYNAMIC_DISPATCH(unpack)(reinterpret_cast<const std::uint8_t*>(bytes.data()), bits.size() / 8, bits.data());
  unpack_bits_swar(bytes.subspan(done), bits.subspan(8 * done));
}

}  // namespace noema::kernels
#endif
