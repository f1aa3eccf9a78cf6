#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds README's example through pkg-config and runs it.
#   sh pkg_config.sh PREFIX LIBDIR SOURCE-ROOT BUILD-FOLDER C-COMPILER
set -eu
PKG_CONFIG_PATH="$1/$2/pkgconfig"
export PKG_CONFIG_PATH
mkdir -p "$4"
# The flags are words of their own.
# shellcheck disable=SC2046
"$5" -std=c99 -pedantic -Wall -Wextra -Werror "$3/samples/rms_norm/rms_norm.c" -o "$4/example" \
  $(pkg-config --cflags --libs halyard)
pkg-config --exists halyard_services
LD_LIBRARY_PATH="$1/$2" "$4/example" | grep "^0.365"
