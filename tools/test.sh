#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds, and runs the tests. The last line says how many passed.
#   sh tools/test.sh [--all] [--fuzz] [--tidy] [--long] [--device ID]
# --all     runs in the optimised build with the heavier tests, and adds the sanitizers and the
#           fuzzers of what anybody may send, a minute each
# --fuzz    adds all fuzzers
# --tidy    adds clang-tidy
# --long    adds the tests labelled "long"
# --device  fails when no test ran on device ID
set -eu

all=no
fuzz=""
tidy=no
long=no
while [ $# -gt 0 ]; do
  case "$1" in
    --all)
      all=yes
      [ -n "$fuzz" ] || fuzz="--seed 1 amd_isa_xml code_object descriptor_json vulkan_report"
      ;;
    --fuzz) fuzz=all ;;
    --tidy) tidy=yes ;;
    --long) long=yes ;;
    --device)
      [ $# -ge 2 ] || { echo "--device needs the id of a device." >&2; exit 2; }
      HALYARD_TEST_DEVICE=$2
      export HALYARD_TEST_DEVICE
      shift
      ;;
    *)
      sed -n 's/^# \{0,1\}//; 3,10p' "$0" >&2
      exit 2
      ;;
  esac
  shift
done

cd "$(dirname "$0")/.."
if [ -n "${HALYARD_TEST_DATA:-}" ]; then
  HALYARD_TEST_DATA=$(cd "$HALYARD_TEST_DATA" && pwd) || exit 1
  export HALYARD_TEST_DATA
fi
jobs=$(nproc)
results=build/test-results
rm -rf "$results"
mkdir -p "$results"

passed=0
failed=0
skipped=0
started=0
timings=""

now() { date +%s; }

start_group() {
  started=$(now)
  echo "==> $1"
}

end_group() {
  timings="$timings
  $1: $(($(now) - started)) s"
}

# A group that does not get as far as its tests counts as one failure.
count_failure() {
  echo "==> FAILED: $1" >&2
  failed=$((failed + 1))
}

configure() {
  cmake --preset "$1" -DHALYARD_BUILD_TESTS=ON -DHALYARD_BUILD_TOOLS=ON \
    >"$results/configure-$1.log" 2>&1 || { cat "$results/configure-$1.log" >&2; return 1; }
}

# The bundled kernels are the same in each build, so those of another build are taken.
build() {
  preset=$1
  shift
  for data in build/*/lib/halyard; do
    if [ -e "$data" ] && [ ! -e "build/$preset/lib/halyard" ]; then
      mkdir -p "build/$preset/lib"
      cp -a "$data" "build/$preset/lib/halyard"
    fi
  done
  cmake --build --preset "$preset" --parallel "$jobs" "$@" >"$results/build-$preset.log" 2>&1 ||
    { grep -v '^\[[0-9]*/[0-9]*\] ' "$results/build-$preset.log" >&2; return 1; }
}

attribute() { sed -n "s/.*[[:space:]]$2=\"\([0-9]*\)\".*/\1/p" "$1" | head -n 1; }

# run_tests GROUP PRESET CTEST-ARGUMENT...: adds the counts of one run of CTest.
run_tests() {
  group=$1
  preset=$2
  shift 2
  report=$PWD/$results/$group.xml
  status=0
  ctest --preset "$preset" --parallel "$jobs" --output-junit "$report" "$@" \
    >"$results/$group.log" 2>&1 || status=$?
  sed -n '/tests passed/p; /^The following tests/,/^$/p' "$results/$group.log"
  if [ ! -s "$report" ]; then
    tail -n 20 "$results/$group.log" >&2
    count_failure "$group: no test ran"
    return
  fi
  total=$(attribute "$report" tests)
  bad=$(attribute "$report" failures)
  out=$(attribute "$report" skipped)
  off=$(attribute "$report" disabled)
  [ "$total" -gt 0 ] || count_failure "$group: no test ran"
  passed=$((passed + total - bad - out - off))
  failed=$((failed + bad))
  skipped=$((skipped + out + off))
  [ "$status" = 0 ] || [ "$bad" -gt 0 ] || count_failure "$group: ctest ended with $status"
  if [ "$bad" -gt 0 ]; then
    sed '/ Passed /d; /^ *Start /d' "$results/$group.log" >&2
  fi
  # What a test left out, and why a test was skipped.
  log=build/$preset/Testing/Temporary/LastTest.log
  sed -n 's/^\[ LEFT OUT \] /  left out: /p; /: Skipped$/{n; s/^/  skipped: /p;}' "$log" |
    sort -u
}

# group NAME PRESET CTEST-ARGUMENT...: configures, builds and tests.
group() {
  start_group "$1"
  name=$1
  preset=$2
  shift 2
  if configure "$preset" && build "$preset"; then
    run_tests "$name" "$preset" "$@"
  else
    count_failure "$name: the build failed"
  fi
  end_group "$name"
}

long_label=long
[ "$long" = no ] || long_label=none

start_group packages
sh tools/install_dependencies.sh test
end_group packages

if [ "$all" = no ]; then
  group dev dev -LE "heavy|$long_label"
else
  # The fast set runs in the optimised build and under the sanitizers, so dev adds nothing.
  group release release -LE "$long_label"
  group asan asan -LE "heavy|source|package|worker|$long_label"

  start_group tsan
  # Only the executables that hold tests of concurrency are built.
  if configure tsan && build tsan --target concurrency_tests; then
    run_tests tsan tsan -LE "heavy|$long_label"
  else
    count_failure "tsan: the build failed"
  fi
  end_group tsan
fi

if [ -n "$fuzz" ]; then
  start_group fuzz
  [ "$fuzz" != all ] || fuzz=""
  # shellcheck disable=SC2086  # Each word is an argument; none stands for all targets.
  if sh tools/fuzz.sh $fuzz; then
    passed=$((passed + 1))
  else
    count_failure "fuzz: it does not build, or a reader of foreign files crashed"
  fi
  end_group fuzz
fi

if [ "$tidy" = yes ]; then
  start_group tidy
  if sh tools/tidy.sh; then
    passed=$((passed + 1))
  else
    count_failure "tidy: clang-tidy found something"
  fi
  end_group tidy
fi

echo "==> Time of each group$timings"
if [ "$passed" = 0 ]; then
  echo "No test ran." >&2
  failed=$((failed + 1))
fi
if [ "$skipped" -gt 0 ]; then
  echo "$passed passed, $failed failed, $skipped skipped"
else
  echo "$passed passed, $failed failed"
fi
[ "$failed" = 0 ]
