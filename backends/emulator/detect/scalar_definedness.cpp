// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/bit_definedness.h"
#include "backends/emulator/detect/vector_definedness.h"

#include <utility>

namespace halyard::emulator {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

Bits read(const Wave& wave, const RegisterShadow& shadow, const Operand& operand) {
  if (operand.kind == OperandKind::kConstant) return {operand.constant, 0};
  if (operand.kind == OperandKind::kScc) return {wave.scc, shadow.scc() ? 1U : 0U};
  if (!operand.is_scalar()) return {};
  Bits bits{wave.scalar[operand.index], shadow.scalar(operand.index)};
  if (operand.dwords > 1) {
    bits.value |= std::uint64_t{wave.scalar[operand.index + 1U]} << 32;
    bits.undefined |= std::uint64_t{shadow.scalar(operand.index + 1U)} << 32;
  }
  return bits;
}

std::uint64_t packed(std::string_view name, Bits low, Bits high) {
  // "S_PACK_LH_B32_B16": which half of each source.
  if (name[7] == 'H') low.undefined >>= 16;
  if (name[8] == 'H') high.undefined >>= 16;
  return (low.undefined & 0xffff) | (high.undefined & 0xffff) << 16;
}

class ScalarRules {
 public:
  ScalarRules(const Wave& wave, RegisterShadow& shadow, const Operation& operation,
              const OperationFacts& facts)
      : wave_(wave),
        shadow_(shadow),
        operation_(operation),
        facts_(facts) {
    for (unsigned i = 0; i < source_.size(); ++i)
      source_[i] = read(wave, shadow, operation.source[i]);
    width_ = operation.destination[0].dwords > 1 ? 64 : 32;
  }

  // Of the result.
  std::uint64_t undefined() const {
    if (facts_.rule == DefinednessRule::kSelect) return selected();
    if (operation_.name.starts_with("S_CMOV")) return moved();
    if (operation_.name.starts_with("S_BITCMP")) return tested_bit();
    switch (facts_.rule) {
      case DefinednessRule::kCarry:
        if (facts_.reads_scc && shadow_.scc()) return kAll;
        break;
      case DefinednessRule::kAny: {
        const bool any = any_source() || (facts_.reads_scc && shadow_.scc()) ||
                         (facts_.accumulates && old_destination() != 0);
        return any ? kAll : 0;
      }
      case DefinednessRule::kPackHalves:
        return packed(operation_.name, source_[0], source_[1]);
      case DefinednessRule::kShiftLeft:
      case DefinednessRule::kShiftRight:
      case DefinednessRule::kShiftArithmetic:
        if (operation_.name.starts_with("S_"))
          return undefined_bits(facts_.rule, {source_[1], source_[0], {}}, width_);
        break;
      case DefinednessRule::kExtractUnsigned:
      case DefinednessRule::kExtractSigned: {
        const Bits& how = source_[1];
        const Bits from{how.value & 31, how.undefined & 31};
        const Bits count{how.value >> 16 & 127, how.undefined >> 16 & 127};
        if (count.value > 31 && count.undefined == 0) return source_[0].undefined;
        return undefined_bits(facts_.rule, {source_[0], from, count}, width_);
      }
      default:
        break;
    }
    return undefined_bits(facts_.rule, source_, width_);
  }

  // SCC says whether the result is not zero: one bit that is known to be set tells it.
  bool is_known_not_zero() const {
    const Bits& a = source_[0];
    const Bits& b = source_[1];
    switch (facts_.rule) {
      case DefinednessRule::kAnd:
        return operation_.name.starts_with("S_AND") && (a.known_ones() & b.known_ones()) != 0;
      case DefinednessRule::kAndNot:
        return (a.known_ones() & b.known_zeros()) != 0;
      case DefinednessRule::kOr:
        return operation_.name.starts_with("S_OR") && (a.known_ones() | b.known_ones()) != 0;
      default:
        return false;
    }
  }

  void use_exec_as_second_source() {
    source_[1] = {wave_.exec(), 0};
    width_ = wave_.lanes;
  }

 private:
  bool any_source() const {
    return (source_[0].undefined | source_[1].undefined | source_[2].undefined) != 0;
  }

  std::uint64_t old_destination() const {
    return read(wave_, shadow_, operation_.destination[0]).undefined;
  }

  std::uint64_t selected() const {
    if (shadow_.scc())
      return source_[0].undefined | source_[1].undefined | (source_[0].value ^ source_[1].value);
    return wave_.scc ? source_[0].undefined : source_[1].undefined;
  }

  std::uint64_t moved() const {
    if (shadow_.scc()) return kAll;
    return wave_.scc ? source_[0].undefined : old_destination();
  }

  std::uint64_t tested_bit() const {
    const unsigned amounts = operation_.source[0].dwords > 1 ? 63 : 31;
    if ((source_[1].undefined & amounts) != 0) return kAll;
    return source_[0].undefined >> (source_[1].value & amounts) & 1;
  }

  const Wave& wave_;
  const RegisterShadow& shadow_;
  const Operation& operation_;
  const OperationFacts& facts_;
  std::array<Bits, 3> source_;
  unsigned width_ = 32;
};

// Whether these bits of a register include one of EXEC that stands for a lane.
bool reaches_exec(const Operand& operand, std::uint64_t undefined, std::uint32_t lanes) {
  if (!operand.is_scalar()) return false;
  if (operand.index == kExecIndex) return (lanes == 64 ? undefined : undefined & 0xffffffff) != 0;
  return operand.index == kExecIndex + 1 && lanes == 64 && undefined != 0;
}

void write_destination(RegisterShadow& shadow, const Operand& operand, std::uint64_t undefined) {
  if (!operand.is_scalar()) return;
  for (unsigned i = 0; i < operand.dwords; ++i)
    shadow.set_scalar(operand.index + i,
                      static_cast<std::uint32_t>(i == 0 ? undefined : undefined >> 32));
}

}  // namespace

bool scalar_definedness(const Wave& wave, RegisterShadow& shadow, const Operation& operation,
                        const OperationFacts& facts) {
  ScalarRules rules(wave, shadow, operation, facts);
  if (facts.is_saveexec) rules.use_exec_as_second_source();
  const std::uint64_t undefined = rules.undefined();
  if (facts.writes_scc) shadow.set_scc(undefined != 0 && !rules.is_known_not_zero());
  if (facts.is_saveexec) {
    write_destination(shadow, operation.destination[0], 0);
    return wave.lanes == 64 ? undefined != 0 : (undefined & 0xffffffff) != 0;
  }
  if (reaches_exec(operation.destination[0], undefined, wave.lanes)) return true;
  write_destination(shadow, operation.destination[0], undefined);
  return false;
}

}  // namespace halyard::emulator
