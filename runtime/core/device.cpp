// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/device.h"

#include <utility>

namespace halyard::core {

Device::Device(DeviceInfo info, CapabilitySet capabilities)
    : info_(std::move(info)),
      capabilities_(std::move(capabilities)) {}

Device::~Device() = default;

}  // namespace halyard::core
