// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <cstdint>
#include <string>

namespace halyard::object {

// Whether code was made for a feature of the processor being on.
enum class FeatureSetting : std::uint8_t {
  kUnsupported,  // the processor does not have it
  kAny,          // the code runs either way
  kOff,
  kOn,
};

// What the code of an AMDGCN object runs on.
struct AmdgpuTarget {
  std::string processor;              // "gfx942", or "gfx11-generic"
  std::uint32_t generic_version = 0;  // of a generic processor; else 0
  FeatureSetting sramecc = FeatureSetting::kUnsupported;
  FeatureSetting xnack = FeatureSetting::kUnsupported;

  // "gfx942:sramecc+:xnack-"; a feature of any setting is not named.
  std::string id() const;
  // The generation: 6 to 12, 9 for "gfx90a" and "gfx9-4-generic".
  std::uint32_t generation() const;
};

// The target in the flags of an ELF header (e_flags) of code object version 4, 5 or 6.
// Errors: kUnsupported for a processor whose number is not known.
base::Result<AmdgpuTarget> amdgpu_target_of_flags(std::uint32_t flags,
                                                  std::uint32_t code_object_version);

}  // namespace halyard::object
