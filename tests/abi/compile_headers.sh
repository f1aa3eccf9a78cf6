#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles each public C header alone, twice in one file, as strict C99.
#   sh compile_headers.sh COMPILER INCLUDE-FOLDER
set -eu
compiler=$1
cd "$2"
count=0
for header in halyard/*.h halyard/services/*.h; do
  [ -e "$header" ] || continue
  printf '#include "%s"\n#include "%s"\nextern int halyard_is_not_empty;\n' "$header" "$header" |
    "$compiler" -std=c99 -pedantic -Wall -Wextra -Werror -I. -x c -fsyntax-only -
  count=$((count + 1))
done
echo "$count headers compile as C99."
[ "$count" -gt 0 ]
