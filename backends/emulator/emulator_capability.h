// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/emulated_target.h"
#include "runtime/core/capability.h"
#include "runtime/core/device.h"

#include <cstdint>
#include <optional>
#include <string>

namespace halyard::emulator {

// What of this machine's processor the interpreter is compiled for.
struct HostFeatures {
  bool avx2 = false;
  bool fma = false;
  bool f16c = false;
};

HostFeatures host_features();

// Why there are no devices, one sentence; nothing where all is there.
std::optional<std::string> missing_features(const HostFeatures& features);

// What a device of `target` is called. `tables` is the fingerprint of its instruction tables: with
// the version of the interpreter it says what an execution rests on.
core::DeviceInfo describe_device(const EmulatedTarget& target, const std::string& tables);

// What the interpreter gives by itself; the rest is the target's descriptor. `threads` execute
// workgroups at once.
core::CapabilitySet emulator_capabilities(const EmulatedTarget& target, std::uint32_t threads);

}  // namespace halyard::emulator
