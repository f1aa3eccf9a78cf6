// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/uninitialized_values.h"

#include "backends/emulator/detect/vector_definedness.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace halyard::emulator {
namespace {

using base::concat;

void stop(Wave& wave, const Operation& operation, std::string what,
          std::optional<unsigned> lane = std::nullopt) {
  Report report = report_at(wave, operation, ReportKind::kUninitialized, std::move(what));
  report.lane = lane;
  wave.stop(std::move(report));
}

// The first register of an operand, and the lane of `lanes`, that has an undefined bit.
struct UndefinedPart {
  unsigned cell = 0;
  std::optional<unsigned> lane;
  std::uint32_t bits = 0;
};

std::optional<UndefinedPart> undefined_part(const RegisterShadow& registers, const Operand& operand,
                                            std::uint64_t lanes) {
  const CellRange range = cells_of(operand);
  for (unsigned i = 0; i < range.count; ++i) {
    const unsigned cell = range.first + i;
    if ((registers.flags[cell] & kMaybeUndefined) == 0) continue;
    if (cell < kVectorCell) return UndefinedPart{cell, std::nullopt, registers.scalar(cell)};
    const std::uint32_t* const row = registers.row(cell - kVectorCell);
    for (std::uint64_t left = row ? lanes : 0; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      if (lane < registers.lanes() && row[lane] != 0) return UndefinedPart{cell, lane, row[lane]};
    }
  }
  return std::nullopt;
}

std::string hex(std::uint32_t value) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4)
    text.push_back(kDigits[value >> shift & 15]);
  return text;
}

std::string part_text(const UndefinedPart& part) {
  std::string text = concat(cell_name(part.cell));
  if (part.lane) text += concat(" of lane ", *part.lane);
  return text + concat(" (undefined bits ", hex(part.bits), ")");
}

// The operands that make an address: all but what is stored.
bool address_is_defined(Wave& wave, const WaveRecord& record, const Operation& operation) {
  for (const unsigned source : {0U, 3U, 4U}) {
    const auto part = undefined_part(record.registers, operation.source[source], wave.exec());
    if (!part) continue;
    stop(wave, operation,
         concat("The address comes from ", part_text(*part), ", which nothing has written."),
         part->lane);
    return false;
  }
  return true;
}

// An atomic whose result replaces its data.
bool replaced_data_is_defined(Wave& wave, const WaveRecord& record, const Operation& operation,
                              const OperationFacts& facts) {
  const CellRange data = cells_of(operation.source[1]);
  const bool is_replaced = facts.is_atomic && facts.counter != WaitCounter::kLds &&
                           data.count != 0 && cells_of(operation.destination[0]).covers(data.first);
  if (!is_replaced) return true;
  const auto part = undefined_part(record.registers, operation.source[1], wave.exec());
  if (part)
    stop(wave, operation,
         concat("What is stored comes from ", part_text(*part), ", which nothing has written."),
         part->lane);
  return !part;
}

void branch(Wave& wave, const WaveRecord& record, const Operation& operation,
            const OperationFacts& facts) {
  const RegisterShadow& registers = record.registers;
  if (facts.reads_scc) {
    if (registers.scc()) stop(wave, operation, "The branch depends on scc, which is undefined.");
    return;
  }
  if (operation.name.starts_with("S_CBRANCH_VCC")) {
    const std::uint64_t undefined =
        wave.lanes == 64 ? registers.scalar64(kVccIndex) : registers.scalar(kVccIndex);
    // One bit that is known to be set tells that VCC is not zero.
    if (undefined == 0 || (wave.mask(kVccIndex) & ~undefined) != 0) return;
    const auto lane = static_cast<unsigned>(std::countr_zero(undefined));
    return stop(
        wave, operation,
        concat("The branch depends on the bit of lane ", lane, " of vcc, which is undefined."),
        lane);
  }
  if (const auto part = undefined_part(registers, operation.source[0], 0))
    stop(wave, operation,
         concat("The branch goes to an address in ", part_text(*part),
                ", which nothing has written."));
}

bool mask_reaches_exec(Wave& wave, const Operation& operation, const OperationFacts& facts,
                       const VectorDefinedness& found) {
  if (!facts.writes_exec || found.undefined_lanes == 0) return false;
  const auto lane = static_cast<unsigned>(std::countr_zero(found.undefined_lanes));
  stop(wave, operation,
       concat("Whether lane ", lane,
              " goes on depends on a register that nothing has written: its bit of EXEC is "
              "undefined."),
       lane);
  return true;
}

void compute(Wave& wave, WaveRecord& record, const Operation& operation,
             const OperationFacts& facts) {
  RegisterShadow& registers = record.registers;
  if (facts.is_scalar) {
    if (scalar_definedness(wave, registers, operation, facts))
      stop(wave, operation, "EXEC depends on a register that nothing has written.");
    return;
  }
  if (facts.rule == DefinednessRule::kMatrix)
    return find_matrix_definedness(wave, registers, operation);
  bool may_be_undefined = operation.permutation != nullptr ||
                          facts.rule == DefinednessRule::kWriteLane ||
                          facts.rule == DefinednessRule::kSwap;
  for (unsigned i = 0; i < facts.read_count; ++i)
    may_be_undefined = may_be_undefined || registers.may_be_undefined(facts.cells[i]);
  if (!may_be_undefined) return define_destinations(wave, registers, operation, facts);
  VectorDefinedness found;
  find_definedness(wave, registers, operation, facts, found);
  if (!mask_reaches_exec(wave, operation, facts, found))
    apply_definedness(wave, registers, operation, facts, found);
}

