#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs clang-tidy on every source file of the product; compiles nothing. Tests are left out: the
# analyzer needs half a minute for each file of them.
set -eu
cd "$(dirname "$0")/.."
root=$(pwd)
mkdir -p build
log=build/tidy.log
cmake --preset tidy >"$log"

status=0
run-clang-tidy-14 -p build/tidy -quiet -j "$(nproc)" \
  "^$root/(runtime|backends|kernel-store|capability-descriptors|tools|samples)/.*\.cpp$" \
  >"$log" 2>&1 || status=$?
count=$(grep -c '^clang-tidy' "$log" || true)
[ "$count" -gt 0 ] || { cat "$log" >&2; echo "No source file was found." >&2; exit 1; }
if [ "$status" != 0 ]; then
  grep -v '^clang-tidy\|warnings\{0,1\} generated\|^[0-9]* warnings\|^Suppressed' "$log" >&2
fi
echo "clang-tidy has read $count files."
exit "$status"
