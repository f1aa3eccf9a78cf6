// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/vector_definedness.h"

#include "backends/emulator/detect/bit_definedness.h"
#include "backends/emulator/detect/lane_source.h"

#include <algorithm>
#include <bit>

namespace halyard::emulator {
namespace {

constexpr std::uint32_t kAllBits = 0xffffffff;

// Reads what a lane sees of the sources.
class LaneReader {
 public:
  LaneReader(const Wave& wave, const RegisterShadow& shadow, const Operation& operation,
             const OperationFacts& facts)
      : wave_(wave),
        shadow_(shadow),
        operation_(operation),
        facts_(facts) {}

  // Up to 64 bits of a source.
  Bits read(unsigned source, unsigned lane) const {
    const Operand& operand = operation_.source[source];
    Bits bits;
    switch (operand.kind) {
      case OperandKind::kVector:
        bits = vector(operand, lane);
        break;
      case OperandKind::kScalar:
        bits.value = wave_.scalar[operand.index];
        bits.undefined = shadow_.scalar(operand.index);
        if (operand.dwords > 1) {
          bits.value |= std::uint64_t{wave_.scalar[operand.index + 1U]} << 32;
          bits.undefined |= std::uint64_t{shadow_.scalar(operand.index + 1U)} << 32;
        }
        break;
      case OperandKind::kConstant:
        bits.value = operand.constant;
        break;
      default:
        break;
    }
    const std::uint64_t relevant = facts_.relevant[std::min<std::size_t>(source, 2)];
    bits.undefined &= relevant;
    if (relevant == 0xffff0000) {
      bits.value >>= 16;
      bits.undefined >>= 16;
    }
    return bits;
  }

  // Whether any bit that takes part is undefined, of operands of any width.
  bool any(unsigned source, unsigned lane) const {
    const Operand& operand = operation_.source[source];
    if (is_mask(source)) return false;  // lane_of_mask() has it
    if (operand.dwords <= 2 || !operand.is_vector()) return read(source, lane).undefined != 0;
    std::uint32_t all = 0;
    for (unsigned i = 0; i < operand.dwords; ++i)
      all |= undefined(operand.index + i, lane);
    return all != 0;
  }

  bool is_mask(unsigned source) const {
    return source == 2 && facts_.mask_register != OperationFacts::kNoMask;
  }

  // The bit of the mask operand of this lane.
  Bits lane_of_mask(unsigned lane) const {
    if (facts_.mask_register == OperationFacts::kNoMask) return {};
    const unsigned dword = facts_.mask_register + lane / 32;
    return {wave_.scalar[dword] >> lane % 32 & 1, shadow_.scalar(dword) >> lane % 32 & 1U};
  }

  bool old_destination(unsigned lane) const {
    const Operand& operand = operation_.destination[0];
    std::uint32_t all = 0;
    for (unsigned i = 0; i < operand.dwords; ++i)
      all |= undefined(operand.index + i, lane);
    return (all & facts_.result_bits) != 0;
  }

  std::uint32_t undefined(unsigned row, unsigned lane) const {
    const std::uint32_t* const masks = shadow_.row(row);
    return masks ? masks[lane] : 0;
  }

 private:
  Bits vector(const Operand& operand, unsigned lane) const {
    Bits bits{wave_.row(operand.index)[lane], undefined(operand.index, lane)};
    if (operand.dwords > 1) {
      bits.value |= std::uint64_t{wave_.row(operand.index + 1U)[lane]} << 32;
      bits.undefined |= std::uint64_t{undefined(operand.index + 1U, lane)} << 32;
    }
    return bits;
  }

  const Wave& wave_;
  const RegisterShadow& shadow_;
  const Operation& operation_;
  const OperationFacts& facts_;
};

// What is found of one operation, lane by lane.
class LaneRules {
 public:
  LaneRules(const Wave& wave, const RegisterShadow& shadow, const Operation& operation,
            const OperationFacts& facts, VectorDefinedness& found)
      : wave_(wave),
        operation_(operation),
        facts_(facts),
        found_(found),
        reader_(wave, shadow, operation, facts),
        destination_dwords_(
            std::min<unsigned>(operation.destination[0].dwords, VectorDefinedness::kDwords)) {}

  void lane(unsigned lane) {
    unsigned source_lane = lane;
    bool takes_zero = false;
    if (const LanePermutation* const permutation = operation_.permutation) {
      if (!writes_lane(*permutation, lane)) return;
      const auto from = permuted_lane(*permutation, lane, wave_.lanes, wave_.exec());
      if (!from && !permutation->bound_control && !permutation->is_dpp8) return;
      takes_zero = !from;
      source_lane = from.value_or(lane);
    }
    found_.written |= std::uint64_t{1} << lane;
    for (unsigned i = 0; i < destination_dwords_; ++i)
      found_.undefined[i][lane] = 0;
    result(lane, [&](unsigned source) {
      if (source != 0) return reader_.read(source, lane);
      return takes_zero ? Bits{} : reader_.read(0, source_lane);
    });
  }