void compute_both(Wave& wave, WaveRecord& record, const Operation& operation,
                  const OperationFacts& facts) {
  const auto halves = record.facts->halves_of(facts);
  VectorDefinedness first;
  VectorDefinedness second;
  find_definedness(wave, record.registers, *operation.first_half, halves[0], first);
  find_definedness(wave, record.registers, *operation.second_half, halves[1], second);
  apply_definedness(wave, record.registers, *operation.first_half, halves[0], first);
  apply_definedness(wave, record.registers, *operation.second_half, halves[1], second);
}

// Bytes of what a lane of an LDS or scratch access reads, as they reach its registers.
std::uint32_t loaded(std::uint32_t undefined, unsigned bytes, const Operation& operation,
                     const OperationFacts& facts) {
  if (bytes >= 4 || undefined == 0) return undefined;
  const std::string_view name = operation.name;
  const bool is_signed = name.find("_I8") != std::string_view::npos ||
                         name.find("_I16") != std::string_view::npos ||
                         name.find("_SBYTE") != std::string_view::npos ||
                         name.find("_SSHORT") != std::string_view::npos;
  if (is_signed) undefined = 0xffffffff;
  return facts.result_bits == 0xffff0000 ? undefined << 16 : undefined;
}

// Where the bytes of a lane lie in the shadow of its segment.
struct ShadowPlace {
  ByteShadow* shadow = nullptr;
  std::uint64_t lane_stride = 0;
};

ShadowPlace shadow_of(Wave& wave, WaveRecord& record, const MemoryAccess& access) {
  if (access.segment == MemorySegment::kLds) return {record.lds, 0};
  const std::size_t bytes = std::size_t{wave.scratch_bytes} * wave.lanes;
  if (record.scratch.size() != bytes) record.scratch = ByteShadow(bytes);
  return {&record.scratch, wave.scratch_bytes};
}

class AccessTracker {
 public:
  AccessTracker(Wave& wave, WaveRecord& record, const Operation& operation,
                const OperationFacts& facts, const MemoryAccess& access)
      : wave_(wave),
        record_(record),
        operation_(operation),
        facts_(facts),
        access_(access),
        dwords_((access.bytes + 3) / 4) {
    const bool is_second = facts.has_two_addresses && record.accesses_here > 0;
    data_ = &operation.source[is_second ? 2 : 1];
    first_result_ = is_second ? dwords_ : 0;
  }

  // What goes to memory that others see.
  void check_data() const {
    const auto part = undefined_part(record_.registers, *data_, access_.lanes);
    if (!part) return;
    std::uint32_t relevant = 0xffffffff;
    if (facts_.data_bytes == 1) relevant = 0xff;
    if (facts_.data_bytes == 2) relevant = 0xffff;
    relevant <<= facts_.data_shift;
    for (std::uint64_t left = access_.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      for (unsigned i = 0; i < data_->dwords; ++i) {
        const std::uint32_t undefined = data_bits(lane, i) & relevant;
        if (undefined != 0) return report_data(lane, data_->index + i, undefined);
      }
    }
  }

  void load() {
    const ShadowPlace place = shadow_of(wave_, record_, access_);
    if (is_defined(place)) return;
    const Operand& destination = operation_.destination[0];
    if (!destination.is_vector()) return;
    for (unsigned i = 0; i < dwords_ && first_result_ + i < destination.dwords; ++i) {
      const unsigned row = destination.index + first_result_ + i;
      std::uint32_t* const masks = record_.registers.row(row);
      if (!masks) continue;
      each_lane([&](unsigned lane) {
        const std::uint32_t kept = facts_.keeps_other_bits ? masks[lane] & ~facts_.result_bits : 0;
        masks[lane] = kept | loaded(read(place, lane, i), bytes_of(i), operation_, facts_);
      });
      record_.registers.update_flag(row);
    }
  }

  void store() {
    const ShadowPlace place = shadow_of(wave_, record_, access_);
    const bool may_be_undefined = !operation_.moves_to_lds && data_->is_vector() &&
                                  record_.registers.may_be_undefined(cells_of(*data_));
    if (!may_be_undefined)
      return each_lane(
          [&](unsigned lane) { place.shadow->define(address(place, lane), access_.bytes); });
    each_lane([&](unsigned lane) {
      for (unsigned i = 0; i < dwords_; ++i)
        place.shadow->write(address(place, lane) + 4 * i, bytes_of(i),
                            data_bits(lane, i) >> facts_.data_shift);
    });
  }

