# Writes src/kernels/math_tables.h: the constants and tables of kernels/math.h, computed to 80 digits.
# SPDX-License-Identifier: Apache-2.0
"""Usage: python3 scripts/math_tables.py > src/kernels/math_tables.h (needs nothing but Python)."""

from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 420
D = Decimal


def arctan_inverse(n):
    """arctan(1/n)."""
    total, power, k = D(0), D(1) / n, 0
    while abs(power) > D(10) ** -415:
        total += power / (2 * k + 1) if k % 2 == 0 else -power / (2 * k + 1)
        power /= n * n
        k += 1
    return total


PI = 4 * (4 * arctan_inverse(5) - arctan_inverse(239))
LN2 = D(2).ln()
LN10 = D(10).ln()


def sine(x):
    total, term, k = D(0), x, 1
    while abs(term) > D(10) ** -120:
        total += term
        term *= -x * x / ((k + 1) * (k + 2))
        k += 2
    return total


def arctan(x):
    if x == 0:
        return D(0)
    if x > D("0.2"):  # halve the angle first
        return 2 * arctan(x / (1 + (1 + x * x).sqrt()))
    total, power, k = D(0), x, 0
    while abs(power) > D(10) ** -120:
        total += power / (2 * k + 1) if k % 2 == 0 else -power / (2 * k + 1)
        power *= x * x
        k += 1
    return total


def nearest(x):
    """x rounded once to double."""
    return float(Fraction(x))


def on_grid(x, bits):
    """x rounded to a multiple of 2^-bits."""
    return D(round(Fraction(x) * 2**bits)) / D(2) ** bits


def parts(x, *grids):
    """x as a sum of doubles: one a grid, and the rest rounded."""
    found = []
    for bits in grids:
        part = on_grid(x, bits)
        found.append(part)
        x -= part
    return [nearest(part) for part in found] + [nearest(x)]


def pair(x):
    high = nearest(x)
    return high, nearest(x - D(high))


def triple(x):
    high, low = pair(x)
    return high, low, nearest(x - D(high) - D(low))


def constant(name, value, note=""):
    print(f"inline constexpr double {name} = {value.hex()};" + (f"  // {note}" if note else ""))


def table(name, values, note):
    print(f"\n/// {note}")
    print(f"alignas(64) inline constexpr double {name}[{len(values)}] = {{")
    for i in range(0, len(values), 4):
        print("    " + " ".join(v.hex() + "," for v in values[i : i + 4]))
    print("};")


print("// Constants and tables of kernels/math.h; written by scripts/math_tables.py, not by hand.")
print("// SPDX-License-Identifier: Apache-2.0")
print("#pragma once\n\n#include <cstdint>\n\n// clang-format off\nnamespace noema::math::tables {\n")

a, b, c = parts(LN2, 42, 84)
constant("ln2_1", a, "ln 2 in multiples of 2^-42")
constant("ln2_2", b, "then of 2^-84")
constant("ln2_3", c, "and the rest")
constant("ln2_tail", nearest(LN2 - D(a)), "ln 2 - ln2_1")
a, b, c = parts(LN2 / 128, 42, 77)
constant("ln2_128_1", a, "(ln 2)/128 in multiples of 2^-42")
constant("ln2_128_2", b, "then of 2^-77")
constant("ln2_128_3", c, "and the rest")
constant("ln2_128_tail", nearest(LN2 / 128 - D(a)), "(ln 2)/128 - ln2_128_1")
constant("per_ln2_128", nearest(128 / LN2))
for name, value in [("ln10", LN10), ("pi_64", PI / 64)]:
    for i, part in enumerate(triple(value)):
        constant(f"{name}_{i + 1}", part)
for name, value in [
    ("per_ln2", 1 / LN2), ("per_ln10", 1 / LN10), ("third", D(1) / 3), ("fifth", D(1) / 5), ("sixth", D(1) / 6),
    ("seventh", D(1) / 7), ("per_24", D(1) / 24), ("per_120", D(1) / 120), ("half_pi", PI / 2), ("whole_pi", PI),
]:
    for suffix, part in zip(("hi", "lo"), pair(value)):
        constant(f"{name}_{suffix}", part)
constant("per_pi_64", nearest(64 / PI))

# Interval i of the logarithm covers arguments whose bits, less those of 0.6875, have i as their 7 leading mantissa bits.
inverses, logs = [], []
for i in range(128):
    low = 0x3FE6000000000000 + (i << 45)
    high = low + (1 << 45)
    ends = []
    for bits in (low, high):
        exponent = (bits >> 52) - 1023
        ends.append((D(1) + D(bits & ((1 << 52) - 1)) / D(2) ** 52) * D(2) ** exponent)
    if ends[0] == 1 or ends[1] == 1:
        inverse = D(1)
    else:
        inverse = on_grid(2 / (ends[0] + ends[1]), 10)
    assert all(abs(end * inverse - 1) < D(2) ** -7 + D(2) ** -40 for end in ends)
    inverses.append(float(inverse))
    logs.append(parts(-inverse.ln(), 42, 84))
table("log_inverse", inverses, "A short number near the reciprocal of interval i of the logarithm; 1 on both sides of 1.")
table("log_1", [v[0] for v in logs], "Minus its logarithm in multiples of 2^-42,")
table("log_2", [v[1] for v in logs], "then of 2^-84,")
table("log_3", [v[2] for v in logs], "and the rest.")
table("log_tail", [nearest(-D(v).ln() - D(l[0])) for v, l in zip(inverses, logs)], "Minus its logarithm less log_1.")

powers = [pair((LN2 * i / 128).exp()) for i in range(128)]
table("exp2_hi", [v[0] for v in powers], "2^(i/128)")
table("exp2_lo", [v[1] for v in powers], "and what rounding left.")

sines = []
for i in range(128):
    j = i if i < 64 else i - 64  # exact zeros at 0 and pi
    j = 64 - j if j > 32 else j
    value = sine(PI * j / 64)
    sines.append(pair(value if i < 64 else -value))
table("sin_hi", [v[0] for v in sines], "sin(i pi/64)")
table("sin_lo", [v[1] for v in sines], "and what rounding left.")

arcs = [pair(arctan(D(i) / 64)) for i in range(65)]
table("atan_hi", [v[0] for v in arcs], "arctan(i/64)")
table("atan_lo", [v[1] for v in arcs], "and what rounding left.")

words = 22
bits = int(Fraction(1 / PI) * 2 ** (64 * words))
print("\n/// 1/pi in binary: word 0 is zero, word 1 holds the first 64 bits after the point.")
print(f"inline constexpr std::uint64_t per_pi[{words + 1}] = {{\n    0x0u,")
for i in range(words):
    print(f"    0x{bits >> (64 * (words - 1 - i)) & (2**64 - 1):016X}u,")
print("};\n\n}  // namespace noema::math::tables")
