#!/usr/bin/env bash
# Fuzzes every reader for FUZZ_SECONDS (60) each with libFuzzer under the address and undefined-behaviour sanitizers.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-60}
cmake --preset fuzz >/dev/null
cmake --build build/fuzz -j "$(nproc)"
corpus=build/fuzz/corpus
found=0
for fuzzer in build/fuzz/*_fuzz; do
  name=$(basename "$fuzzer")
  mkdir -p "$corpus/$name"
  echo "[fuzz] $name for $seconds s"
  "$fuzzer" -max_total_time="$seconds" -rss_limit_mb=3000 -timeout=20 -artifact_prefix="build/fuzz/$name-" -print_final_stats=0 "$corpus/$name" \
    >"build/fuzz/$name.log" 2>&1 || { echo "[fuzz] $name FOUND SOMETHING: see build/fuzz/$name.log"; found=1; }
  tail -n 1 "build/fuzz/$name.log"
done
exit "$found"
