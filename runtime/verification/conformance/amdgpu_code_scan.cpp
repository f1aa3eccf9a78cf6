// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/amdgpu_code_scan.h"

#include "capability-descriptors/isa/instruction_decoder.h"
#include "capability-descriptors/isa/operand_text.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace halyard::verification {
namespace {

using isa::DecodedInstruction;
using Words = std::span<const std::uint32_t>;

constexpr std::size_t kMostCodeBytes = std::size_t{16} << 20;

// Instructions that no kernel may have, by the start of their name.
constexpr auto kForbidden = std::to_array<std::string_view>({
    "S_TRAP",
    "S_SENDMSGHALT",
    "S_SENDMSG_RTN",
    "S_SETHALT",
    "S_RFE",
    "S_SETKILL",
    "S_CBRANCH_CDBG",
    "S_CBRANCH_G_FORK",
    "S_CBRANCH_I_FORK",
    "S_CBRANCH_JOIN",
    "S_ENDPGM_SAVED",
    "S_ENDPGM_ORDERED_PS_DONE",
    "S_SETVSKIP",
    "S_TTRACEDATA",
    "S_ATC_PROBE",
    "DS_GWS_",
});
constexpr std::string_view kGiveBack = "s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)";
constexpr std::string_view kReturn = "s_setpc_b64 s[30:31]";

// Part of a hardware register.
struct RegisterField {
  std::string_view name;
  unsigned offset = 0;
  unsigned bits = 0;
};

std::optional<unsigned> number_at(std::string_view text) {
  unsigned value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc()) return std::nullopt;
  return value;
}

// Of "hwreg(HW_REG_MODE, 4, 2)" anywhere in a text; a register without offset and width is whole.
std::optional<RegisterField> register_field(std::string_view text) {
  constexpr std::string_view kStart = "hwreg(";
  const std::size_t at = text.find(kStart);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = text.substr(at + kStart.size());
  rest = rest.substr(0, rest.find(')'));
  RegisterField field{rest.substr(0, rest.find(',')), 0, 32};
  const std::size_t first = rest.find(", ");
  if (first == std::string_view::npos) return field;
  const std::size_t second = rest.find(", ", first + 2);
  if (second == std::string_view::npos) return std::nullopt;
  const auto offset = number_at(rest.substr(first + 2));
  const auto bits = number_at(rest.substr(second + 2));
  if (!offset || !bits) return std::nullopt;
  field.offset = *offset;
  field.bits = *bits;
  return field;
}

// The low eight bits of the mode with which a kernel starts.
std::uint32_t initial_mode(const object::KernelDescriptor& descriptor) {
  using Field = object::KernelField;
  return descriptor.field(Field::kFloatRoundMode32) |
         descriptor.field(Field::kFloatRoundMode16And64) << 2 |
         descriptor.field(Field::kFloatDenormMode32) << 4 |
         descriptor.field(Field::kFloatDenormMode16And64) << 6;
}

class AmdgpuScan {
 public:
  AmdgpuScan(const object::AmdgpuObject& object, const AmdgpuExpectation& expectation,
             isa::InstructionDecoder decoder, FindingList& findings)
      : object_(object),
        expectation_(expectation),
        set_(*expectation.instruction_set),
        decoder_(std::move(decoder)),
        writer_(set_, object.target.generation() >= 10 ? 32 : 64),
        findings_(findings) {}

  void run() {
    find_functions();
    for (const object::ElfSegment& segment : object_.elf.segments) {
      if (segment.type == PT_LOAD && (segment.flags & PF_X) != 0) scan(segment);
    }
  }

 private:
  void find_functions();
  void scan(const object::ElfSegment& segment);
  void look_at(const DecodedInstruction& decoded, Words rest);
  void look_at_part(const isa::DecodedForm& form, const DecodedInstruction& decoded, Words rest);
  void refuse_unknown(Words rest);
  void check_jump(const std::string& text, std::string_view name);
  void check_register_write(const std::string& text);
  void end_function();
  std::string name_elsewhere(Words rest) const;
  bool is_code(std::uint64_t address) const;

  const object::AmdgpuObject& object_;
  const AmdgpuExpectation& expectation_;
  const isa::InstructionSet& set_;
  isa::InstructionDecoder decoder_;
  isa::InstructionWriter writer_;
  FindingList& findings_;
  std::set<std::uint64_t> kernel_entries_;
  std::map<std::uint64_t, std::uint32_t> functions_;  // the mode that each starts with
  // Of the instruction that is looked at, and of the function that it is in:
  std::uint64_t address_ = 0;
  std::uint32_t mode_at_start_ = 0;
  std::uint32_t changed_mode_ = 0;  // bits that differ, as far as was seen
  std::uint64_t change_address_ = 0;
  bool is_kernel_ = false;   // and no function that returns
  bool keeps_mode_ = false;  // has read the mode, to write it back
  // s[N:N+1] that hold an address of the code, as far as their low half was computed.
  std::map<unsigned, std::uint64_t> code_addresses_;
};

