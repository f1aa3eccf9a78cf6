#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs a build into an empty folder.
#   sh install.sh CMAKE BUILD-FOLDER PREFIX
set -eu
rm -rf "$3"
"$1" --install "$2" --prefix "$3"
"$3/bin/halyard" version
"$3/bin/halyard" descriptor query amd/gfx942 lds.bytes_per_workgroup | grep -x 65536
