// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu_capability.h"

#include "backends/cpu/cpu_identification.h"
#include "backends/host/host_machine.h"
#include "runtime/base/text.h"

#include <sys/utsname.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

namespace halyard::cpu {
namespace {

using Key = core::CapabilityKey;

std::string hexadecimal(std::uint64_t value) {
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
  return std::string(digits.data(), end);
}

std::string vendor_name(const std::string& vendor) {
  if (vendor == "AuthenticAMD") return "AMD";
  if (vendor == "GenuineIntel") return "Intel";
  return vendor;
}

std::string machine_name() {
  utsname names{};
  return ::uname(&names) == 0 ? std::string(names.machine) : std::string("of an unknown kind");
}

// What the operating system's governor allows, in Hz; the processor may not tell.
std::uint64_t governor_max_hz() {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
  std::uint64_t kilohertz = 0;
  return file >> kilohertz ? kilohertz * 1000 : 0;
}

core::DeviceInfo make_info(const CpuIdentification& cpu) {
  core::DeviceInfo info;
  info.id = "cpu:0";
  info.name = cpu.brand.empty() ? cpu.vendor : cpu.brand;
  info.vendor = vendor_name(cpu.vendor);
  info.backend = "cpu";
  info.kind = core::DeviceKind::kCpu;
  info.driver = "cpu";
  info.driver_id = "cpu";
  info.fingerprint = base::concat(cpu.vendor, "/", cpu.brand, "/", cpu.family, ".", cpu.model, ".",
                                  cpu.stepping, "/", hexadecimal(cpu.feature_hash));
  info.physical_id = "host";
  if (cpu.x86_64_v4) info.targets.emplace_back("x86_64-v4");
  if (cpu.x86_64_v3) info.targets.emplace_back("x86_64-v3");
  if (cpu.x86_64_v2) info.targets.emplace_back("x86_64-v2");
  return info;
}

void set_known(core::CapabilitySet& set, Key key, std::uint64_t value) {
  if (value != 0) set.set_number(key, static_cast<double>(value));
}

core::CapabilitySet make_capabilities(const CpuIdentification& cpu, std::size_t cpu_count) {
  core::CapabilitySet set;
  set_known(set, Key::kComputeUnits, cpu_count);
  set_known(set, Key::kClockMaxHz, cpu.max_hz != 0 ? cpu.max_hz : governor_max_hz());
  set.set_number(Key::kClockTimestampPeriodNs, 0);
  set.set_number(Key::kClockTimestampValidBits, 0);
  set_known(set, Key::kMemoryTotalBytes, host::memory_bytes());
  set.set_flag(Key::kMemoryUnified, true);
  set_known(set, Key::kCacheL1Bytes, cpu.l1_data_bytes);
  set_known(set, Key::kCacheL2Bytes, cpu.l2_bytes);
  set_known(set, Key::kCacheL3Bytes, cpu.l3_bytes);
  const std::pair<Key, bool> flags[] = {
      {Key::kCpuF16c, cpu.f16c},
      {Key::kCpuAvx2, cpu.avx2},
      {Key::kCpuAvx512, cpu.avx512},
      {Key::kCpuAvx512Bf16, cpu.avx512_bf16},
      {Key::kCpuAvx512Vnni, cpu.avx512_vnni},
      {Key::kCpuAvx512Fp16, cpu.avx512_fp16},
      {Key::kCpuAmxBf16, cpu.amx_bf16},
      {Key::kTypeF16, cpu.avx512_fp16},
      {Key::kTypeF64, true},
      {Key::kTypeI64, true},
      {Key::kTypeI16, true},
      {Key::kTypeI8, true},
      {Key::kStorage16bit, true},
      {Key::kStorage8bit, true},
  };
  for (const auto& [key, value] : flags)
    set.set_flag(key, value);
  for (const Key key : {Key::kLimitGridX, Key::kLimitGridY, Key::kLimitGridZ})
    set.set_number(key, UINT32_MAX);
  set.set_number(Key::kLimitBufferOffsetAlignmentBytes, 1);
  return set;
}

}  // namespace

base::Result<CpuDescription> describe_cpu(std::size_t cpu_count) {
  const CpuIdentification cpu = identify_cpu();
  if (cpu.vendor.empty()) {
    return base::Error(base::ErrorCode::kUnsupported,
                       base::concat("The CPU backend runs x86-64 kernels, and this machine is ",
                                    machine_name(), "."));
  }
  if (!cpu.x86_64_v2) {
    return base::Error(
        base::ErrorCode::kUnsupported,
        base::concat("The CPU backend needs x86-64-v2, and \"", cpu.brand, "\" is older."));
  }
  return CpuDescription{make_info(cpu), make_capabilities(cpu, cpu_count)};
}

}  // namespace halyard::cpu
