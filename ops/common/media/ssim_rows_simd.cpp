// Row operations of MS-SSIM, a vector at a time. What is left at a row's end goes through the definition.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/ssim_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/common/media/ssim_rows_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace noema::media::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;

// Each returns how many samples it did.

std::size_t products(const double* HWY_RESTRICT a, const double* HWY_RESTRICT b, double* HWY_RESTRICT squares,
                     double* HWY_RESTRICT product, std::size_t count) {
  const D d;
  const std::size_t n = hn::Lanes(d);
  std::size_t x = 0;
  for (; x + n <= count; x += n) {
    const auto left = hn::LoadU(d, a + x), right = hn::LoadU(d, b + x);
    hn::StoreU(hn::Add(hn::Mul(left, left), hn::Mul(right, right)), d, squares + x);
    hn::StoreU(hn::Mul(left, right), d, product + x);
  }
  return x;
}

/// out[x] = sum of weights[k] row(k)[x]. Pairs of vectors share each weight and row; the last pair may overlap the one
/// before it, which only writes the same again. Rows shorter than a pair are left.
template <class Row>
HWY_INLINE std::size_t weighted_sum(const double* HWY_RESTRICT weights, const Row& row, double* HWY_RESTRICT out,
                                    std::size_t count) {
  const D d;
  const std::size_t n = hn::Lanes(d);
  if (count < 2 * n) return 0;
  for (std::size_t at = 0; at < count; at += 2 * n) {
    const std::size_t x = at + 2 * n <= count ? at : count - 2 * n;
    const auto first = hn::Set(d, weights[0]);
    auto low = hn::Mul(first, hn::LoadU(d, row(0) + x)), high = hn::Mul(first, hn::LoadU(d, row(0) + x + n));
    for (std::size_t k = 1; k < ssim_taps; ++k) {
      const auto weight = hn::Set(d, weights[k]);
      const double* HWY_RESTRICT in = row(k) + x;
      low = hn::Add(low, hn::Mul(weight, hn::LoadU(d, in)));
      high = hn::Add(high, hn::Mul(weight, hn::LoadU(d, in + n)));
    }
    hn::StoreU(low, d, out + x);
    hn::StoreU(high, d, out + x + n);
  }
  return count;
}

std::size_t across(const double* in, const double* weights, double* out, std::size_t count) {
  return weighted_sum(
      weights, [in](std::size_t k) { return in + k; }, out, count);
}

std::size_t down(const double* const* rows, const double* weights, double* out, std::size_t count) {
  return weighted_sum(
      weights, [rows](std::size_t k) { return rows[k]; }, out, count);
}

std::size_t terms(const double* HWY_RESTRICT mean_a, const double* HWY_RESTRICT mean_b,
                  const double* HWY_RESTRICT squares, const double* HWY_RESTRICT product,
                  double* HWY_RESTRICT structure, double* HWY_RESTRICT full, std::size_t count) {
  const D d;
  const std::size_t n = hn::Lanes(d);
  const auto two = hn::Set(d, 2.0), c1 = hn::Set(d, ssim_c1), c2 = hn::Set(d, ssim_c2);
  std::size_t x = 0;
  for (; x + n <= count; x += n) {
    const auto a = hn::LoadU(d, mean_a + x), b = hn::LoadU(d, mean_b + x);
    const auto mean_squares = hn::Add(hn::Mul(a, a), hn::Mul(b, b));
    const auto mean_product = hn::Mul(a, b);
    const auto variances = hn::Sub(hn::LoadU(d, squares + x), mean_squares);
    const auto covariance = hn::Sub(hn::LoadU(d, product + x), mean_product);
    const auto cs = hn::Div(hn::Add(hn::Mul(two, covariance), c2), hn::Add(variances, c2));
    const auto luminance = hn::Div(hn::Add(hn::Mul(two, mean_product), c1), hn::Add(mean_squares, c1));
    hn::StoreU(cs, d, structure + x);
    hn::StoreU(hn::Mul(cs, luminance), d, full + x);
  }
  return x;
}

}  // namespace noema::media::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace noema::media {
namespace {

HWY_EXPORT(products);
HWY_EXPORT(across);
HWY_EXPORT(down);
HWY_EXPORT(terms);

void all_products(const double* a, const double* b, double* squares, double* product, std::size_t count) {
  const std::size_t x = HWY_DYNAMIC_DISPATCH(products)(a, b, squares, product, count);
  ssim_rows_reference.products(a + x, b + x, squares + x, product + x, count - x);
}

void all_across(const double* in, const double* weights, double* out, std::size_t count) {
  const std::size_t x = HWY_DYNAMIC_DISPATCH(across)(in, weights, out, count);
  ssim_rows_reference.across(in + x, weights, out + x, count - x);
}

void all_down(const double* const* rows, const double* weights, double* out, std::size_t count) {
  const std::size_t x = HWY_DYNAMIC_DISPATCH(down)(rows, weights, out, count);
  const double* rest[ssim_taps];
  for (std::size_t k = 0; k < ssim_taps; ++k) rest[k] = rows[k] + x;
  ssim_rows_reference.down(rest, weights, out + x, count - x);
}

void all_terms(const double* mean_a, const double* mean_b, const double* squares, const double* product,
               double* structure, double* full, std::size_t count) {
  const std::size_t x = HWY_DYNAMIC_DISPATCH(terms)(mean_a, mean_b, squares, product, structure, full, count);
  ssim_rows_reference.terms(mean_a + x, mean_b + x, squares + x, product + x, structure + x, full + x, count - x);
}

}  // namespace

const SsimRows ssim_rows_simd{all_products, all_across, all_down, all_terms};

}  // namespace noema::media
#endif
