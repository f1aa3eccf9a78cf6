// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/device.h"

#include <utility>

namespace halyard::core {

Device::Device(DeviceInfo info, CapabilitySet capabilities)
    : info_(std::move(info)),
      capabilities_(std::move(capabilities)) {}

Device::~Device() = default;

void Device::merge_descriptor(const descriptors::Descriptor& descriptor) {
  auto merged = descriptors::merge_capabilities(capabilities_, descriptor.capabilities);
  capabilities_ = std::move(merged.capabilities);
  disagreements_ = std::move(merged.disagreements);
  descriptor_id_ = descriptor.id;
}

}  // namespace halyard::core
