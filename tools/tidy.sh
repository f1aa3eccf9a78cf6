#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs clang-tidy on every source file that the build compiles, and links nothing.
set -eu
cd "$(dirname "$0")/.."
cmake --preset tidy -DHALYARD_BUILD_TESTS=ON -DHALYARD_BUILD_TOOLS=ON >/dev/null
objects=$(ninja -C build/tidy -t targets all | sed -n 's/^\(.*\.o\): CXX_COMPILER.*/\1/p')
[ -n "$objects" ] || { echo "No source file was found." >&2; exit 1; }
# shellcheck disable=SC2086  # One word for each object.
ninja -C build/tidy -k 0 -j "$(nproc)" $objects
