// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <halyard/halyard.hpp>
#include <string>

int main() {
  const std::string headers = std::to_string(HALYARD_VERSION_MAJOR) + "." +
                              std::to_string(HALYARD_VERSION_MINOR) + "." +
                              std::to_string(HALYARD_VERSION_PATCH);
  if (headers != halyard_version()) {
    std::fprintf(stderr, "The headers are of %s, the library of %s.\n", headers.c_str(),
                 halyard_version());
    return 1;
  }
  return 0;
}
