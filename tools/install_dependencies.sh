#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the packages of Debian 12 that Halyard needs and that are missing.
#   sh tools/install_dependencies.sh build|test
# "build" is what the library and the command need; "test" adds what the tests need.
set -eu

build_packages="build-essential g++-12 cmake ninja-build ccache mold pkg-config git clang-19 lld-19 \
glslc libvulkan-dev mesa-vulkan-drivers libboost-json1.81-dev libspdlog-dev libfmt-dev \
libsqlite3-dev libsodium-dev libcli11-dev libexpected-dev libpugixml-dev libzip-dev \
libarchive-dev spirv-tools libseccomp-dev libpq-dev bubblewrap"
test_packages="libgtest-dev libgmock-dev liblzma-dev libdnnl-dev llvm-19 clang-format-14 clang-tidy-14 \
vulkan-validationlayers strace python3 python3-jsonschema spirv-headers \
libclang-rt-19-dev postgresql-15"

case "${1:-build}" in
  build) wanted=$build_packages ;;
  test) wanted="$build_packages $test_packages" ;;
  *)
    echo "Usage: sh tools/install_dependencies.sh build|test" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1; then
  echo "This system has no dpkg, so nothing is installed. Halyard needs what Debian 12 calls:" >&2
  echo "  $wanted" >&2
  exit 0
fi

missing=""
for package in $wanted; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing="$missing $package"
done
if [ -z "$missing" ]; then
  exit 0
fi

install="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" = 0 ]; then
  as_root=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
  as_root="sudo -n"
else
  echo "These packages are missing:$missing" >&2
  echo "Run this line as root, then start again:" >&2
  echo "  apt-get update && $install" >&2
  exit 1
fi

echo "Installing:$missing" >&2
# shellcheck disable=SC2086  # The words of each command are meant to be split.
{
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q >&2 </dev/null
  $as_root env DEBIAN_FRONTEND=noninteractive $install -q >&2 </dev/null
}
