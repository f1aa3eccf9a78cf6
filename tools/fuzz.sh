#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Feeds the readers of foreign files with what libFuzzer makes up, a minute for each target. The
# last lines say what each did; a crash prints the command that reproduces it.
#   sh tools/fuzz.sh [--long] [--seed N] [TARGET...]
# --long  an hour for each target, from the files of HALYARD_TEST_DATA too
# --seed  starts from this number and not from the clock, so that what one run passes the next does
set -eu

seconds=60
long=no
seed=0
while :; do
  case "${1:-}" in
    --long)
      seconds=3600
      long=yes
      ;;
    --seed)
      [ $# -ge 2 ] || { echo "--seed needs a number." >&2; exit 2; }
      seed=$2
      shift
      ;;
    -*)
      sed -n 's/^# \{0,1\}//; 3,7p' "$0" >&2
      exit 2
      ;;
    *) break ;;
  esac
  shift
done

cd "$(dirname "$0")/.."
fixtures=tests/unit/capability-descriptors
folder=build/fuzz/run
if [ $# = 0 ]; then
  for source in tests/fuzz/*_fuzz.cpp; do
    set -- "$@" "$(basename "$source" _fuzz.cpp)"
  done
fi
for target in "$@"; do
  [ -e "tests/fuzz/${target}_fuzz.cpp" ] ||
    { echo "There is no fuzz target \"$target\" in tests/fuzz." >&2; exit 2; }
done

mkdir -p "$folder/crashes"
cmake --preset fuzz -DHALYARD_BUILD_TESTS=ON -DHALYARD_BUILD_TOOLS=ON \
  >"$folder/configure.log" 2>&1 ||
  { cat "$folder/configure.log" >&2; exit 1; }
# shellcheck disable=SC2046  # Each word is a target.
cmake --build --preset fuzz --target $(printf 'halyard_fuzz_%s ' "$@") --parallel "$(nproc)" \
  >"$folder/build.log" 2>&1 || { grep -v '^\[' "$folder/build.log" >&2; exit 1; }

# Where libFuzzer starts: what was found before, which grows, then what is only read.
inputs() {
  mkdir -p "$folder/found/$1"
  echo "$folder/found/$1 tests/fuzz/corpus/$1"
  case "$1" in
    amd_isa_xml) echo "$fixtures/isa/fixtures" ;;
    descriptor_json) echo "$fixtures/fixtures/shipped/acme" ;;
    vulkan_report)
      echo "$fixtures/fixtures/vulkan"
      [ "$long" = no ] || [ -z "${HALYARD_TEST_DATA:-}" ] ||
        echo "$HALYARD_TEST_DATA/vulkan-reports"
      ;;
  esac
}

fuzz() {
  # shellcheck disable=SC2046  # Each word is a folder.
  "build/fuzz/bin/halyard_fuzz_$1" -max_total_time="$seconds" -seed="$seed" -timeout=25 -rss_limit_mb=2560 \
    -print_final_stats=1 -artifact_prefix="$folder/crashes/$1-" $(inputs "$1") \
    >"$folder/$1.log" 2>&1
}

# The last line that says what became of a target.
report() {
  log=$folder/$1.log
  count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  if [ "$2" = 0 ]; then
    echo "  $1: ${count:-0} inputs, no crash"
    return 0
  fi
  grep -aE '^(SUMMARY|==[0-9]+==ERROR|ERROR)' "$log" | head -n 3 >&2
  input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
  echo "  $1: CRASHED after ${count:-0} inputs; the log is $log" >&2
  [ -z "$input" ] || echo "  reproduce: build/fuzz/bin/halyard_fuzz_$1 $input" >&2
  return 1
}

# As many at a time as there are cores; all take equally long.
failed=0
while [ $# -gt 0 ]; do
  running=""
  for _ in $(seq "$(nproc)"); do
    [ $# -gt 0 ] || break
    fuzz "$1" &
    running="$running $1:$!"
    shift
  done
  for entry in $running; do
    status=0
    wait "${entry#*:}" || status=$?
    report "${entry%%:*}" "$status" || failed=1
  done
done
exit "$failed"
