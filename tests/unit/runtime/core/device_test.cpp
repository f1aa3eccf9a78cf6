// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/device.h"

#include "tests/unit/runtime/core/fake_device.h"

#include <gtest/gtest.h>

namespace halyard::core {
namespace {

// A device of which only the descriptor knows the matrix operations.
base::Ref<FakeDevice> described_device(std::vector<std::string> targets) {
  DeviceInfo info;
  info.targets = std::move(targets);
  CapabilitySet live;
  live.set_flag(CapabilityKey::kMatrixCooperative, true);
  auto device = base::make_ref<FakeDevice>(std::move(info), std::move(live));
  descriptors::Descriptor descriptor;
  descriptor.capabilities.set_flag(CapabilityKey::kMatrixF16, true, CapabilityOrigin::kDocumented);
  descriptor.capabilities.set_number(CapabilityKey::kVgprPerSimd, 1536,
                                     CapabilityOrigin::kDocumented);
  device->merge_descriptor(descriptor);
  return device;
}

TEST(Device, KernelsInSpirvCountOnNoInstructionThatTheDriverDoesNotReport) {
  const auto device = described_device({"spirv-1.6", "spirv-1.5"});
  EXPECT_NE(device->capabilities().find("matrix.f16"), nullptr);
  EXPECT_EQ(device->fact_for_kernels("matrix.f16"), nullptr);
  EXPECT_NE(device->fact_for_kernels("matrix.cooperative"), nullptr);
  EXPECT_NE(device->fact_for_kernels("vgpr.per_simd"), nullptr);
  EXPECT_EQ(device->fact_for_kernels("matrix.f64"), nullptr);
}

TEST(Device, KernelsInMachineCodeCountOnWhatTheDescriptorSays) {
  EXPECT_NE(described_device({"amdgcn-gfx1100"})->fact_for_kernels("matrix.f16"), nullptr);
  EXPECT_NE(described_device({})->fact_for_kernels("matrix.f16"), nullptr);
}

}  // namespace
}  // namespace halyard::core
