#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs clang-tidy on every source file of the product; compiles nothing. Left out are the tests,
# since the analyzer needs half a minute for each file of them, and the kernels, since version 14
# does not know the builtins of clang 19 that they use.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build
cmake --preset tidy >build/tidy.log 2>&1 || { cat build/tidy.log >&2; exit 1; }
exec python3 -B tools/tidy.py . build/tidy
