// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/immediate_text.h"

#include "capability-descriptors/isa/constant_text.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace halyard::isa {
namespace {

using base::concat;

using G = TextGeneration;

struct NumberedName {
  G first;
  G last;
  std::uint32_t number;
  std::string_view name;
};

constexpr std::array kHardwareRegisters = {
    NumberedName{G::kGfx9, G::kGfx12, 1, "HW_REG_MODE"},
    NumberedName{G::kGfx9, G::kGfx12, 2, "HW_REG_STATUS"},
    NumberedName{G::kGfx9, G::kGfx11, 3, "HW_REG_TRAPSTS"},
    NumberedName{G::kGfx9, G::kGfx9, 4, "HW_REG_HW_ID"},
    NumberedName{G::kGfx12, G::kGfx12, 4, "HW_REG_STATE_PRIV"},
    NumberedName{G::kGfx9, G::kGfx12, 5, "HW_REG_GPR_ALLOC"},
    NumberedName{G::kGfx9, G::kGfx12, 6, "HW_REG_LDS_ALLOC"},
    NumberedName{G::kGfx9, G::kGfx12, 7, "HW_REG_IB_STS"},
    NumberedName{G::kGfx12, G::kGfx12, 10, "HW_REG_PERF_SNAPSHOT_DATA"},
    NumberedName{G::kGfx12, G::kGfx12, 11, "HW_REG_PERF_SNAPSHOT_PC_LO"},
    NumberedName{G::kGfx12, G::kGfx12, 12, "HW_REG_PERF_SNAPSHOT_PC_HI"},
    NumberedName{G::kGfx9, G::kGfx11, 15, "HW_REG_SH_MEM_BASES"},
    NumberedName{G::kGfx12, G::kGfx12, 15, "HW_REG_PERF_SNAPSHOT_DATA1"},
    NumberedName{G::kGfx9, G::kGfx10, 16, "HW_REG_TBA_LO"},
    NumberedName{G::kGfx9, G::kGfx10, 17, "HW_REG_TBA_HI"},
    NumberedName{G::kGfx9, G::kGfx10, 18, "HW_REG_TMA_LO"},
    NumberedName{G::kGfx9, G::kGfx10, 19, "HW_REG_TMA_HI"},
    NumberedName{G::kGfx12, G::kGfx12, 16, "HW_REG_PERF_SNAPSHOT_DATA2"},
    NumberedName{G::kGfx12, G::kGfx12, 17, "HW_REG_EXCP_FLAG_PRIV"},
    NumberedName{G::kGfx11, G::kGfx11, 18, "HW_REG_PERF_SNAPSHOT_PC_LO"},
    NumberedName{G::kGfx12, G::kGfx12, 18, "HW_REG_EXCP_FLAG_USER"},
    NumberedName{G::kGfx11, G::kGfx11, 19, "HW_REG_PERF_SNAPSHOT_PC_HI"},
    NumberedName{G::kGfx12, G::kGfx12, 19, "HW_REG_TRAP_CTRL"},
    NumberedName{G::kGfx10, G::kGfx11, 20, "HW_REG_FLAT_SCR_LO"},
    NumberedName{G::kGfx12, G::kGfx12, 20, "HW_REG_SCRATCH_BASE_LO"},
    NumberedName{G::kGfx10, G::kGfx11, 21, "HW_REG_FLAT_SCR_HI"},
    NumberedName{G::kGfx12, G::kGfx12, 21, "HW_REG_SCRATCH_BASE_HI"},
    NumberedName{G::kGfx10, G::kGfx12, 23, "HW_REG_HW_ID1"},
    NumberedName{G::kGfx10, G::kGfx12, 24, "HW_REG_HW_ID2"},
    NumberedName{G::kGfx10, G::kGfx10, 25, "HW_REG_POPS_PACKER"},
    NumberedName{G::kGfx11, G::kGfx11, 27, "HW_REG_PERF_SNAPSHOT_DATA"},
    NumberedName{G::kGfx10, G::kGfx11, 29, "HW_REG_SHADER_CYCLES"},
    NumberedName{G::kGfx12, G::kGfx12, 29, "HW_REG_SHADER_CYCLES_LO"},
    NumberedName{G::kGfx12, G::kGfx12, 30, "HW_REG_SHADER_CYCLES_HI"},
    NumberedName{G::kGfx12, G::kGfx12, 31, "HW_REG_DVGPR_ALLOC_LO"},
    NumberedName{G::kGfx12, G::kGfx12, 32, "HW_REG_DVGPR_ALLOC_HI"},
};

// Of CDNA 3 and later, beside those of gfx9.
constexpr std::array kCdna3HardwareRegisters = {
    NumberedName{G::kGfx9, G::kGfx9, 20, "HW_REG_XCC_ID"},
    NumberedName{G::kGfx9, G::kGfx9, 21, "HW_REG_SQ_PERF_SNAPSHOT_DATA"},
    NumberedName{G::kGfx9, G::kGfx9, 22, "HW_REG_SQ_PERF_SNAPSHOT_DATA1"},
    NumberedName{G::kGfx9, G::kGfx9, 23, "HW_REG_SQ_PERF_SNAPSHOT_PC_LO"},
    NumberedName{G::kGfx9, G::kGfx9, 24, "HW_REG_SQ_PERF_SNAPSHOT_PC_HI"},
};

constexpr std::array kMessages = {
    NumberedName{G::kGfx9, G::kGfx12, 1, "MSG_INTERRUPT"},
    NumberedName{G::kGfx9, G::kGfx10, 2, "MSG_GS"},
    NumberedName{G::kGfx11, G::kGfx12, 2, "MSG_HS_TESSFACTOR"},
    NumberedName{G::kGfx9, G::kGfx10, 3, "MSG_GS_DONE"},
    NumberedName{G::kGfx11, G::kGfx12, 3, "MSG_DEALLOC_VGPRS"},
    NumberedName{G::kGfx9, G::kGfx10, 4, "MSG_SAVEWAVE"},
    NumberedName{G::kGfx9, G::kGfx11, 5, "MSG_STALL_WAVE_GEN"},
    NumberedName{G::kGfx9, G::kGfx11, 6, "MSG_HALT_WAVES"},
    NumberedName{G::kGfx9, G::kGfx10, 7, "MSG_ORDERED_PS_DONE"},
    NumberedName{G::kGfx9, G::kGfx10, 8, "MSG_EARLY_PRIM_DEALLOC"},
    NumberedName{G::kGfx9, G::kGfx12, 9, "MSG_GS_ALLOC_REQ"},
    NumberedName{G::kGfx9, G::kGfx10, 10, "MSG_GET_DOORBELL"},
    NumberedName{G::kGfx10, G::kGfx10, 11, "MSG_GET_DDID"},
    NumberedName{G::kGfx9, G::kGfx10, 15, "MSG_SYSMSG"},
    NumberedName{G::kGfx11, G::kGfx12, 128, "MSG_RTN_GET_DOORBELL"},
    NumberedName{G::kGfx11, G::kGfx12, 129, "MSG_RTN_GET_DDID"},
    NumberedName{G::kGfx11, G::kGfx12, 130, "MSG_RTN_GET_TMA"},
    NumberedName{G::kGfx11, G::kGfx12, 131, "MSG_RTN_GET_REALTIME"},
    NumberedName{G::kGfx11, G::kGfx12, 132, "MSG_RTN_SAVE_WAVE"},
    NumberedName{G::kGfx11, G::kGfx12, 133, "MSG_RTN_GET_TBA"},
    NumberedName{G::kGfx11, G::kGfx12, 134, "MSG_RTN_GET_TBA_TO_PC"},
    NumberedName{G::kGfx12, G::kGfx12, 135, "MSG_RTN_GET_SE_AID_ID"},
};

std::string name_or_number(std::span<const NumberedName> names, G generation,
                           std::uint64_t number) {
  for (const NumberedName& name : names) {
    if (name.number == number && generation >= name.first && generation <= name.last) {
      return std::string(name.name);
    }
  }
  return concat(number);
}

bool is_number(std::string_view text) {
  return text.front() >= '0' && text.front() <= '9';
}

std::string hardware_register_name(const FormView& view, std::uint64_t number) {
  std::string name = name_or_number(kHardwareRegisters, view.generation, number);
  const bool is_cdna3 = view.set.id == "amd/cdna3" || view.set.id == "amd/cdna4";
  if (!is_cdna3 || !is_number(name)) return name;
  return name_or_number(kCdna3HardwareRegisters, view.generation, number);
}

std::string hardware_register_text(const FormView& view, std::uint64_t value) {
  const std::uint64_t offset = value >> 6 & 31;
  const std::uint64_t size = (value >> 11 & 31) + 1;
  std::string out = concat("hwreg(", hardware_register_name(view, value & 63));
  if (offset != 0 || size != 32) out += concat(", ", offset, ", ", size);
  return out + ')';
}

// The operation of a message to the geometry stage or to the system, before gfx11.
std::string_view operation_name(std::uint64_t message, std::uint64_t operation) {
  constexpr std::array<std::string_view, 4> kGeometry = {"GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT",
                                                         "GS_OP_EMIT_CUT"};
  constexpr std::array<std::string_view, 5> kSystem = {
      "", "SYSMSG_OP_ECC_ERR_INTERRUPT", "SYSMSG_OP_REG_RD", "", "SYSMSG_OP_TTRACE_PC"};
  if ((message == 2 || message == 3) && operation < kGeometry.size()) return kGeometry[operation];
  if (message == 15 && operation < kSystem.size()) return kSystem[operation];
  return {};
}

// Before gfx11 a message to the geometry stage has an operation and most of these a stream; one to
// the system has an operation.
std::string old_message_text(G generation, std::uint64_t value) {
  constexpr std::uint64_t kGeometry = 2;
  constexpr std::uint64_t kGeometryDone = 3;
  constexpr std::uint64_t kSystem = 15;
  const std::uint64_t message = value & 15;
  const std::uint64_t operation = value >> 4 & 7;
  const std::uint64_t stream = value >> 8 & 3;
  if (value != (message | operation << 4 | stream << 8)) return concat(value);
  std::string numbers = concat("sendmsg(", message, ", ", operation, ", ", stream, ')');
  const std::string name = name_or_number(kMessages, generation, message);
  if (is_number(name)) return numbers;
  const bool has_stream = (message == kGeometry || message == kGeometryDone) && operation != 0;
  const bool has_operation = has_stream || message == kGeometryDone || message == kSystem;
  if (!has_stream && stream != 0) return numbers;
  if (!has_operation) {
    return operation == 0 && message != kGeometry ? concat("sendmsg(", name, ')') : numbers;
  }
  const std::string_view operation_text = operation_name(message, operation);
  if (operation_text.empty()) return numbers;
  if (!has_stream) return concat("sendmsg(", name, ", ", operation_text, ')');
  return concat("sendmsg(", name, ", ", operation_text, ", ", stream, ')');
}

std::string message_text(G generation, std::uint64_t value) {
  if (generation < G::kGfx11) return old_message_text(generation, value);
  if (value > 0xff) return concat(value);
  const std::string name = name_or_number(kMessages, generation, value);
  return is_number(name) ? concat("sendmsg(", name, ", 0, 0)") : concat("sendmsg(", name, ')');
}

std::string delay_name(std::uint64_t id) {
  if (id == 0) return "NO_DEP";
  if (id <= 4) return concat("VALU_DEP_", id);
  if (id <= 7) return concat("TRANS32_DEP_", id - 4);
  if (id == 8) return "FMA_ACCUM_CYCLE_1";
  if (id <= 11) return concat("SALU_CYCLE_", id - 8);
  return "/* invalid instid value */";
}

std::string delay_text(std::uint64_t value) {
  constexpr std::array<std::string_view, 6> kSkips = {"SAME",   "NEXT",   "SKIP_1",
                                                      "SKIP_2", "SKIP_3", "SKIP_4"};
  const std::uint64_t first = value & 15;
  const std::uint64_t skip = value >> 4 & 7;
  const std::uint64_t second = value >> 7 & 15;
  std::string out;
  const auto add = [&](std::string_view name, std::string_view text) {
    out += concat(out.empty() ? "" : " | ", name, '(', text, ')');
  };
  if (first != 0) add("instid0", delay_name(first));
  if (skip != 0) {
    add("instskip", skip < kSkips.size() ? kSkips[skip] : "/* invalid instskip value */");
  }
  if (second != 0) add("instid1", delay_name(second));
  return out.empty() ? "0" : out;
}

struct WaitCounter {
  std::string_view field;
  std::string_view name;
  Field usual;  // where it lies if the operand type does not say it
};

Field bits_from(std::uint16_t offset, std::uint16_t count) {
  Field field;
  field.ranges = {{offset, count}};
  return field;
}

// The counters of s_waitcnt lie where the operand type says. One that is at its most waits for
// nothing and is not written, unless all are.
std::string wait_count_text(const OperandType& type, std::uint64_t value) {
  const std::array counters = {WaitCounter{"VM", "vmcnt", bits_from(10, 6)},
                               WaitCounter{"EXP", "expcnt", bits_from(0, 3)},
                               WaitCounter{"LGKM", "lgkmcnt", bits_from(4, 6)}};
  const std::array<std::uint32_t, 1> words = {static_cast<std::uint32_t>(value)};
  constexpr std::array<std::uint32_t, 1> kOnes = {0xffffffff};
  std::string some;
  std::string all;
  for (const WaitCounter& counter : counters) {
    const auto field = std::find_if(type.fields.begin(), type.fields.end(),
                                    [&](const Field& f) { return f.name == counter.field; });
    const Field& bits = field == type.fields.end() ? counter.usual : *field;
    const std::uint64_t count = raw_field_value(bits, words);
    const std::string text = concat(counter.name, '(', count, ')');
    if (count != raw_field_value(bits, kOnes)) some += concat(some.empty() ? "" : " ", text);
    all += concat(all.empty() ? "" : " ", text);
  }
  return some.empty() ? all : some;
}

std::string dependency_text(std::uint64_t value) {
  struct Counter {
    std::string_view name;
    std::uint32_t offset;
    std::uint32_t most;
  };
  constexpr std::array kCounters = {
      Counter{"depctr_hold_cnt", 7, 1},  Counter{"depctr_sa_sdst", 0, 1},
      Counter{"depctr_va_vdst", 12, 15}, Counter{"depctr_va_sdst", 9, 7},
      Counter{"depctr_va_ssrc", 8, 1},   Counter{"depctr_va_vcc", 1, 1},
      Counter{"depctr_vm_vsrc", 2, 7}};
  constexpr std::uint64_t kUnused = 0x60;
  if ((value & kUnused) != 0) return hex_text(value);
  std::string some;
  std::string all;
  for (const Counter& counter : kCounters) {
    const std::uint64_t count = value >> counter.offset & counter.most;
    const std::string text = concat(counter.name, '(', count, ')');
    if (count != counter.most) some += concat(some.empty() ? "" : " ", text);
    all += concat(all.empty() ? "" : " ", text);
  }
  return some.empty() ? all : some;
}

// Which operands an index register moves.
std::string index_mode_text(std::uint64_t value) {
  constexpr std::array<std::string_view, 4> kOperands = {"SRC0", "SRC1", "SRC2", "DST"};
  if (value > 15) return hex_text(value);
  std::string out;
  for (std::size_t i = 0; i < kOperands.size(); ++i) {
    if ((value >> i & 1) != 0) out += concat(out.empty() ? "" : ",", kOperands[i]);
  }
  return concat("gpr_idx(", out, ')');
}

// Numbers of SOPP and SOPK that assemblers write in hexadecimal, by the start of the mnemonic.
bool is_written_in_hexadecimal(const FormView& view) {
  if (view.encoding.name.find("SOPK") != std::string::npos) return true;
  constexpr std::array<std::string_view, 7> kStarts = {
      "S_WAIT_",         "S_TTRACEDATA_IMM", "S_ROUND_MODE", "S_SET_INST_PREFETCH",
      "S_INST_PREFETCH", "S_CLAUSE",         "S_SINGLEUSE"};
  return std::any_of(kStarts.begin(), kStarts.end(),
                     [&](std::string_view start) { return view.name().starts_with(start); });
}

// The version of microcode that a kernel is for, and what else it must know.
std::string version_text(std::uint64_t value) {
  struct Named {
    std::uint64_t value;
    std::string_view name;
  };
  constexpr std::array kVersions = {Named{0, "UC_VERSION_GFX7"}, Named{4, "UC_VERSION_GFX10"},
                                    Named{6, "UC_VERSION_GFX11"}, Named{9, "UC_VERSION_GFX12"}};
  constexpr std::array kBits = {Named{0x2000, "UC_VERSION_W64_BIT"},
                                Named{0x4000, "UC_VERSION_W32_BIT"},
                                Named{0x8000, "UC_VERSION_MDP_BIT"}};
  constexpr std::uint64_t kUnused = 0x1f00;
  if ((value & kUnused) != 0) return hex_text(value);
  std::string text = concat(value & 0xff);
  for (const Named& version : kVersions) {
    if (version.value == (value & 0xff)) text = version.name;
  }
  std::size_t parts = 1;
  for (const Named& bit : kBits) {
    if ((value & bit.value) == 0) continue;
    if (parts++ > 1) text = concat('(', text, ')');
    text += concat('|', bit.name);
  }
  return text;
}

std::string export_target_text(std::uint64_t target) {
  if (target < 8) return concat("mrt", target);
  if (target == 8) return "mrtz";
  if (target == 9) return "null";
  if (target >= 12 && target <= 16) return concat("pos", target - 12);
  if (target == 20) return "prim";
  if (target == 21 || target == 22) return concat("dual_src_blend", target - 21);
  return concat("invalid_target_", target);
}

std::string attribute_text(const FormView& view) {
  constexpr std::string_view kChannels = "xyzw";
  return concat("attr", view.value(FieldId::kAttribute), '.',
                kChannels[view.value(FieldId::kAttributeChannel) & 3]);
}

}  // namespace

