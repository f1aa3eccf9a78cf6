// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/object/kernel_descriptor.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace halyard::object {
namespace {

using F = KernelField;

// Targets whose kernel descriptors are alike, as bits of a set.
using Families = std::uint8_t;
constexpr Families kGfx8 = 1;    // and older
constexpr Families kGfx9 = 2;    // Vega, MI50, MI100
constexpr Families kGfx90a = 4;  // MI200
constexpr Families kGfx94 = 8;   // MI300, MI350
constexpr Families kGfx10 = 16;
constexpr Families kGfx11 = 32;
constexpr Families kGfx12 = 64;  // and newer
constexpr Families kAll = 0x7f;
constexpr Families kFrom10 = kGfx10 | kGfx11 | kGfx12;
// Where scratch memory has an address that the hardware sets up.
constexpr Families kArchitectedScratch = kGfx94 | kGfx11 | kGfx12;
constexpr Families kScratchBySgpr = kAll & ~kArchitectedScratch;

enum class Word : std::uint8_t { kRsrc1, kRsrc2, kRsrc3, kProperties, kPreload };

struct FieldLayout {
  F field;
  Word word;
  std::uint8_t offset;
  std::uint8_t bits;
  Families families;
  std::string_view directive;  // "" for what another directive says
};

// In the order of the directives. Where two directives have the same bits, their families differ.
constexpr std::array kLayouts = {
    FieldLayout{F::kGranulatedVgprCount, Word::kRsrc1, 0, 6, kAll, ""},
    FieldLayout{F::kGranulatedSgprCount, Word::kRsrc1, 6, 4, kAll, ""},
    FieldLayout{F::kUserSgprCount, Word::kRsrc2, 1, 5, kAll, "user_sgpr_count"},
    FieldLayout{F::kUserSgprPrivateSegmentBuffer, Word::kProperties, 0, 1, kScratchBySgpr,
                "user_sgpr_private_segment_buffer"},
    FieldLayout{F::kUserSgprDispatchPointer, Word::kProperties, 1, 1, kAll,
                "user_sgpr_dispatch_ptr"},
    FieldLayout{F::kUserSgprQueuePointer, Word::kProperties, 2, 1, kAll, "user_sgpr_queue_ptr"},
    FieldLayout{F::kUserSgprKernargPointer, Word::kProperties, 3, 1, kAll,
                "user_sgpr_kernarg_segment_ptr"},
    FieldLayout{F::kUserSgprDispatchId, Word::kProperties, 4, 1, kAll, "user_sgpr_dispatch_id"},
    FieldLayout{F::kUserSgprFlatScratch, Word::kProperties, 5, 1, kScratchBySgpr,
                "user_sgpr_flat_scratch_init"},
    FieldLayout{F::kKernargPreloadLength, Word::kPreload, 0, 7, kGfx90a | kGfx94,
                "user_sgpr_kernarg_preload_length"},
    FieldLayout{F::kKernargPreloadOffset, Word::kPreload, 7, 9, kGfx90a | kGfx94,
                "user_sgpr_kernarg_preload_offset"},
    FieldLayout{F::kUserSgprPrivateSegmentSize, Word::kProperties, 6, 1, kAll,
                "user_sgpr_private_segment_size"},
    FieldLayout{F::kWavefrontSize32, Word::kProperties, 10, 1, kFrom10, "wavefront_size32"},
    FieldLayout{F::kUsesDynamicStack, Word::kProperties, 11, 1, kAll, "uses_dynamic_stack"},
    FieldLayout{F::kPrivateSegment, Word::kRsrc2, 0, 1, kArchitectedScratch,
                "enable_private_segment"},
    FieldLayout{F::kPrivateSegment, Word::kRsrc2, 0, 1, kScratchBySgpr,
                "system_sgpr_private_segment_wavefront_offset"},
    FieldLayout{F::kWorkgroupIdX, Word::kRsrc2, 7, 1, kAll, "system_sgpr_workgroup_id_x"},
    FieldLayout{F::kWorkgroupIdY, Word::kRsrc2, 8, 1, kAll, "system_sgpr_workgroup_id_y"},
    FieldLayout{F::kWorkgroupIdZ, Word::kRsrc2, 9, 1, kAll, "system_sgpr_workgroup_id_z"},
    FieldLayout{F::kWorkgroupInfo, Word::kRsrc2, 10, 1, kAll, "system_sgpr_workgroup_info"},
    FieldLayout{F::kWorkitemId, Word::kRsrc2, 11, 2, kAll, "system_vgpr_workitem_id"},
    FieldLayout{F::kAccumOffset, Word::kRsrc3, 0, 6, kGfx90a | kGfx94, ""},
    FieldLayout{F::kFloatRoundMode32, Word::kRsrc1, 12, 2, kAll, "float_round_mode_32"},
    FieldLayout{F::kFloatRoundMode16And64, Word::kRsrc1, 14, 2, kAll, "float_round_mode_16_64"},
    FieldLayout{F::kFloatDenormMode32, Word::kRsrc1, 16, 2, kAll, "float_denorm_mode_32"},
    FieldLayout{F::kFloatDenormMode16And64, Word::kRsrc1, 18, 2, kAll, "float_denorm_mode_16_64"},
    FieldLayout{F::kDx10Clamp, Word::kRsrc1, 21, 1, kAll & ~kGfx12, "dx10_clamp"},
    FieldLayout{F::kIeeeMode, Word::kRsrc1, 23, 1, kAll & ~kGfx12, "ieee_mode"},
    FieldLayout{F::kFp16Overflow, Word::kRsrc1, 26, 1, kAll & ~kGfx8, "fp16_overflow"},
    FieldLayout{F::kThreadgroupSplit, Word::kRsrc3, 16, 1, kGfx90a | kGfx94, "tg_split"},
    FieldLayout{F::kWorkgroupProcessorMode, Word::kRsrc1, 29, 1, kFrom10,
                "workgroup_processor_mode"},
    FieldLayout{F::kMemoryOrdered, Word::kRsrc1, 30, 1, kFrom10, "memory_ordered"},
    FieldLayout{F::kForwardProgress, Word::kRsrc1, 31, 1, kFrom10, "forward_progress"},
    FieldLayout{F::kSharedVgprCount, Word::kRsrc3, 0, 4, kGfx10 | kGfx11, "shared_vgpr_count"},
    FieldLayout{F::kInstructionPrefetchSize11, Word::kRsrc3, 4, 6, kGfx11, ""},
    FieldLayout{F::kInstructionPrefetchSize12, Word::kRsrc3, 4, 8, kGfx12, ""},
    FieldLayout{F::kRoundRobinScheduling, Word::kRsrc1, 21, 1, kGfx12, "round_robin_scheduling"},
    FieldLayout{F::kExceptionInvalidOperation, Word::kRsrc2, 24, 1, kAll,
                "exception_fp_ieee_invalid_op"},
    FieldLayout{F::kExceptionDenormalSource, Word::kRsrc2, 25, 1, kAll, "exception_fp_denorm_src"},
    FieldLayout{F::kExceptionDivisionByZero, Word::kRsrc2, 26, 1, kAll,
                "exception_fp_ieee_div_zero"},
    FieldLayout{F::kExceptionOverflow, Word::kRsrc2, 27, 1, kAll, "exception_fp_ieee_overflow"},
    FieldLayout{F::kExceptionUnderflow, Word::kRsrc2, 28, 1, kAll, "exception_fp_ieee_underflow"},
    FieldLayout{F::kExceptionInexact, Word::kRsrc2, 29, 1, kAll, "exception_fp_ieee_inexact"},
    FieldLayout{F::kExceptionIntegerDivisionByZero, Word::kRsrc2, 30, 1, kAll,
                "exception_int_div_zero"},
};

Families family_of(const AmdgpuTarget& target) {
  const std::uint32_t generation = target.generation();
  if (generation >= 12) return kGfx12;
  if (generation == 11) return kGfx11;
  if (generation == 10) return kGfx10;
  if (generation < 9) return kGfx8;
  const std::string_view name = target.processor;
  if (name == "gfx90a") return kGfx90a;
  if (name.starts_with("gfx94") || name.starts_with("gfx95") || name == "gfx9-4-generic") {
    return kGfx94;
  }
  return kGfx9;
}

std::uint32_t word_of(const KernelDescriptor& descriptor, Word word) {
  switch (word) {
    case Word::kRsrc1:
      return descriptor.rsrc1;
    case Word::kRsrc2:
      return descriptor.rsrc2;
    case Word::kRsrc3:
      return descriptor.rsrc3;
    case Word::kProperties:
      return descriptor.properties;
    case Word::kPreload:
      return descriptor.kernarg_preload;
  }
  return 0;
}

std::uint32_t bits_of(const KernelDescriptor& descriptor, const FieldLayout& layout) {
  return word_of(descriptor, layout.word) >> layout.offset & ((1U << layout.bits) - 1);
}

// Registers at the end of those of a kernel that the assembler counts by itself.
std::uint32_t reserved_sgprs(Families family, bool has_xnack_mask) {
  if (family == kGfx94) return 6;
  return has_xnack_mask && (family & kFrom10) == 0 ? 4 : 0;
}

template <typename T>
T number_at(std::string_view bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

}  // namespace

std::uint32_t KernelDescriptor::field(KernelField wanted) const {
  const auto layout = std::find_if(kLayouts.begin(), kLayouts.end(),
                                   [&](const FieldLayout& l) { return l.field == wanted; });
  return layout == kLayouts.end() ? 0 : bits_of(*this, *layout);
}

std::uint32_t KernelDescriptor::wavefront_size(const AmdgpuTarget& target) const {
  return (family_of(target) & kFrom10) != 0 && field(F::kWavefrontSize32) == 1 ? 32 : 64;
}

std::uint32_t KernelDescriptor::vgprs(const AmdgpuTarget& target) const {
  const bool unified = (family_of(target) & (kGfx90a | kGfx94)) != 0;
  const std::uint32_t granule = unified || wavefront_size(target) == 32 ? 8 : 4;
  return (field(F::kGranulatedVgprCount) + 1) * granule;
}

bool has_field(const AmdgpuTarget& target, KernelField wanted) {
  const Families family = family_of(target);
  return std::any_of(kLayouts.begin(), kLayouts.end(), [&](const FieldLayout& layout) {
    return layout.field == wanted && (layout.families & family) != 0;
  });
}

base::Result<KernelDescriptor> parse_kernel_descriptor(std::string_view bytes) {
  if (bytes.size() != kKernelDescriptorBytes) {
    return base::Error(base::ErrorCode::kCorruptData,
                       base::concat("A kernel descriptor has ", bytes.size(), " bytes, not ",
                                    kKernelDescriptorBytes, "."));
  }
  KernelDescriptor descriptor;
  descriptor.group_segment_bytes = number_at<std::uint32_t>(bytes, 0);
  descriptor.private_segment_bytes = number_at<std::uint32_t>(bytes, 4);
  descriptor.kernarg_bytes = number_at<std::uint32_t>(bytes, 8);
  descriptor.code_entry_offset = number_at<std::int64_t>(bytes, 16);
  descriptor.rsrc3 = number_at<std::uint32_t>(bytes, 44);
  descriptor.rsrc1 = number_at<std::uint32_t>(bytes, 48);
  descriptor.rsrc2 = number_at<std::uint32_t>(bytes, 52);
  descriptor.properties = number_at<std::uint16_t>(bytes, 56);
  descriptor.kernarg_preload = number_at<std::uint16_t>(bytes, 58);
  const auto is_zero = [&](std::size_t offset, std::size_t size) {
    const std::string_view part = bytes.substr(offset, size);
    return std::all_of(part.begin(), part.end(), [](char byte) { return byte == 0; });
  };
  descriptor.reserved_bytes_are_zero = is_zero(12, 4) && is_zero(24, 20) && is_zero(60, 4);
  return descriptor;
}

std::string kernel_descriptor_text(const KernelDescriptor& descriptor, const AmdgpuTarget& target,
                                   std::string_view name) {
  const Families family = family_of(target);
  std::string out = base::concat(".amdhsa_kernel ", name, "\n");
  const auto line = [&](std::string_view directive, std::uint64_t value) {
    out += base::concat("  .amdhsa_", directive, " ", value, "\n");
  };
  line("group_segment_fixed_size", descriptor.group_segment_bytes);
  line("private_segment_fixed_size", descriptor.private_segment_bytes);
  line("kernarg_size", descriptor.kernarg_bytes);
  line("next_free_vgpr", descriptor.vgprs(target));
  // The assembler adds what it reserves to the count that it is given.
  const bool has_xnack_mask =
      target.xnack == FeatureSetting::kAny || target.xnack == FeatureSetting::kOn;
  const std::uint32_t sgprs = (descriptor.field(F::kGranulatedSgprCount) + 1) * 8;
  line("next_free_sgpr", sgprs - reserved_sgprs(family, has_xnack_mask));
  line("reserve_vcc", 0);
  if (family == kGfx9 || family == kGfx90a || family == kGfx10) line("reserve_flat_scratch", 0);
  if (target.xnack != FeatureSetting::kUnsupported) {
    line("reserve_xnack_mask", has_xnack_mask ? 1 : 0);
  }
  if ((family & (kGfx90a | kGfx94)) != 0) {
    line("accum_offset", (std::uint64_t{descriptor.field(F::kAccumOffset)} + 1) * 4);
  }
  for (const FieldLayout& layout : kLayouts) {
    if ((layout.families & family) == 0 || layout.directive.empty()) continue;
    line(layout.directive, bits_of(descriptor, layout));
  }
  out += ".end_amdhsa_kernel\n";
  return out;
}

}  // namespace halyard::object
