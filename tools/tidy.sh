#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs clang-tidy on every source file of the product; compiles nothing. Tests are left out: the
# analyzer needs half a minute for each file of them.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build
cmake --preset tidy >build/tidy.log 2>&1 || { cat build/tidy.log >&2; exit 1; }
exec python3 -B tools/tidy.py . build/tidy
