// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/device.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <utility>

namespace halyard::core {
namespace {

bool takes_only_spirv(const DeviceInfo& info) {
  return !info.targets.empty() &&
         std::all_of(info.targets.begin(), info.targets.end(),
                     [](const std::string& target) { return target.starts_with("spirv-"); });
}

}  // namespace

Device::Device(DeviceInfo info, CapabilitySet capabilities)
    : info_(std::move(info)),
      targets_text_(base::join(info_.targets, " ")),
      capabilities_(std::move(capabilities)) {}

Device::~Device() = default;

const Capability* Device::fact_for_kernels(std::string_view name) const {
  const Capability* const capability = capabilities_.find(name);
  if (capability == nullptr || capability->origin == CapabilityOrigin::kDriver) return capability;
  return descriptors::is_about_instructions(name) && takes_only_spirv(info_) ? nullptr : capability;
}

void Device::merge_descriptor(const descriptors::Descriptor& descriptor) {
  auto merged = descriptors::merge_capabilities(capabilities_, descriptor.capabilities);
  capabilities_ = std::move(merged.capabilities);
  disagreements_ = std::move(merged.disagreements);
  descriptor_id_ = descriptor.id;
}

}  // namespace halyard::core