std::optional<std::string> immediate_text(const FormView& view, const Operand& operand,
                                          std::uint64_t value) {
  const std::string_view type = view.type_name(operand);
  if (type == "OPR_LABEL") return view.label.empty() ? concat(value) : std::string(view.label);
  if (type == "OPR_HWREG") return hardware_register_text(view, value);
  if (type == "OPR_SENDMSG" || type == "OPR_SENDMSG_RTN") {
    return message_text(view.generation, value);
  }
  if (type == "OPR_DELAY") return delay_text(value);
  if (type == "OPR_WAITCNT" || view.name() == "S_WAITCNT") {
    return wait_count_text(view.set.operand_types[operand.operand_type], value);
  }
  if (type == "OPR_WAITCNT_DEPCTR" || type == "OPR_WAIT_ALU") return dependency_text(value);
  if (type == "OPR_SIMM4" || view.name() == "S_SET_GPR_IDX_MODE") return index_mode_text(value);
  if (type == "OPR_CLAUSE" || type == "OPR_WAIT_EVENT" || type == "OPR_WAIT_MEM_DS") {
    return hex_text(value);
  }
  if (type == "OPR_VERSION") return version_text(value);
  if (type == "OPR_SLEEP") {
    return short_or_hex_text(static_cast<std::uint32_t>(value));
  }
  if (type == "OPR_TGT") return export_target_text(value);
  if (type == "OPR_ATTR") return attribute_text(view);
  if (type == "OPR_SIMM5" || type == "OPR_SIMM8") return concat(value);
  if (type == "OPR_SIMM16") {
    if (view.name() == "S_ENDPGM") return value == 0 ? std::string() : concat(value);
    return is_written_in_hexadecimal(view) ? hex_text(value)
                                           : short_or_hex_text(static_cast<std::uint32_t>(value));
  }
  return std::nullopt;
}

}  // namespace halyard::isa
