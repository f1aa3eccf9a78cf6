// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/bundle.h"
#include "runtime/base/result.h"

#include <string_view>
#include <vector>

namespace halyard::toolchain {

// What the kernels of an AMDGCN code object, which may be any bytes, occupy, in the order of their
// names. Errors: those of object::parse_amdgpu_object; kCorruptData for an object without metadata.
base::Result<std::vector<store::EntryResources>> resource_use(std::string_view code_object,
                                                              std::string_view source_name);

}  // namespace halyard::toolchain
