#!/usr/bin/env python3
# Writes ops/common/media/unicode_tables.cpp from the Unicode data of the Python that runs it (its version is recorded).
# SPDX-License-Identifier: Apache-2.0
"""A code point belongs to a word when it is a letter, a decimal digit, has a digit or numeric value, or is `_`.
Lower case is the simple mapping: one code point to one code point."""
import sys
import unicodedata

LAST = 0x10FFFF


def is_word(point):
    text = chr(point)
    return text.isalnum() or text == "_"


def simple_lower(point):
    lowered = chr(point).lower()
    if len(lowered) == 1:
        return ord(lowered)
    # U+0130 alone has a longer full mapping; its simple one is the plain letter.
    assert point == 0x130, hex(point)
    return 0x69


def word_ranges():
    ranges = []
    for point in range(LAST + 1):
        if not is_word(point):
            continue
        if ranges and ranges[-1][1] == point - 1:
            ranges[-1][1] = point
        else:
            ranges.append([point, point])
    return ranges


def lower_runs():
    """[first, last, step, delta]: every step-th code point from first to last moves by delta."""
    moved = [(p, simple_lower(p) - p) for p in range(LAST + 1) if simple_lower(p) != p]
    runs = []
    for point, delta in moved:
        run = runs[-1] if runs else None
        if run and run[3] == delta and point - run[1] in (1, 2) and (run[0] == run[1] or point - run[1] == run[2]):
            run[2] = point - run[1]
            run[1] = point
        else:
            runs.append([point, point, 1, delta])
    return runs


def rows(items, per_line):
    lines = []
    for start in range(0, len(items), per_line):
        lines.append("    " + " ".join(items[start:start + per_line]))
    return "\n".join(lines)


def main():
    words = ["{0x%04X, 0x%04X}," % tuple(r) for r in word_ranges()]
    lowers = ["{0x%04X, 0x%04X, %d, %d}," % tuple(r) for r in lower_runs()]
    print(f"""// Unicode {unicodedata.unidata_version}: code points of words, and their lower case. Written by scripts/unicode_tables.py.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/unicode_tables.h"

namespace noema::media {{

const std::string_view unicode_version = "{unicodedata.unidata_version}";

// clang-format off
const std::array<CodePointRange, word_range_count> word_ranges{{{{
{rows(words, 5)}
}}}};

const std::array<LowerRun, lower_run_count> lower_runs{{{{
{rows(lowers, 4)}
}}}};
// clang-format on

}}  // namespace noema::media""")
    print(len(words), len(lowers), file=sys.stderr)


main()
