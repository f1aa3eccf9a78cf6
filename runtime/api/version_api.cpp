// SPDX-License-Identifier: Apache-2.0
#include "halyard/version.h"

#define HALYARD_TEXT_INNER(value) #value
#define HALYARD_TEXT(value) HALYARD_TEXT_INNER(value)

extern "C" const char* halyard_version(void) {
  return HALYARD_TEXT(HALYARD_VERSION_MAJOR) "." HALYARD_TEXT(
      HALYARD_VERSION_MINOR) "." HALYARD_TEXT(HALYARD_VERSION_PATCH);
}
