// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu_identification.h"

#if defined(__x86_64__)
#include <cpuid.h>

#include <array>
#include <cstring>
#include <string_view>

namespace halyard::cpu {
namespace {

constexpr std::uint32_t kExtended = 0x80000000U;

struct Leaf {
  std::uint32_t eax = 0;
  std::uint32_t ebx = 0;
  std::uint32_t ecx = 0;
  std::uint32_t edx = 0;
};

// All zero where the processor does not have the leaf.
Leaf query(std::uint32_t leaf, std::uint32_t subleaf = 0) {
  Leaf result;
  __get_cpuid_count(leaf, subleaf, &result.eax, &result.ebx, &result.ecx, &result.edx);
  return result;
}

bool has(std::uint32_t word, unsigned bit) {
  return (word >> bit & 1U) != 0;
}

bool has_all(std::uint32_t word, std::uint32_t mask) {
  return (word & mask) == mask;
}

// The register states that the operating system saves; xgetbv faults where osxsave is off.
std::uint64_t saved_states(bool osxsave) {
  if (!osxsave) return 0;
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return std::uint64_t{high} << 32 | low;
}

std::string brand_text() {
  std::string text;
  for (std::uint32_t i = 2; i <= 4; ++i) {
    const Leaf leaf = query(kExtended + i);
    std::array<char, sizeof(Leaf)> bytes;
    std::memcpy(bytes.data(), &leaf, sizeof(leaf));
    text.append(bytes.data(), bytes.size());
  }
  text.resize(std::strlen(text.c_str()));
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::string vendor_text() {
  const Leaf leaf = query(0);
  std::array<char, 12> bytes;
  std::memcpy(bytes.data(), &leaf.ebx, 4);
  std::memcpy(bytes.data() + 4, &leaf.edx, 4);
  std::memcpy(bytes.data() + 8, &leaf.ecx, 4);
  return std::string(bytes.data(), bytes.size());
}

void read_model(CpuIdentification& cpu) {
  const std::uint32_t word = query(1).eax;
  cpu.stepping = word & 0xF;
  cpu.model = word >> 4 & 0xF;
  cpu.family = word >> 8 & 0xF;
  if (cpu.family == 0x6 || cpu.family == 0xF) cpu.model += (word >> 16 & 0xF) << 4;
  if (cpu.family == 0xF) cpu.family += word >> 20 & 0xFF;
}

void read_features(CpuIdentification& cpu) {
  constexpr std::uint64_t kVectorStates = 0x6;    // SSE and AVX registers
  constexpr std::uint64_t kAvx512States = 0xE6;   // and masks, upper halves, upper registers
  constexpr std::uint64_t kTileStates = 0x60000;  // AMX configuration and data
  const Leaf basic = query(1);
  const Leaf structured = query(7);
  const Leaf structured_1 = query(7, 1);
  const Leaf extended = query(kExtended + 1);
  const std::uint64_t states = saved_states(has(basic.ecx, 27));
  const bool vectors = (states & kVectorStates) == kVectorStates;
  const bool wide = (states & kAvx512States) == kAvx512States;

  // SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT; LAHF.
  cpu.x86_64_v2 = has_all(basic.ecx, 1U | 1U << 9 | 1U << 13 | 1U << 19 | 1U << 20 | 1U << 23) &&
                  has(extended.ecx, 0);
  cpu.f16c = vectors && has(basic.ecx, 29);
  cpu.avx2 = vectors && has(structured.ebx, 5) && has(basic.ecx, 12);
  // AVX, MOVBE; BMI1, BMI2; LZCNT.
  cpu.x86_64_v3 = cpu.x86_64_v2 && cpu.f16c && cpu.avx2 &&
                  has_all(basic.ecx, 1U << 28 | 1U << 22) &&
                  has_all(structured.ebx, 1U << 3 | 1U << 8) && has(extended.ecx, 5);
  // F, DQ, CD, BW, VL.
  cpu.avx512 =
      wide && has_all(structured.ebx, 1U << 16 | 1U << 17 | 1U << 28 | 1U << 30 | 1U << 31);
  cpu.x86_64_v4 = cpu.x86_64_v3 && cpu.avx512;
  cpu.avx512_bf16 = cpu.avx512 && has(structured_1.eax, 5);
  cpu.avx512_vnni = cpu.avx512 && has(structured.ecx, 11);
  cpu.avx512_fp16 = cpu.avx512 && has(structured.edx, 23);
  cpu.amx_bf16 =
      (states & kTileStates) == kTileStates && has(structured.edx, 22) && has(structured.edx, 24);

  // FNV-1a of what kernels can tell apart: not osxsave, the hypervisor, protection keys, or the
  // mitigations that a microcode update adds.
  constexpr std::uint32_t kVectorBits =
      1U << 2 | 1U << 3 | 1U << 4 | 1U << 8 | 1U << 22 | 1U << 23 | 1U << 24 | 1U << 25;
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const std::uint64_t word :
       {std::uint64_t{basic.ecx & ~(1U << 27 | 1U << 31)}, std::uint64_t{structured.ebx},
        std::uint64_t{structured.ecx & ~(1U << 4)}, std::uint64_t{structured.edx & kVectorBits},
        std::uint64_t{structured_1.eax}, std::uint64_t{extended.ecx}, states}) {
    hash = (hash ^ word) * 0x100000001b3ULL;
  }
  cpu.feature_hash = hash;
}

void read_caches(CpuIdentification& cpu) {
  // AMD has the same leaf at another number.
  const std::uint32_t leaf_number = query(4).eax != 0 ? 4 : kExtended + 0x1D;
  for (std::uint32_t i = 0; i < 16; ++i) {
    const Leaf leaf = query(leaf_number, i);
    const std::uint32_t type = leaf.eax & 0x1F;  // 1 data, 2 instructions, 3 both
    if (type == 0) break;
    const std::uint64_t bytes = ((leaf.ebx >> 22) + 1ULL) * ((leaf.ebx >> 12 & 0x3FF) + 1ULL) *
                                ((leaf.ebx & 0xFFF) + 1ULL) * (leaf.ecx + 1ULL);
    const std::uint32_t level = leaf.eax >> 5 & 0x7;
    if (level == 1 && type == 1) cpu.l1_data_bytes = bytes;
    if (level == 2) cpu.l2_bytes = bytes;
    if (level == 3) cpu.l3_bytes = bytes;
  }
}

}  // namespace

CpuIdentification identify_cpu() {
  CpuIdentification cpu;
  cpu.vendor = vendor_text();
  cpu.brand = brand_text();
  read_model(cpu);
  read_features(cpu);
  read_caches(cpu);
  cpu.max_hz = std::uint64_t{query(0x16).ebx & 0xFFFF} * 1'000'000;
  return cpu;
}

}  // namespace halyard::cpu

#else

namespace halyard::cpu {

CpuIdentification identify_cpu() {
  return {};
}

}  // namespace halyard::cpu

#endif
