#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds Halyard, and shows what it does on this machine.
#   sh tools/quickstart.sh
set -eu
cd "$(dirname "$0")/.."

suite=llama-3.1-8b-decode
halyard=build/release/bin/halyard

now() { date +%s; }

heading() { printf '\n== %s\n' "$1"; }

install_and_build() {
  sh tools/install_dependencies.sh build
  mkdir -p build
  log=build/quickstart.log
  echo "Building; the log is $log."
  {
    cmake --preset release -DHALYARD_BUILD_TESTS=OFF -DHALYARD_BUILD_TOOLS=ON
    cmake --build --preset release --parallel "$(nproc)"
  } >"$log" 2>&1 || {
    tail -n 40 "$log" >&2
    echo "The build failed; the whole log is $log." >&2
    exit 1
  }
}

step_1() {
  heading "1. What is here"
  "$halyard" doctor --brief
}

# Those that do the work: what an interpreter takes says nothing of a device.
device_ids() {
  "$halyard" devices --json | tr ',{' '\n\n' | sed -n 's/^ *"id" *: *"\([^"]*\)".*$/\1/p' |
    grep -v '^emulator:'
}

step_2() {
  heading "2. It runs: one decode step of a Llama-3.1-8B layer on each device"
  devices=$(device_ids)
  [ -n "$devices" ] || { echo "No device was found; halyard doctor says why." >&2; return 1; }
  for device in $devices; do
    for batch in 1 16; do
      "$halyard" measure "$suite" --device "$device" --axis "batch=$batch" \
        --prices samples/prices.json
    done
  done
}

step_3() {
  heading "3. AMD without an AMD GPU: a kernel in assembly, and its twin without one wait"
  "$halyard" run rms_norm --device emulator:gfx1100 --kernel rms_norm_gfx1100_amdgcn \
    --axis batch=4 --axis hidden=4096 --type T=bf16 --check
  echo
  diff kernel-store/kernels/rms_norm/rms_norm_gfx1100_amdgcn/rms_norm_gfx1100.s \
    samples/missing_wait/rms_norm_gfx1100.s || true
  echo
  status=0
  "$halyard" verify samples/missing_wait --device emulator:gfx1100 || status=$?
  # 1 is the verdict that the package deserves.
  [ "$status" = 1 ]
}

step_4() {
  heading "4. Nobody cheats: a kernel that looks right"
  status=0
  "$halyard" verify samples/looks_right --device cpu:0 --no-timing || status=$?
  # 1 is the verdict that the package deserves.
  [ "$status" = 1 ]
}

what_next() {
  heading "What to try next"
  cat <<TEXT
  $halyard explain gemm --device cpu:0 --axis M=1 --axis N=6144 --axis K=4096
  $halyard run rms_norm --device cpu:0 --axis batch=16 --axis hidden=4096 --type T=bf16 --check
  $halyard contracts show attention_decode_paged
  $halyard explain gemm --device emulator:gfx942 --axis M=1 --axis N=6144 --axis K=4096
  $halyard verify DIR            a verdict on a kernel package of yours, or of a model
  \$EDITOR samples/prices.json    the prices above are examples; put yours there
  sh tools/test.sh               all tests of the fast set
TEXT
}

start=$(now)
install_and_build
built=$(now)
step_1
step_2
step_3
step_4
shown=$(now)
what_next
printf '\nInstall and build took %s s, the steps took %s s.\n' "$((built - start))" "$((shown - built))"
