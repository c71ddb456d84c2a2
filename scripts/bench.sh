#!/usr/bin/env bash
# Builds the benchmarks, runs them, and prints figures with ratios taken in the same run. BENCH_FILTER narrows the
# kernel benchmarks; BENCH_BITS sets the length of the chain (1e8).
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset bench >/dev/null
cmake --build build/bench -j "$(nproc)"
grep -m1 'model name' /proc/cpuinfo || true
echo "cores: $(nproc)"
for bench in build/bench/*_bench; do
  echo "== $(basename "$bench")"
  "$bench" --benchmark_filter="${BENCH_FILTER:-.}" --benchmark_min_time=0.1 2>/dev/null
done
echo "== whole program against NumPy"
python=python3
"$python" -c 'import numpy' 2>/dev/null || python=/usr/bin/python3  # Debian's NumPy belongs to Debian's Python
"$python" bench/chain.py build/bench/noema --bits "${BENCH_BITS:-1e8}"
