// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/emulator_capability.h"

#include "backends/host/host_machine.h"
#include "runtime/base/text.h"
#include "runtime/base/version.h"

#include <cpuid.h>

#include <limits>
#include <vector>

namespace halyard::emulator {
namespace {

using Key = core::CapabilityKey;

bool has_f16c() {
  unsigned int eax = 0;
  unsigned int ebx = 0;
  unsigned int ecx = 0;
  unsigned int edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
}

}  // namespace

HostFeatures host_features() {
  // Those that the system saves, too.
  return {__builtin_cpu_supports("avx2") != 0, __builtin_cpu_supports("fma") != 0, has_f16c()};
}

std::optional<std::string> missing_features(const HostFeatures& features) {
  std::vector<std::string> missing;
  if (!features.avx2) missing.emplace_back("AVX2");
  if (!features.fma) missing.emplace_back("FMA");
  if (!features.f16c) missing.emplace_back("F16C");
  if (missing.empty()) return std::nullopt;
  return base::concat("The emulator is compiled for AVX2, FMA and F16C, and this processor lacks ",
                      base::join(missing), ".");
}

core::DeviceInfo describe_device(const EmulatedTarget& target, const std::string& tables) {
  core::DeviceInfo info;
  info.id = "emulator:" + target.processor;
  info.name = base::concat("AMD ", target.processor, " (interpreted)");
  info.vendor = "AMD";
  info.backend = "emulator";
  info.kind = core::DeviceKind::kEmulator;
  info.driver =
      base::concat("emulator ", base::kVersion, ", ", target.instruction_set, " ", tables);
  info.driver_id = base::concat("emulator:", base::kVersion, ":", tables);
  info.fingerprint = info.id;
  info.physical_id = info.id;
  info.targets.push_back("amdgcn-" + target.processor);
  return info;
}

core::CapabilitySet emulator_capabilities(const EmulatedTarget& target, std::uint32_t threads) {
  core::CapabilitySet set;
  set.set_number(Key::kComputeUnits, threads);
  set.set_number(Key::kClockTimestampPeriodNs, 0);
  set.set_number(Key::kClockTimestampValidBits, 0);
  const std::uint64_t memory = host::memory_bytes();
  if (memory != 0) set.set_number(Key::kMemoryTotalBytes, static_cast<double>(memory));
  set.set_flag(Key::kMemoryUnified, true);
  const double lanes = target.generation == Generation::kGfx9 ? 64 : 32;
  set.set_number(Key::kSubgroupSize, lanes);
  set.set_number(Key::kSubgroupSizeMin, lanes);
  set.set_number(Key::kSubgroupSizeMax, 64);
  set.set_flag(Key::kSubgroupSizeControl, target.generation != Generation::kGfx9);
  set.set_flag(Key::kSubgroupArithmetic, true);
  set.set_flag(Key::kSubgroupShuffle, true);
  set.set_number(Key::kLimitSharedBytes, target.lds_bytes_per_workgroup);
  set.set_number(Key::kLimitWorkgroupInvocations, 1024);
  // As the drivers of these devices have it: lanes of a grid are counted in 32 bits.
  set.set_number(Key::kLimitGridX, std::numeric_limits<std::int32_t>::max());
  set.set_number(Key::kLimitGridY, 65535);
  set.set_number(Key::kLimitGridZ, 65535);
  set.set_number(Key::kLimitBufferOffsetAlignmentBytes, 1);
  for (const Key key : {Key::kStorage16bit, Key::kStorage8bit})
    set.set_flag(key, true);
  return set;
}

}  // namespace halyard::emulator