 private:
  template <typename Read>
  void result(unsigned lane, const Read& read) {
    switch (facts_.rule) {
      case DefinednessRule::kAny:
      case DefinednessRule::kWriteLane:
      case DefinednessRule::kMatrix:
        return set_all(lane, any(lane, read));
      case DefinednessRule::kSelect:
        return select(lane, read);
      case DefinednessRule::kCarry:
        if (reader_.lane_of_mask(lane).undefined != 0) return set_all(lane, true);
        if (any(lane, read)) found_.undefined_lanes |= std::uint64_t{1} << lane;
        break;
      case DefinednessRule::kPackedHalves:
        return packed_halves(lane);
      case DefinednessRule::kPackedDwords:
        return packed_dwords(lane);
      case DefinednessRule::kMixed:
        return set_all(lane, mixed(lane));
      case DefinednessRule::kPackHalves: {
        Bits low = read(0);
        Bits high = read(1);
        low.undefined >>= (operation_.op_sel & 1) != 0 ? 16 : 0;
        high.undefined >>= (operation_.op_sel & 2) != 0 ? 16 : 0;
        found_.undefined[0][lane] =
            static_cast<std::uint32_t>((low.undefined & 0xffff) | (high.undefined & 0xffff) << 16);
        return;
      }
      default:
        break;
    }
    const std::uint64_t undefined =
        undefined_bits(facts_.rule, {read(0), read(1), read(2)}, destination_dwords_ > 1 ? 64 : 32);
    const unsigned up = facts_.result_bits == 0xffff0000 ? 16 : 0;
    found_.undefined[0][lane] = static_cast<std::uint32_t>(undefined) << up;
    if (destination_dwords_ > 1)
      found_.undefined[1][lane] = static_cast<std::uint32_t>(undefined >> 32);
  }

  template <typename Read>
  bool any(unsigned lane, const Read& read) const {
    bool undefined = read(0).undefined != 0 || reader_.any(1, lane) || reader_.any(2, lane);
    undefined = undefined || reader_.lane_of_mask(lane).undefined != 0;
    return undefined || (facts_.accumulates && reader_.old_destination(lane));
  }

  template <typename Read>
  void select(unsigned lane, const Read& read) {
    const Bits mask = reader_.lane_of_mask(lane);
    const Bits zero = read(0);
    const Bits one = read(1);
    std::uint64_t undefined = (mask.value & 1) != 0 ? one.undefined : zero.undefined;
    if (mask.undefined != 0) undefined = zero.undefined | one.undefined | (zero.value ^ one.value);
    const unsigned up = facts_.result_bits == 0xffff0000 ? 16 : 0;
    found_.undefined[0][lane] = static_cast<std::uint32_t>(undefined) << up;
  }

  void packed_halves(unsigned lane) {
    std::uint32_t undefined = 0;
    for (const bool high : {false, true}) {
      const unsigned selection = high ? operation_.op_sel_hi : operation_.op_sel;
      std::uint64_t all = 0;
      for (unsigned source = 0; source < 3; ++source)
        all |= reader_.read(source, lane).undefined >> ((selection >> source & 1) != 0 ? 16 : 0) &
               0xffff;
      if (facts_.accumulates)
        all |= reader_.undefined(operation_.destination[0].index, lane) >> (high ? 16 : 0) & 0xffff;
      if (all != 0) undefined |= high ? 0xffff0000U : 0xffffU;
    }
    found_.undefined[0][lane] = undefined;
  }

  void packed_dwords(unsigned lane) {
    const bool moves = operation_.name == "V_PK_MOV_B32";
    for (unsigned dword = 0; dword < 2; ++dword) {
      std::uint64_t all = 0;
      for (unsigned source = 0; source < 3; ++source) {
        if (moves && source != dword) continue;
        const unsigned selection = moves || dword == 0 ? operation_.op_sel : operation_.op_sel_hi;
        all |= reader_.read(source, lane).undefined >> ((selection >> source & 1) != 0 ? 32 : 0) &
               kAllBits;
      }
      found_.undefined[dword][lane] = all != 0 ? kAllBits : 0;
    }
  }

