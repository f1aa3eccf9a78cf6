// SPDX-License-Identifier: Apache-2.0
#include "halyard/version.h"

#include "runtime/base/version.h"

extern "C" const char* halyard_version(void) {
  return halyard::base::kVersion;
}
