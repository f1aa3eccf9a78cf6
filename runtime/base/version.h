// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/version.h"

#define HALYARD_TEXT_INNER(value) #value
#define HALYARD_TEXT(value) HALYARD_TEXT_INNER(value)

namespace halyard::base {

// The version of this library as text.
inline constexpr const char* kVersion = HALYARD_TEXT(HALYARD_VERSION_MAJOR) "." HALYARD_TEXT(
    HALYARD_VERSION_MINOR) "." HALYARD_TEXT(HALYARD_VERSION_PATCH);

}  // namespace halyard::base

#undef HALYARD_TEXT
#undef HALYARD_TEXT_INNER