  bool mixed(unsigned lane) const {
    std::uint64_t all = 0;
    for (unsigned source = 0; source < 3; ++source) {
      const std::uint64_t undefined = reader_.read(source, lane).undefined;
      const bool is_half = (operation_.op_sel_hi >> source & 1) != 0;
      const bool is_high = (operation_.op_sel >> source & 1) != 0;
      all |= is_half ? undefined >> (is_high ? 16 : 0) & 0xffff : undefined & kAllBits;
    }
    return all != 0;
  }

  void set_all(unsigned lane, bool undefined) {
    if (!undefined) return;
    found_.undefined_lanes |= std::uint64_t{1} << lane;
    for (unsigned i = 0; i < destination_dwords_; ++i)
      found_.undefined[i][lane] = kAllBits;
  }

  const Wave& wave_;
  const Operation& operation_;
  const OperationFacts& facts_;
  VectorDefinedness& found_;
  LaneReader reader_;
  unsigned destination_dwords_;
};

// A scalar from one lane.
void find_read_lane(const Wave& wave, const RegisterShadow& shadow, const Operation& operation,
                    const OperationFacts& facts, VectorDefinedness& found) {
  const LaneReader reader(wave, shadow, operation, facts);
  unsigned lane = 0;
  if (facts.rule == DefinednessRule::kReadFirstLane) {
    const std::uint64_t exec = wave.exec();
    lane = exec == 0 ? 0 : static_cast<unsigned>(std::countr_zero(exec));
  } else {
    const Bits which = reader.read(1, 0);
    if (which.undefined != 0) {
      found.undefined_scalar = kAllBits;
      return;
    }
    lane = static_cast<unsigned>(which.value % wave.lanes);
  }
  found.undefined_scalar = static_cast<std::uint32_t>(reader.read(0, lane).undefined);
}

void find_write_lane(const Wave& wave, const RegisterShadow& shadow, const Operation& operation,
                     const OperationFacts& facts, VectorDefinedness& found) {
  const LaneReader reader(wave, shadow, operation, facts);
  const Bits which = reader.read(1, 0);
  const auto lane = static_cast<unsigned>(which.value % wave.lanes);
  found.written = std::uint64_t{1} << lane;
  found.undefined[0][lane] =
      which.undefined != 0 ? kAllBits : static_cast<std::uint32_t>(reader.read(0, 0).undefined);
}

// v_permlane16_b32 and its like: lanes of a row from that row, or from the one beside it.
void find_row_lanes(const Wave& wave, const RegisterShadow& shadow, const Operation& operation,
                    const OperationFacts& facts, VectorDefinedness& found) {
  const LaneReader reader(wave, shadow, operation, facts);
  const bool is_crossed = operation.name.starts_with("V_PERMLANEX");
  const bool fetches_inactive = (operation.op_sel & 1) != 0;
  const std::uint64_t exec = wave.exec();
  found.written = exec;
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    if ((exec >> lane & 1) == 0) continue;
    unsigned source = lane ^ 32;
    if (facts.rule == DefinednessRule::kRowLanes) {
      const Bits selections = reader.read(lane % 16 < 8 ? 1 : 2, lane);
      const unsigned within = static_cast<unsigned>(selections.value >> 4 * (lane % 8) & 15);
      source = ((lane & ~15U) ^ (is_crossed ? 16U : 0U)) | within;
      if (selections.undefined != 0) source = wave.lanes;
    }
    if (source >= wave.lanes) {
      found.undefined[0][lane] = facts.rule == DefinednessRule::kRowLanes ? kAllBits : 0;
      continue;
    }
    const bool is_read =
        fetches_inactive || facts.rule == DefinednessRule::kOtherHalf || (exec >> source & 1) != 0;
    found.undefined[0][lane] =
        is_read ? static_cast<std::uint32_t>(reader.read(0, source).undefined) : 0;
  }
}

}  // namespace

void find_definedness(const Wave& wave, const RegisterShadow& shadow, const Operation& operation,
                      const OperationFacts& facts, VectorDefinedness& found) {
  found.written = 0;
  found.undefined_lanes = 0;
  found.undefined_scalar = 0;
  switch (facts.rule) {
    case DefinednessRule::kReadLane:
    case DefinednessRule::kReadFirstLane:
      return find_read_lane(wave, shadow, operation, facts, found);
    case DefinednessRule::kWriteLane:
      return find_write_lane(wave, shadow, operation, facts, found);
    case DefinednessRule::kRowLanes:
    case DefinednessRule::kOtherHalf:
      return find_row_lanes(wave, shadow, operation, facts, found);
    default:
      break;
  }
  LaneRules rules(wave, shadow, operation, facts, found);
  for (std::uint64_t lanes = wave.exec(); lanes != 0; lanes &= lanes - 1)
    rules.lane(static_cast<unsigned>(std::countr_zero(lanes)));
}

}  // namespace halyard::emulator
