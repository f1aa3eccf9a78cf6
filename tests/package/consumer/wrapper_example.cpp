// SPDX-License-Identifier: Apache-2.0
#include <halyard/halyard.hpp>

#include <cstdio>

int main() {
  std::printf("Halyard %s\n", HALYARD_VERSION_STRING);
  return 0;
}
