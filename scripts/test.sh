#!/usr/bin/env bash
# Runs every test that this machine can run, in the tree that `make build` made, and ends with the runner's own summary.
# What was skipped is listed with its reason before that. Arguments go to ctest, such as -R NAME or -L statistical.
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/release
log=$build/test.log

show=(--quiet)
[ -t 1 ] && show=(--progress)
echo "[test] running $(ctest --test-dir "$build" -N "$@" | sed -n 's/^Total Tests: //p') tests on $(nproc) cores"
status=0
ctest --test-dir "$build" --output-on-failure -j "$(nproc)" --output-log "$log" "${show[@]}" "$@" || status=$?

if [ "$status" -ne 0 ]; then
  # Failures with their output; passed tests are left out.
  grep -vE '(Start +[0-9]+:|Passed +[0-9.]+ sec|^ *$)' "$log" || true
  exit "$status"
fi
# A test says why it was skipped on the line after its place; ctest keeps the output of every test.
reasons=$(awk '/: Skipped$/ { getline reason; sub(/^ +/, "", reason); print reason }' \
  "$build/Testing/Temporary/LastTest.log" | sort | uniq -c | sort -rn)
if [ -n "$reasons" ]; then
  echo "[test] skipped, with reasons:"
  printf '%s\n' "$reasons"
fi
sed -n '/% tests passed/,$p' "$log" | grep -vE '\((Skipped|Disabled)\)$|^The following tests did not run|^ *$'
