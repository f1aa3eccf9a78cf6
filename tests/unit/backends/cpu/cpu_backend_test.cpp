// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu_backend.h"

#include "backends/cpu/cpu_capability.h"
#include "backends/cpu/cpu_identification.h"
#include "backends/host/host_machine.h"
#include "tests/unit/backends/cpu/cpu_fixture.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace halyard::cpu {
namespace {

using Key = core::CapabilityKey;

class CpuBackend : public CpuFixture {};

TEST_F(CpuBackend, DeviceIsDescribed) {
  const core::DeviceInfo& info = device_->info();
  EXPECT_EQ(info.id, "cpu:0");
  EXPECT_EQ(info.backend, "cpu");
  EXPECT_EQ(info.driver_id, "cpu");
  EXPECT_EQ(info.kind, core::DeviceKind::kCpu);
  EXPECT_FALSE(info.name.empty());
  EXPECT_EQ(info.targets.back(), "x86_64-v2");
  EXPECT_TRUE(std::is_sorted(info.targets.rbegin(), info.targets.rend()));
  EXPECT_EQ(device_->capabilities().number(Key::kComputeUnits), host::allowed_cpus().size());
  EXPECT_GT(device_->capabilities().number(Key::kMemoryTotalBytes).value_or(0), 1e6);
}

TEST_F(CpuBackend, FlagsAgreeWithTheCompiler) {
  const CpuIdentification cpu = identify_cpu();
  EXPECT_EQ(cpu.avx2, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
  EXPECT_EQ(cpu.avx512_bf16, __builtin_cpu_supports("avx512bf16") != 0);
  EXPECT_EQ(cpu.avx512_vnni, __builtin_cpu_supports("avx512vnni") != 0);
  EXPECT_EQ(cpu.avx512, __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"));
  EXPECT_EQ(cpu.x86_64_v3, cpu.avx2 && __builtin_cpu_supports("bmi2"));
  EXPECT_EQ(cpu.x86_64_v4, cpu.x86_64_v3 && cpu.avx512);
}

TEST_F(CpuBackend, FingerprintIsTheSameTwice) {
  const auto again = describe_cpu(1);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->info.fingerprint, device_->info().fingerprint);
}

TEST_F(CpuBackend, ThreadLimitCapsTheCpusInUse) {
  base::Configuration configuration;
  configuration.cpu_threads.value = 1;
  const auto settings = base::make_ref<core::BackendSettings>(configuration);
  const auto backend = create_cpu_backend(*settings);
  const auto devices = backend->enumerate();
  ASSERT_TRUE(devices);
  EXPECT_EQ(devices->front()->capabilities().number(Key::kComputeUnits), 1);
  EXPECT_THAT(backend->notes().front(), testing::StartsWith("Uses 1 of "));
}

}  // namespace
}  // namespace halyard::cpu