void AmdgpuScan::find_functions() {
  const std::uint32_t usual =
      object_.kernels.empty() ? 0 : initial_mode(object_.kernels.front().descriptor);
  for (const object::ElfSymbol& symbol : object_.elf.symbols) {
    if (symbol.type == STT_FUNC && symbol.section != object::kNoSection) {
      functions_.emplace(symbol.address, usual);
    }
  }
  for (const object::ObjectKernel& kernel : object_.kernels) {
    functions_[kernel.entry_address] = initial_mode(kernel.descriptor);
    kernel_entries_.insert(kernel.entry_address);
  }
}

bool AmdgpuScan::is_code(std::uint64_t address) const {
  return std::any_of(object_.elf.segments.begin(), object_.elf.segments.end(),
                     [&](const object::ElfSegment& segment) {
                       return segment.type == PT_LOAD && (segment.flags & PF_X) != 0 &&
                              address >= segment.address &&
                              address - segment.address < segment.bytes.size();
                     });
}

void AmdgpuScan::scan(const object::ElfSegment& segment) {
  if (segment.bytes.size() > kMostCodeBytes) {
    return findings_.refuse("has ", segment.bytes.size(), " bytes of code, more than ",
                            kMostCodeBytes);
  }
  if (segment.bytes.size() != segment.memory_bytes || segment.bytes.size() % 4 != 0 ||
      segment.address % 4 != 0) {
    findings_.refuse("has code of ", segment.bytes.size(), " bytes in the file and ",
                     segment.memory_bytes, " in memory (address ", hexadecimal(segment.address),
                     "), which is no row of dwords");
  }
  std::vector<std::uint32_t> words(segment.bytes.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), segment.bytes.data(), words.size() * 4);
  // Nothing that was read before a function counts in it.
  end_function();
  for (std::size_t at = 0; at < words.size() && !findings_.is_full();) {
    address_ = segment.address + at * 4;
    const auto function = functions_.find(address_);
    if (function != functions_.end()) {
      end_function();
      mode_at_start_ = function->second;
      is_kernel_ = kernel_entries_.contains(address_);
    }
    const Words rest = Words(words).subspan(at);
    DecodedInstruction decoded;
    if (!decoder_.decode(rest, &decoded)) {
      refuse_unknown(rest);
      ++at;
      continue;
    }
    look_at(decoded, rest);
    at += decoded.size_bytes / 4;
  }
  end_function();
}

std::string AmdgpuScan::name_elsewhere(Words rest) const {
  for (const isa::InstructionSet* other : expectation_.other_instruction_sets) {
    const auto decoder = isa::InstructionDecoder::create(*other);
    DecodedInstruction decoded;
    if (!decoder || !decoder->decode(rest, &decoded)) continue;
    return base::concat(" (", other->instructions[decoded.first.instruction].name, " of ",
                        other->id, ")");
  }
  return "";
}

void AmdgpuScan::refuse_unknown(Words rest) {
  findings_.refuse("has at ", hexadecimal(address_), " what is no instruction of ",
                   object_.target.processor, ": ", hexadecimal(rest[0]), name_elsewhere(rest));
}

void AmdgpuScan::look_at(const DecodedInstruction& decoded, Words rest) {
  look_at_part(decoded.first, decoded, rest);
  if (decoded.second.instruction != isa::kNoIndex) look_at_part(decoded.second, decoded, rest);
  if (const auto distance = writer_.branch_distance(decoded, rest)) {
    const std::uint64_t to =
        address_ + decoded.size_bytes + static_cast<std::uint64_t>(*distance) * 4;
    if (!is_code(to)) {
      findings_.refuse("branches from ", hexadecimal(address_), " to ", hexadecimal(to),
                       ", which is not in its code");
    }
  }
}

void AmdgpuScan::look_at_part(const isa::DecodedForm& form, const DecodedInstruction& decoded,
                              Words rest) {
  const std::string_view name = set_.instructions[form.instruction].name;
  const bool is_forbidden =
      std::any_of(kForbidden.begin(), kForbidden.end(),
                  [&](std::string_view start) { return name.starts_with(start); });
  if (is_forbidden) {
    return findings_.refuse("has at ", hexadecimal(address_),
                            " what no kernel may do: ", writer_.text(decoded, rest));
  }
  // Every write of a pair of scalar registers goes through these, where compilers make addresses.
  if (!name.starts_with("S_")) return;
  const std::string text = writer_.text(decoded, rest);
  if (name == "S_SENDMSG") {
    if (!text.starts_with(kGiveBack)) {
      findings_.refuse("has at ", hexadecimal(address_), " what no kernel may do: ", text);
    }
  } else if (name.starts_with("S_SETREG")) {
    check_register_write(text);
  } else if (name == "S_GETREG_B32") {
    const auto field = register_field(text);
    keeps_mode_ = keeps_mode_ || (field && field->name == "HW_REG_MODE");
  } else {
    check_jump(text, name);
  }
}

