// Elementary functions with one result on every machine: fixed order of +, -, *, / and sqrt, no fused operations, no
// libm. The span forms give the bits of the scalar forms on every vector instruction set.
//
// Errors in units in the last place of a double: `log`, `exp`, `sin` and `cos` below 0.51 (a subnormal `exp` 0.75),
// `atan2` below 0.51. `log2`, `log10`, `exp10` and `pow` are evaluated with about 100 bits and rounded once: they are
// the nearest double but for arguments whose result is within 2^-40 units of midway between two (no such argument is
// known; `exp10` of whole numbers is always the nearest). Zeros, infinities, NaN, overflow and subnormals are as in C.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <span>

#include "noema/value.h"

namespace noema::math {

inline constexpr double pi = 0x1.921fb54442d18p+1;

double log(double x);  ///< natural logarithm
double log2(double x);
double log10(double x);
double exp(double x);
double exp10(double x);  ///< 10^x
double pow(double x, double y);
double sin(double x);  ///< radians, any finite argument
double cos(double x);
double atan2(double y, double x);
inline double sqrt(double x) { return std::sqrt(x); }  ///< correctly rounded by IEEE 754

struct SinCos {
  double sin;
  double cos;
};
SinCos sincos(double x);

/// 10^(db/10): the quotient in double, then exp10.
inline double from_db(double db) { return exp10(db / 10.0); }
/// 10 log10(ratio), the product rounded once more.
inline double to_db(double ratio) { return 10.0 * log10(ratio); }

/// sqrt(re^2 + im^2) in double, rounded to float32 (never overflows or underflows on the way).
float magnitude(Complex value);
/// Angle in radians, -pi..pi, rounded to float32.
float phase(Complex value);
/// |value|^2 in double; exact but for one rounding.
inline double power(Complex value) {
  const double re = value.real();
  const double im = value.imag();
  return re * re + im * im;
}
/// (cos angle, sin angle), each rounded to float32.
Complex unit_phasor(double angle);

/// out[i] = f(x[i]); the spans have one length and may be the same.
void log(std::span<const double> x, std::span<double> out);
void log2(std::span<const double> x, std::span<double> out);
void log10(std::span<const double> x, std::span<double> out);
void exp(std::span<const double> x, std::span<double> out);
void exp10(std::span<const double> x, std::span<double> out);
void sin(std::span<const double> x, std::span<double> out);
void cos(std::span<const double> x, std::span<double> out);
/// out[i] = (cos angles[i], sin angles[i]) in float32.
void unit_phasors(std::span<const double> angles, std::span<Complex> out);

}  // namespace noema::math
