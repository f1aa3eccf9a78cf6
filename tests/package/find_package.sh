#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds README's example through find_package and runs it.
#   sh find_package.sh PREFIX LIBDIR SOURCE-ROOT BUILD-FOLDER C-COMPILER
set -eu
rm -rf "$4"
cmake -S "$3/tests/package/consumer" -B "$4" -G Ninja -DCMAKE_PREFIX_PATH="$1" \
  -DCMAKE_C_COMPILER="$5" -DEXAMPLE="$3/samples/rms_norm/rms_norm.c"
cmake --build "$4"
"$4/example" | grep "^0.365"
"$4/wrapper_example"
