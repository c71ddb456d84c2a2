// NumPy's legacy RandomState: seeding, integers, uniforms, and the order in which normals use the stream.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/mt19937.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/math.h"
#include "kernels/mt19937_block.h"
#include "noema/error.h"

namespace noema::kernels {
namespace {

// 53 bits of two outputs as a fraction.
double joined(std::uint32_t a, std::uint32_t b) {
  return (static_cast<double>(a >> 5) * 67108864.0 + static_cast<double>(b >> 6)) * 0x1p-53;
}

}  // namespace

Mt19937::Mt19937(std::uint64_t seed) : output_{} {
  auto word = static_cast<std::uint32_t>(seed);
  for (std::uint32_t i = 0; i < size; ++i) {
    state_[i] = word;
    word = 1812433253u * (word ^ (word >> 30)) + i + 1;
  }
}

void Mt19937::refill() {
  mt::next_block(state_.data(), output_.data());
  next_ = 0;
}

// ---- raw ----------------------------------------------------------------------------------------------------------

std::uint32_t Mt19937::u32() {
  if (next_ == size) refill();
  return output_[next_++];
}

std::uint64_t Mt19937::u64() {
  const std::uint64_t high = u32();
  return high << 32 | u32();
}

void Mt19937::fill_u32(std::span<std::uint32_t> out) {
  while (!out.empty()) {
    if (next_ == size) refill();
    const std::size_t part = std::min(out.size(), size - next_);
    std::copy_n(output_.data() + next_, part, out.data());
    next_ += part;
    out = out.subspan(part);
  }
}

void Mt19937::skip_u32(std::uint64_t count) {
  while (count != 0) {
    if (next_ == size) refill();
    const std::uint64_t part = std::min<std::uint64_t>(count, size - next_);
    next_ += part;
    count -= part;
  }
}

// ---- uniforms and bits --------------------------------------------------------------------------------------------

double Mt19937::uniform01() {
  const std::uint32_t a = u32();
  return joined(a, u32());
}

double Mt19937::uniform(double low, double high) { return low + (high - low) * uniform01(); }

void Mt19937::fill_uniform01(std::span<double> out) {
  while (!out.empty()) {
    const std::size_t pairs = std::min((size - next_) / 2, out.size());
    if (pairs == 0) {  // one across two blocks
      out[0] = uniform01();
      out = out.subspan(1);
      continue;
    }
    const std::uint32_t* words = output_.data() + next_;
    for (std::size_t i = 0; i < pairs; ++i) out[i] = joined(words[2 * i], words[2 * i + 1]);
    next_ += 2 * pairs;
    out = out.subspan(pairs);
  }
}

void Mt19937::random_bits(std::span<Bit> out) {
  while (!out.empty()) {
    if (next_ == size) refill();
    const std::size_t part = std::min(out.size(), size - next_);
    mt::low_bits(output_.data() + next_, part, out.data());
    next_ += part;
    out = out.subspan(part);
  }
}

// ---- integers -----------------------------------------------------------------------------------------------------

std::uint64_t Mt19937::interval(std::uint64_t most) {
  if (most == 0) return 0;
  const std::uint64_t mask = ~std::uint64_t{0} >> std::countl_zero(most);
  std::uint64_t value = 0;
  do {
    value = (most <= 0xFFFFFFFFu ? u32() : u64()) & mask;
  } while (value > most);
  return value;
}

std::int64_t Mt19937::integer(std::int64_t low, std::int64_t high) {
  NOEMA_ASSERT(low < high, "an empty range has no integers");
  const std::uint64_t most = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) - 1;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + interval(most));
}

void Mt19937::fill_integers(std::int64_t low, std::int64_t high, std::span<std::int64_t> out) {
  for (std::int64_t& value : out) value = integer(low, high);
}

void Mt19937::permutation(std::span<std::int64_t> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::int64_t>(i);
  shuffle(out);
}

// ---- normals ------------------------------------------------------------------------------------------------------

double Mt19937::normal() {
  if (waiting_) {
    waiting_ = false;
    return waiting_normal_;
  }
  for (;;) {
    std::uint32_t words[4];
    fill_u32(words);
    const mt::Point point = mt::point(words);
    if (!point.accepted()) continue;
    const double factor = std::sqrt(-2.0 * math::log(point.r2) / point.r2);
    waiting_ = true;
    waiting_normal_ = factor * point.x1;
    return factor * point.x2;
  }
}

