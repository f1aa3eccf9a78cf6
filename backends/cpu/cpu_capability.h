// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/core/capability.h"
#include "runtime/core/device.h"

#include <cstddef>

namespace halyard::cpu {

struct CpuDescription {
  core::DeviceInfo info;
  core::CapabilitySet capabilities;
};

// What this processor and system offer, for a device that uses `cpu_count` CPUs. UNSUPPORTED where
// it is no x86-64, or one older than x86-64-v2.
base::Result<CpuDescription> describe_cpu(std::size_t cpu_count);

}  // namespace halyard::cpu
