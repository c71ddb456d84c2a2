#!/usr/bin/env bash
# Runs every test that this machine can run, in the tree that `make build` made, and ends with the runner's summary.
# What was skipped is listed with its reason before that.
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/release
log=$(mktemp)
trap 'rm -f "$log"' EXIT

status=0
ctest --test-dir "$build" --output-on-failure -j "$(nproc)" --output-log "$log" "$@" >/dev/null 2>&1 || status=$?

# The reasons stand in the tests' own output, which ctest keeps for every test.
reasons=$(grep -hE -A1 'Skipped$' "$build/Testing/Temporary/LastTest.log" 2>/dev/null | grep -vE 'Skipped$|^--' | sed 's/^ *//' | sort | uniq -c | sort -rn || true)
if [ -n "$reasons" ]; then
  echo "Skipped, with reasons:"
  printf '%s\n' "$reasons"
fi
if [ "$status" -ne 0 ]; then
  cat "$log"
else
  tail -n 6 "$log"
fi
exit "$status"