template <class T>
void Mt19937::fill_pairs(std::span<T> out, double scale) {
  mt::Accepted accepted;
  while (!out.empty()) {
    // No more points than pairs are wanted, so that none is drawn too many.
    const std::size_t points = std::min((size - next_) / 4, out.size() / 2);
    std::size_t count = 0;
    if (points == 0) {  // a point across two blocks
      std::uint32_t words[4];
      fill_u32(words);
      count = mt::accept_points(words, 1, accepted);
    } else {
      count = mt::accept_points(output_.data() + next_, points, accepted);
      next_ += 4 * points;
    }
    mt::finish_normals(accepted, count, scale, out.data());
    out = out.subspan(2 * count);
  }
}

void Mt19937::fill_normals(std::span<float> out, double scale) {
  if (!out.empty() && waiting_) {
    out[0] = static_cast<float>(normal() * scale);
    out = out.subspan(1);
  }
  fill_pairs(out.first(out.size() / 2 * 2), scale);
  if (out.size() % 2 != 0) out.back() = static_cast<float>(normal() * scale);
}

void Mt19937::fill_normals(std::span<double> out) {
  if (!out.empty() && waiting_) {
    out[0] = normal();
    out = out.subspan(1);
  }
  fill_pairs(out.first(out.size() / 2 * 2), 1.0);
  if (out.size() % 2 != 0) out.back() = normal();
}

void Mt19937::skip_normals(std::uint64_t count) {
  if (count != 0 && waiting_) {
    waiting_ = false;
    --count;
  }
  for (std::uint64_t pairs = count / 2; pairs != 0;) {
    const auto points = static_cast<std::size_t>(std::min<std::uint64_t>((size - next_) / 4, pairs));
    if (points == 0) {
      std::uint32_t words[4];
      fill_u32(words);
      pairs -= mt::point(words).accepted();
    } else {
      pairs -= mt::count_accepted(output_.data() + next_, points);
      next_ += 4 * points;
    }
  }
  if (count % 2 != 0) static_cast<void>(normal());  // its partner waits
}

// ---- others -------------------------------------------------------------------------------------------------------

double Mt19937::exponential() { return -math::log(1.0 - uniform01()); }

double Mt19937::lognormal(double mean, double sigma) { return math::exp(mean + sigma * normal()); }

double Mt19937::gamma(double shape, double scale) {
  NOEMA_ASSERT(shape >= 0.0, "a gamma distribution has a shape of 0 or more");
  if (shape == 0.0) return 0.0;
  if (shape == 1.0) return scale * exponential();
  if (shape < 1.0) {
    for (;;) {
      const double u = uniform01();
      const double v = exponential();
      if (u <= 1.0 - shape) {
        const double x = math::pow(u, 1.0 / shape);
        if (x <= v) return scale * x;
      } else {
        const double y = -math::log((1.0 - u) / shape);
        const double x = math::pow(1.0 - shape + shape * y, 1.0 / shape);
        if (x <= v + y) return scale * x;
      }
    }
  }
  const double b = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * b);
  for (;;) {
    double x = 0.0;
    double v = 0.0;
    do {
      x = normal();
      v = 1.0 + c * x;
    } while (v <= 0.0);
    v = v * v * v;
    const double u = uniform01();
    if (u < 1.0 - 0.0331 * (x * x) * (x * x)) return scale * (b * v);
    if (math::log(u) < 0.5 * x * x + b * (1.0 - v + math::log(v))) return scale * (b * v);
  }
}

bool operator==(const Mt19937& a, const Mt19937& b) {
  return a.next_ == b.next_ && a.state_ == b.state_ && a.waiting_ == b.waiting_ &&
         (!a.waiting_ || a.waiting_normal_ == b.waiting_normal_);
}

// ---- complex noise ------------------------------------------------------------------------------------------------

ComplexNormals::ComplexNormals(const Mt19937& start, std::uint64_t count)
    : real_(start), imaginary_(start), left_(count) {
  imaginary_.skip_normals(count);
}

void ComplexNormals::fill(std::span<float> real, std::span<float> imaginary, double scale) {
  NOEMA_ASSERT(real.size() == imaginary.size() && real.size() <= left_, "more noise than was announced");
  real_.fill_normals(real, scale);
  imaginary_.fill_normals(imaginary, scale);
  left_ -= real.size();
}

const Mt19937& ComplexNormals::finished() const {
  NOEMA_ASSERT(left_ == 0, "noise was announced and not drawn");
  return imaginary_;
}

}  // namespace noema::kernels