// Follows "s_getpc_b64 s[4:5]", "s_add_u32 s4, s4, 0x1234" and what goes there.
void AmdgpuScan::check_jump(const std::string& text, std::string_view name) {
  const std::size_t space = text.find(' ');
  const std::string_view operands =
      space == std::string::npos ? std::string_view{} : std::string_view(text).substr(space + 1);
  if (name == "S_GETPC_B64") {
    if (const auto pair = number_at(operands.substr(std::min<std::size_t>(2, operands.size())))) {
      code_addresses_[*pair] = address_ + 4;
    }
    return;
  }
  if (name == "S_SETPC_B64" || name == "S_SWAPPC_B64") {
    if (text == kReturn && !is_kernel_) return;
    const std::size_t source = operands.rfind("s[");
    const auto pair =
        source == std::string_view::npos ? std::nullopt : number_at(operands.substr(source + 2));
    const auto known = pair ? code_addresses_.find(*pair) : code_addresses_.end();
    if (known == code_addresses_.end()) {
      findings_.refuse("goes at ", hexadecimal(address_), " to an address that its code does not ",
                       "give: ", text);
    } else if (!is_code(known->second)) {
      findings_.refuse("goes at ", hexadecimal(address_), " to ", hexadecimal(known->second),
                       ", which is not in its code: ", text);
    }
    return;
  }
  if (operands.size() < 2 || operands[0] != 's') return;
  const bool is_pair = operands[1] == '[';
  const auto written = number_at(operands.substr(is_pair ? 2 : 1));
  if (!written) return;
  const auto known = code_addresses_.find(*written);
  if ((name == "S_ADD_U32" || name == "S_ADD_CO_U32") && known != code_addresses_.end()) {
    const std::size_t last = operands.rfind(", ");
    const std::string_view addend = operands.substr(last + 2);
    const bool is_hexadecimal = addend.starts_with("0x");
    std::int64_t value = 0;
    const std::string_view digits = addend.substr(is_hexadecimal ? 2 : 0);
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value,
                                     is_hexadecimal ? 16 : 10);
    if (end.ec == std::errc() && end.ptr == digits.data() + digits.size()) {
      known->second += static_cast<std::uint64_t>(
          std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(value))});
      return;
    }
  }
  // The high half, which the carry of the low half goes into, or its extended sign.
  const bool is_high = (name == "S_ADDC_U32" || name == "S_ADD_CO_CI_U32") && *written > 0 &&
                       code_addresses_.contains(*written - 1);
  if (is_high || name == "S_SEXT_I32_I16") return;
  if (name.starts_with("S_CMP") || name.starts_with("S_BITCMP")) return;
  code_addresses_.erase(*written);
  if (*written > 0) code_addresses_.erase(*written - 1);
}

void AmdgpuScan::check_register_write(const std::string& text) {
  const auto field = register_field(text);
  constexpr unsigned kModeBits = 8;
  if (!field || field->name != "HW_REG_MODE" || field->offset + field->bits > kModeBits) {
    return findings_.refuse("has at ", hexadecimal(address_), " a write to a register of the ",
                            "hardware that no kernel needs: ", text);
  }
  const std::uint32_t mask = ((1U << field->bits) - 1) << field->offset;
  const std::string_view value = std::string_view(text).substr(text.rfind(", ") + 2);
  const bool is_hexadecimal = value.starts_with("0x");
  std::uint32_t number = 0;
  const std::string_view digits = value.substr(is_hexadecimal ? 2 : 0);
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), number,
                                   is_hexadecimal ? 16 : 10);
  const bool is_number = end.ec == std::errc() && end.ptr == digits.data() + digits.size();
  if (is_number) {
    const std::uint32_t differs = (number << field->offset ^ mode_at_start_) & mask;
    changed_mode_ = (changed_mode_ & ~mask) | differs;
  } else if (keeps_mode_) {
    changed_mode_ &= ~mask;
  } else {
    changed_mode_ |= mask;
  }
  if ((changed_mode_ & mask) != 0) change_address_ = address_;
}

void AmdgpuScan::end_function() {
  if (changed_mode_ != 0) {
    findings_.refuse("changes the rounding or denormal mode at ", hexadecimal(change_address_),
                     " (bits ", hexadecimal(changed_mode_), ") and does not restore it");
  }
  changed_mode_ = 0;
  keeps_mode_ = false;
  code_addresses_.clear();
}

}  // namespace

void scan_amdgpu_code(const object::AmdgpuObject& object, const AmdgpuExpectation& expectation,
                      FindingList& findings) {
  auto decoder = isa::InstructionDecoder::create(*expectation.instruction_set);
  if (!decoder) {
    return findings.refuse("cannot be held against the instructions of its target (",
                           reason_of(decoder.error()), ")");
  }
  AmdgpuScan(object, expectation, std::move(*decoder), findings).run();
}

}  // namespace halyard::verification
