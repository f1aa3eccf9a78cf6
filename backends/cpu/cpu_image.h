// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace halyard::cpu {

// Checks that `code` is a whole x86-64 ELF shared object that needs no other library and runs
// nothing when it is loaded, so that the dynamic loader neither faults nor reaches further.
// CORRUPT_DATA names the kernel and what is wrong.
base::Status check_image(std::string_view name, std::span<const std::byte> code);

}  // namespace halyard::cpu
