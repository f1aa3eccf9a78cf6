// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace halyard::cpu {

// What the processor says of itself and the operating system lets programs use.
struct CpuIdentification {
  std::string vendor;  // "AuthenticAMD", …
  std::string brand;   // "AMD EPYC 9554 64-Core Processor"
  std::uint32_t family = 0;
  std::uint32_t model = 0;
  std::uint32_t stepping = 0;
  std::uint64_t feature_hash = 0;  // of all feature words

  bool x86_64_v2 = false;
  bool x86_64_v3 = false;
  bool x86_64_v4 = false;
  bool f16c = false;
  bool avx2 = false;
  bool avx512 = false;
  bool avx512_bf16 = false;
  bool avx512_vnni = false;
  bool avx512_fp16 = false;
  bool amx_bf16 = false;

  // Zero where it is not told.
  std::uint64_t l1_data_bytes = 0;
  std::uint64_t l2_bytes = 0;
  std::uint64_t l3_bytes = 0;
  std::uint64_t max_hz = 0;
};

// Asks the processor that it is called on. All zero on one that is no x86-64.
CpuIdentification identify_cpu();

}  // namespace halyard::cpu
