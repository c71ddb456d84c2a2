// The elementary functions: errors against the C library's long double, exact results, special values, and one result
// on every instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/math.h"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <functional>
#include <limits>
#include <ostream>

#include "core/digest.h"
#include "kernels/kernel_test.h"
#include "kernels/math-inl.h"

namespace noema::math {
namespace {

using kernels::for_each_target;
using kernels::SplitMix;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double tiny = std::numeric_limits<double>::denorm_min();

using Scalar = double (*)(double);
using Spans = void (*)(std::span<const double>, std::span<double>);
using Precise = std::function<long double(long double)>;

struct Function {
  std::string name;
  Scalar scalar;
  Spans spans;
  Precise precise;
  double low, high;  // of arguments
  double bound;      // of the error, in units in the last place; the long double itself errs by a thousandth
};

/// The test framework would print the bytes, addresses and padding included.
void PrintTo(const Function& function, std::ostream* out) { *out << function.name; }

const std::vector<Function>& functions() {
  static const std::vector<Function> all{
      {"log", log, log, [](long double x) { return std::log(x); }, 1e-3, 20.0, 0.503},
      {"log_near_one", log, log, [](long double x) { return std::log(x); }, 0.98, 1.02, 0.503},
      {"log_small", log, log, [](long double x) { return std::log(x); }, 0.0, 1e-300, 0.503},
      {"log2", log2, log2, [](long double x) { return std::log2(x); }, 0.0, 10.0, 0.501},
      {"log10", log10, log10, [](long double x) { return std::log10(x); }, 0.0, 10.0, 0.501},
      {"log10_large", log10, log10, [](long double x) { return std::log10(x); }, 1.0, 1e300, 0.501},
      {"exp", exp, exp, [](long double x) { return std::exp(x); }, -700.0, 700.0, 0.51},
      {"exp_small", exp, exp, [](long double x) { return std::exp(x); }, -1.0, 1.0, 0.51},
      {"exp_subnormal", exp, exp, [](long double x) { return std::exp(x); }, -745.0, -708.0, 0.76},
      {"exp10", exp10, exp10, [](long double x) { return std::pow(10.0L, x); }, -5.0, 5.0, 0.502},
      {"sin", sin, sin, [](long double x) { return std::sin(x); }, -10.0, 10.0, 0.502},
      {"cos", cos, cos, [](long double x) { return std::cos(x); }, -10.0, 10.0, 0.502},
      {"sin_far", sin, sin, [](long double x) { return std::sin(x); }, -1e7, 1e7, 0.502},
      {"cos_very_far", cos, cos, [](long double x) { return std::cos(x); }, 1e9, 1e15, 0.502},
  };
  return all;
}

double unit(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::ldexp(1.0, std::max(exponent - 53, -1074));
}

class MathTest : public testing::TestWithParam<Function> {};

TEST_P(MathTest, KeepsItsErrorBound) {
  const Function& function = GetParam();
  SplitMix random(42);
  double worst = 0.0;
  double worst_at = 0.0;
  for (int i = 0; i < 50'000; ++i) {
    const double x = function.low + (function.high - function.low) * random.unit();
    const long double expected = function.precise(x);
    const long double error = std::abs(static_cast<long double>(function.scalar(x)) - expected);
    const auto units = static_cast<double>(error / unit(static_cast<double>(expected)));
    if (units > worst) {
      worst = units;
      worst_at = x;
    }
  }
  EXPECT_LT(worst, function.bound) << worst_at;
  EXPECT_GT(worst, 0.4);  // a bound that is never approached tests nothing
}

TEST_P(MathTest, GivesOneResultOnEveryInstructionSet) {
  const Function& function = GetParam();
  SplitMix random(7);
  std::vector<double> x{0.0,  -0.0,  1.0,     -1.0,     infinity, -infinity, nan,
                        tiny, -tiny, DBL_MAX, -DBL_MAX, DBL_MIN,  0.5,       2.0};
  for (int i = 0; i < 2000; ++i) x.push_back(function.low + (function.high - function.low) * random.unit());
  for (int i = 0; i < 2000; ++i) x.push_back(std::bit_cast<double>(random()));
  std::vector<std::uint64_t> expected;
  for (const double value : x) expected.push_back(std::bit_cast<std::uint64_t>(function.scalar(value)));
  for_each_target([&] {
    for (const std::size_t size : std::vector<std::size_t>{1, 2, 3, 5, 8, 13, x.size()}) {
      std::vector<double> out(x.size(), 7.0);
      function.spans(std::span(x).first(size), std::span(out).first(size));
      for (std::size_t i = 0; i < size; ++i) {
        if (std::isnan(out[i]) && std::isnan(std::bit_cast<double>(expected[i]))) continue;
        ASSERT_EQ(std::bit_cast<std::uint64_t>(out[i]), expected[i]) << x[i];
      }
      ASSERT_TRUE(size == out.size() || out[size] == 7.0);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Every, MathTest, testing::ValuesIn(functions()),
                         [](const auto& tested) { return tested.param.name; });

TEST(Math, MeetsItsLimits) {
  for (const Scalar f : {Scalar{log}, Scalar{log2}, Scalar{log10}}) {
    EXPECT_EQ(f(0.0), -infinity);
    EXPECT_EQ(f(-0.0), -infinity);
    EXPECT_EQ(f(infinity), infinity);
    EXPECT_TRUE(std::isnan(f(-1.0)));
    EXPECT_TRUE(std::isnan(f(-infinity)));
    EXPECT_TRUE(std::isnan(f(nan)));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(f(1.0)), 0u);  // +0
  }
  for (const Scalar f : {Scalar{exp}, Scalar{exp10}}) {
    EXPECT_EQ(f(0.0), 1.0);
    EXPECT_EQ(f(-0.0), 1.0);
    EXPECT_EQ(f(infinity), infinity);
    EXPECT_EQ(f(-infinity), 0.0);
    EXPECT_EQ(f(1e4), infinity);
    EXPECT_EQ(f(-1e4), 0.0);
    EXPECT_TRUE(std::isnan(f(nan)));
  }
  for (const Scalar f : {Scalar{sin}, Scalar{cos}}) {
    EXPECT_TRUE(std::isnan(f(infinity)));
    EXPECT_TRUE(std::isnan(f(-infinity)));
    EXPECT_TRUE(std::isnan(f(nan)));
  }
  EXPECT_EQ(cos(0.0), 1.0);
  EXPECT_TRUE(std::signbit(sin(-0.0)));
  EXPECT_EQ(sin(tiny), tiny);
}

TEST(Math, IsExactWhereTheResultIs) {
  for (int k = -1074; k < 1024; ++k) EXPECT_EQ(log2(std::ldexp(1.0, k)), k);
  double power = 1.0;
  for (int k = 0; k <= 22; ++k, power *= 10.0) {
    EXPECT_EQ(exp10(k), power);
    EXPECT_EQ(log10(power), k);
  }
  EXPECT_EQ(exp10(23.0), 1e23);  // midway between two doubles: to the even one
  EXPECT_EQ(pow(3.0, 5.0), 243.0);
  EXPECT_EQ(pow(1.5, 2.0), 2.25);
  EXPECT_EQ(pow(2.0, 0.5), std::sqrt(2.0));
  EXPECT_EQ(pow(10.0, -3.0), 1e-3);
}

TEST(Math, RoundsPowersOfTenCorrectly) {
  // The nearest double to 10^k is what the text 1e<k> reads as.
  for (int k = -323; k <= 308; ++k) {
    const double expected = std::strtod(("1e" + std::to_string(k)).c_str(), nullptr);
    EXPECT_EQ(exp10(k), expected) << k;
    EXPECT_TRUE(k <= -308 || log10(expected) == k) << k;
  }
  EXPECT_EQ(exp10(308.5), infinity);
  EXPECT_EQ(exp10(-324.0), 0.0);
  EXPECT_EQ(from_db(10.0), 10.0);
  EXPECT_EQ(from_db(-30.0), 1e-3);
  EXPECT_EQ(from_db(3.0), 0x1.fec982d5bb8afp+0);
  EXPECT_EQ(from_db(12.0), 0x1.fb2a734897866p+3);
  EXPECT_EQ(from_db(-7.0), 0x1.98a13577c93c0p-3);
  EXPECT_EQ(from_db(25.0), 0x1.3c3a4edfa9759p+8);
  EXPECT_EQ(to_db(100.0), 20.0);
  EXPECT_EQ(to_db(0.5), 10.0 * -0x1.34413509f79ffp-2);
}

TEST(Math, GivesKnownValues) {  // to 80 digits, rounded once
  EXPECT_EQ(log(3.0), 0x1.193ea7aad030bp+0);
  EXPECT_EQ(log2(3.0), 0x1.95c01a39fbd68p+0);
  EXPECT_EQ(log10(3.0), 0x1.e8927964fd5fdp-2);
  EXPECT_EQ(exp(3.0), 0x1.415e5bf6fb106p+4);
}

TEST(Math, CarriesAHundredBitsOfALogarithm) {
  struct Known {
    double x, hi, lo;  // the logarithm to 106 bits
  };
  namespace lane = HWY_NAMESPACE;
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<double, 1> d;
  for (const Known& known : {Known{3.0, 0x1.193ea7aad030bp+0, -0x1.a256f99caabebp-54},
                             Known{0.7, -0x1.6d3c324e13f50p-2, 0x1.641052af5fd8dp-58},
                             Known{1.004, 0x1.059f00cc2f7fcp-8, -0x1.828ef6de74622p-63},
                             Known{0.9999, -0x1.a3738d2cf1cc2p-14, 0x1.3694792ff3a76p-68},
                             Known{1e300, 0x1.5963447f87fb5p+9, 0x1.abccc0710fcd4p-46},
                             Known{5e-324, -0x1.74385446d71c3p+9, -0x1.8e569fa8ee781p-45},
                             Known{1.0 + 0x1p-52, 0x1.fffffffffffffp-53, 0.0}}) {
    const auto pair = lane::log_pair(d, hn::Set(d, known.x));
    const double error = (hn::GetLane(pair.hi) - known.hi) + (hn::GetLane(pair.lo) - known.lo);
    EXPECT_LE(std::abs(error), 0x1p-99 * std::abs(known.hi)) << known.x;
  }
}

TEST(Math, ReducesHardAngles) {
  // The double nearest to a multiple of pi/2 of all, and others that need many digits of pi; values to 80 digits.
  EXPECT_EQ(cos(0x1.6ac5b262ca1ffp+849), -0x1.14ae72e6ba22fp-61);
  EXPECT_EQ(sin(0x1.6ac5b262ca1ffp+849), 1.0);
  EXPECT_EQ(sin(DBL_MAX), 0x1.452fc98b34e97p-8);
  EXPECT_EQ(cos(DBL_MAX), -0x1.fffe62ecfab75p-1);
  EXPECT_EQ(sin(1e22), -0x1.b453ab76bf397p-1);
  EXPECT_EQ(cos(6.02e23), 0x1.7fa6aa98c663ep-2);
  EXPECT_EQ(sin(1e15), 0x1.b76f88136cebap-1);
  EXPECT_EQ(sin(3.141592653589793), 0x1.1a62633145c07p-53);
  // Near multiples of pi below 2^30, where three doubles of pi must do.
  EXPECT_EQ(sin(245850922.0), 0x1.a46e24faa7183p-28);
  EXPECT_EQ(sin(411557987.0), 0x1.5ca4c2eec7d5cp-29);
  EXPECT_EQ(sin(1068966896.0), 0x1.1f25882f7d09cp-30);
  EXPECT_EQ(sin(0x1.921fb54442d18p+29), -0x1.1a62633145c06p-25);
}

TEST(Math, TurnsByAtan2AsCDoes) {
  const double values[] = {0.0, -0.0, 1.0, -1.0, infinity, -infinity, 1e-300, -1e300, 0.3, tiny, DBL_MAX};
  for (const double y : values) {
    for (const double x : values) {
      const double expected = std::atan2(y, x);
      const double got = atan2(y, x);
      EXPECT_LE(std::abs(got - expected), 1.5 * unit(expected)) << y << ' ' << x;
      EXPECT_EQ(std::signbit(got), std::signbit(expected)) << y << ' ' << x;
    }
  }
  SplitMix random(3);
  for (int i = 0; i < 50'000; ++i) {
    const double y = 2.0 * random.unit() - 1.0;
    const double x = 2.0 * random.unit() - 1.0;
    const long double expected = std::atan2(static_cast<long double>(y), static_cast<long double>(x));
    ASSERT_LT(std::abs(static_cast<long double>(atan2(y, x)) - expected), 0.502L * unit(static_cast<double>(expected)));
  }
  EXPECT_TRUE(std::isnan(atan2(nan, 1.0)));
  EXPECT_TRUE(std::isnan(atan2(1.0, nan)));
}

TEST(Math, RaisesToPowersAsCDoes) {
  const double values[] = {0.0,       -0.0, 1.0,   -1.0,   0.5,  -0.5,    2.0,    -2.0,    3.0,     -3.0, infinity,
                           -infinity, nan,  1e300, 1e-300, tiny, 1e9 + 1, 0x1p60, DBL_MAX, -1e-300, 7.25};
  for (const double x : values) {
    for (const double y : values) {
      const double expected = std::pow(x, y);
      const double got = pow(x, y);
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(got)) << x << ' ' << y;
      } else if (std::isinf(expected)) {
        EXPECT_EQ(got, expected) << x << ' ' << y;
      } else {
        EXPECT_LE(std::abs(got - expected), unit(expected)) << x << ' ' << y;
        EXPECT_EQ(std::signbit(got), std::signbit(expected)) << x << ' ' << y;
      }
    }
  }
  SplitMix random(4);
  for (int i = 0; i < 50'000; ++i) {
    const double x = 10.0 * random.unit();
    const double y = 40.0 * random.unit() - 20.0;
    const long double expected = std::pow(static_cast<long double>(x), static_cast<long double>(y));
    ASSERT_LT(std::abs(static_cast<long double>(pow(x, y)) - expected), 0.51L * unit(static_cast<double>(expected)))
        << x << ' ' << y;
  }
}

TEST(Math, MakesPhasorsAndTheirParts) {
  SplitMix random(5);
  std::vector<double> angles(1003);
  for (double& angle : angles) angle = 100.0 * random.unit();
  for_each_target([&] {
    std::vector<Complex> phasors(angles.size());
    unit_phasors(angles, phasors);
    for (std::size_t i = 0; i < angles.size(); ++i) {
      ASSERT_EQ(phasors[i], unit_phasor(angles[i]));
      ASSERT_EQ(phasors[i].real(), static_cast<float>(cos(angles[i])));
      ASSERT_EQ(phasors[i].imag(), static_cast<float>(sin(angles[i])));
    }
  });
  EXPECT_EQ(magnitude({3.0f, -4.0f}), 5.0f);
  EXPECT_EQ(magnitude({3e38f, 0.0f}), 3e38f);
  EXPECT_EQ(magnitude({3e-40f, 0.0f}), 3e-40f);
  EXPECT_EQ(phase({-1.0f, 0.0f}), static_cast<float>(pi));
  EXPECT_EQ(phase({0.0f, -2.0f}), static_cast<float>(-pi / 2));
  EXPECT_EQ(power({3.0f, -4.0f}), 25.0);
  const SinCos both = sincos(0.7);
  EXPECT_EQ(both.sin, sin(0.7));
  EXPECT_EQ(both.cos, cos(0.7));
}

}  // namespace
}  // namespace noema::math
