#!/usr/bin/env bash
# Fuzzes every reader for FUZZ_SECONDS (60) each with libFuzzer under the address and undefined-behaviour sanitizers.
# Seeds are the small files below conformance/corpus and files of ours that have the form already; what a run finds stays
# in build/fuzz. `scripts/fuzz.sh yaml_fuzz npz_fuzz` builds and runs these alone.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-60}
cmake --preset fuzz >/dev/null
targets=("$@")
if [ "${#targets[@]}" -eq 0 ]; then
  mapfile -t targets < <(ninja -C build/fuzz -t targets all | sed -n 's/^\([a-z_]*_fuzz\): .*LINKER.*/\1/p' | sort -u)
fi
cmake --build build/fuzz -j "$(nproc)" --target "${targets[@]}"
found=0
for name in "${targets[@]}"; do
  corpus=build/fuzz/corpus/$name
  mkdir -p "$corpus"
  seeds=()
  longest=4096
  [ -d "conformance/corpus/$name" ] && seeds+=("conformance/corpus/$name")
  case $name in
    picture_fuzz) seeds+=(ops/source/fixtures/forms ops/source/fixtures/broken) ;;
    yaml_fuzz) seeds+=(recipes) ;;
    bundle_fuzz) longest=131072 ;;
  esac
  echo "[fuzz] $name for $seconds s"
  "build/fuzz/$name" -max_total_time="$seconds" -rss_limit_mb=3000 -timeout=20 -max_len="$longest" \
    -artifact_prefix="build/fuzz/$name-" -print_final_stats=1 "$corpus" "${seeds[@]}" \
    >"build/fuzz/$name.log" 2>&1 || { echo "[fuzz] $name FOUND SOMETHING: see build/fuzz/$name.log"; found=1; }
  grep -E 'average_exec_per_sec' "build/fuzz/$name.log" || tail -n 1 "build/fuzz/$name.log"
done
exit "$found"