  // What is there and what is combined with it make the new value; what was there is the result.
  void exchange() {
    std::uint64_t undefined_lanes = 0;
    const ShadowPlace place = shadow_of(wave_, record_, access_);
    each_lane([&](unsigned lane) {
      std::uint32_t undefined = 0;
      for (unsigned i = 0; i < dwords_; ++i)
        undefined |= read(place, lane, i);
      const bool was_undefined = undefined != 0;
      for (const Operand* data : {&operation_.source[1], &operation_.source[2]})
        for (unsigned i = 0; data->is_vector() && i < data->dwords; ++i)
          undefined |= row_bits(data->index + i, lane);
      for (unsigned i = 0; i < dwords_; ++i)
        place.shadow->write(address(place, lane) + 4 * i, bytes_of(i),
                            undefined != 0 ? 0xffffffff : 0);
      if (was_undefined) undefined_lanes |= std::uint64_t{1} << lane;
    });
    const Operand& destination = operation_.destination[0];
    if (undefined_lanes == 0 || !destination.is_vector()) return;
    for (unsigned i = 0; i < destination.dwords; ++i) {
      std::uint32_t* const masks = record_.registers.row(destination.index + i);
      if (!masks) continue;
      for (std::uint64_t left = undefined_lanes; left != 0; left &= left - 1)
        masks[std::countr_zero(left)] = 0xffffffff;
      record_.registers.update_flag(destination.index + i);
    }
  }

 private:
  template <typename Visit>
  void each_lane(const Visit& visit) const {
    for (std::uint64_t left = access_.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      if (lane < wave_.lanes && lane < access_.addresses.size()) visit(lane);
    }
  }

  std::uint64_t address(const ShadowPlace& place, unsigned lane) const {
    return lane * place.lane_stride + access_.addresses[lane];
  }
  unsigned bytes_of(unsigned dword) const { return std::min(4U, access_.bytes - 4 * dword); }
  std::uint32_t read(const ShadowPlace& place, unsigned lane, unsigned dword) const {
    return place.shadow->read(address(place, lane) + 4 * dword, bytes_of(dword));
  }
  std::uint32_t row_bits(unsigned row, unsigned lane) const {
    const std::uint32_t* const masks = std::as_const(record_.registers).row(row);
    return masks ? masks[lane] : 0;
  }
  std::uint32_t data_bits(unsigned lane, unsigned dword) const {
    return data_->is_vector() ? row_bits(data_->index + dword, lane) : 0;
  }

  // Lanes often read what the one before them does.
  bool is_defined(const ShadowPlace& place) const {
    bool is_undefined = false;
    std::uint64_t previous = ~std::uint64_t{0};
    each_lane([&](unsigned lane) {
      const std::uint64_t offset = address(place, lane);
      if (offset != previous)
        is_undefined = is_undefined || place.shadow->is_undefined(offset, access_.bytes);
      previous = offset;
    });
    return !is_undefined;
  }

  void report_data(unsigned lane, unsigned row, std::uint32_t undefined) const {
    Report report = report_at(
        wave_, operation_, ReportKind::kUninitialized,
        concat("What is stored comes from ", part_text({kVectorCell + row, lane, undefined}),
               ", which nothing has written."));
    report.lane = lane;
    if (lane < access_.addresses.size()) report.memory_address = access_.addresses[lane];
    wave_.stop(std::move(report));
  }

  Wave& wave_;
  WaveRecord& record_;
  const Operation& operation_;
  const OperationFacts& facts_;
  const MemoryAccess& access_;
  unsigned dwords_;
  const Operand* data_ = nullptr;
  unsigned first_result_ = 0;
};

}  // namespace

void follow_undefined(Wave& wave, WaveRecord& record, const Operation& operation,
                      const OperationFacts& facts) {
  switch (facts.action) {
    case OperationAction::kCompute:
      if (facts.halves != 0) return compute_both(wave, record, operation, facts);
      return compute(wave, record, operation, facts);
    case OperationAction::kMemory:
      if (address_is_defined(wave, record, operation) &&
          replaced_data_is_defined(wave, record, operation, facts))
        define_destinations(wave, record.registers, operation, facts);
      return;
    case OperationAction::kLaneData:
      return find_lane_data_definedness(wave, record.registers, operation, facts.rule);
    case OperationAction::kMessage:
      return define_destinations(wave, record.registers, operation, facts);
    case OperationAction::kBranch:
      branch(wave, record, operation, facts);
      if (wave.status == WaveStatus::kRunning)
        define_destinations(wave, record.registers, operation, facts);
      return;
    default:
      return;
  }
}

void follow_undefined(Wave& wave, WaveRecord& record, const Operation& operation,
                      const OperationFacts& facts, const MemoryAccess& access) {
  AccessTracker tracker(wave, record, operation, facts, access);
  const bool is_shared =
      access.segment == MemorySegment::kGlobal || access.segment == MemorySegment::kConstant;
  if (is_shared) {
    if (access.is_store || access.is_atomic) tracker.check_data();
  } else if (access.is_atomic) {
    tracker.exchange();
  } else if (access.is_store) {
    tracker.store();
  } else {
    tracker.load();
  }
}

}  // namespace halyard::emulator
