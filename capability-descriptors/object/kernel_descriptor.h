// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/object/amdgpu_target.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace halyard::object {

inline constexpr std::size_t kKernelDescriptorBytes = 64;

// The bit fields of a kernel descriptor. Which of them a target has, and what else shares the bits
// of a field on other targets, is in the table of kernel_descriptor.cpp.
enum class KernelField : std::uint8_t {
  kGranulatedVgprCount,
  kGranulatedSgprCount,
  kFloatRoundMode32,
  kFloatRoundMode16And64,
  kFloatDenormMode32,
  kFloatDenormMode16And64,
  kDx10Clamp,
  kIeeeMode,
  kRoundRobinScheduling,
  kFp16Overflow,
  kWorkgroupProcessorMode,
  kMemoryOrdered,
  kForwardProgress,
  kPrivateSegment,
  kUserSgprCount,
  kWorkgroupIdX,
  kWorkgroupIdY,
  kWorkgroupIdZ,
  kWorkgroupInfo,
  kWorkitemId,
  kExceptionInvalidOperation,
  kExceptionDenormalSource,
  kExceptionDivisionByZero,
  kExceptionOverflow,
  kExceptionUnderflow,
  kExceptionInexact,
  kExceptionIntegerDivisionByZero,
  kAccumOffset,
  kThreadgroupSplit,
  kSharedVgprCount,
  kInstructionPrefetchSize11,
  kInstructionPrefetchSize12,
  kUserSgprPrivateSegmentBuffer,
  kUserSgprDispatchPointer,
  kUserSgprQueuePointer,
  kUserSgprKernargPointer,
  kUserSgprDispatchId,
  kUserSgprFlatScratch,
  kUserSgprPrivateSegmentSize,
  kWavefrontSize32,
  kUsesDynamicStack,
  kKernargPreloadLength,
  kKernargPreloadOffset,
};

// What the packet processor reads to start a kernel: the 64 bytes of its symbol "<kernel>.kd".
struct KernelDescriptor {
  std::uint32_t group_segment_bytes = 0;
  std::uint32_t private_segment_bytes = 0;  // of one work-item
  std::uint32_t kernarg_bytes = 0;
  std::int64_t code_entry_offset = 0;  // from the descriptor to the first instruction
  std::uint32_t rsrc1 = 0;
  std::uint32_t rsrc2 = 0;
  std::uint32_t rsrc3 = 0;
  std::uint16_t properties = 0;
  std::uint16_t kernarg_preload = 0;
  bool reserved_bytes_are_zero = true;

  // The bits of a field as they are, whether or not a target has it.
  std::uint32_t field(KernelField field) const;
  // 32 or 64.
  std::uint32_t wavefront_size(const AmdgpuTarget& target) const;
  // Registers that each lane gets, accumulation registers included; a multiple of the granule.
  std::uint32_t vgprs(const AmdgpuTarget& target) const;
};

// Whether `target` has the field.
bool has_field(const AmdgpuTarget& target, KernelField field);

// Errors: kCorruptData for bytes that are not 64.
base::Result<KernelDescriptor> parse_kernel_descriptor(std::string_view bytes);

// The directives from ".amdhsa_kernel <name>" to ".end_amdhsa_kernel" from which an assembler makes
// the same descriptor, one a line.
std::string kernel_descriptor_text(const KernelDescriptor& descriptor, const AmdgpuTarget& target,
                                   std::string_view name);

}  // namespace halyard::object
