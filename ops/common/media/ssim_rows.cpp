// Row operations of MS-SSIM (ssim_rows.h): the definition.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/ssim_rows.h"

namespace noema::media {
namespace {

void products(const double* a, const double* b, double* squares, double* product, std::size_t count) {
  for (std::size_t x = 0; x < count; ++x) {
    squares[x] = a[x] * a[x] + b[x] * b[x];
    product[x] = a[x] * b[x];
  }
}

void across(const double* in, const double* weights, double* out, std::size_t count) {
  for (std::size_t x = 0; x < count; ++x) {
    double sum = weights[0] * in[x];
    for (std::size_t k = 1; k < ssim_taps; ++k) sum += weights[k] * in[x + k];
    out[x] = sum;
  }
}

void down(const double* const* rows, const double* weights, double* out, std::size_t count) {
  for (std::size_t x = 0; x < count; ++x) {
    double sum = weights[0] * rows[0][x];
    for (std::size_t k = 1; k < ssim_taps; ++k) sum += weights[k] * rows[k][x];
    out[x] = sum;
  }
}

void terms(const double* mean_a, const double* mean_b, const double* squares, const double* product, double* structure,
           double* full, std::size_t count) {
  for (std::size_t x = 0; x < count; ++x) {
    const double mean_squares = mean_a[x] * mean_a[x] + mean_b[x] * mean_b[x];
    const double mean_product = mean_a[x] * mean_b[x];
    const double variances = squares[x] - mean_squares;
    const double covariance = product[x] - mean_product;
    structure[x] = (2.0 * covariance + ssim_c2) / (variances + ssim_c2);
    full[x] = structure[x] * ((2.0 * mean_product + ssim_c1) / (mean_squares + ssim_c1));
  }
}

}  // namespace

const SsimRows ssim_rows_reference{products, across, down, terms};

}  // namespace noema::media
