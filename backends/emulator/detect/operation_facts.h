// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/detect/definedness_rule.h"
#include "backends/emulator/detect/register_cells.h"
#include "backends/emulator/program/program.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace halyard::emulator {

// What an operation does to memory, or to what is known of it.
enum class OperationAction : std::uint8_t {
  kCompute,
  kMemory,    // global, LDS, scratch or scalar memory
  kLaneData,  // of the LDS unit without memory: ds_swizzle, ds_permute
  kCache,     // invalidates or writes back
  kMessage,   // s_sendmsg_rtn: its result comes later
  kWait,
  kBarrier,
  kBranch,  // conditional, or to an address in a register
};

// Counters of what a wave has started and not yet waited for. A generation may count two of them
// together.
enum class WaitCounter : std::uint8_t { kNone, kLoad, kStore, kLds, kScalar, kFlat };

// Up to how many of each may be outstanding behind a wait.
struct WaitLimits {
  static constexpr std::uint8_t kUnlimited = 255;
  std::uint8_t load = kUnlimited;
  std::uint8_t store = kUnlimited;
  std::uint8_t lds = kUnlimited;
  std::uint8_t scalar = kUnlimited;
};

// What detectors ask of an operation, found once.
struct OperationFacts {
  std::array<CellRange, 10> cells;  // those that are read, then those that are written
  std::uint8_t read_count = 0;
  std::uint8_t cell_count = 0;

  OperationAction action = OperationAction::kCompute;
  DefinednessRule rule = DefinednessRule::kAny;
  WaitCounter counter = WaitCounter::kNone;
  WaitCounter second_counter = WaitCounter::kNone;  // of a flat instruction that ends in order
  WaitLimits wait;
  bool is_scalar = false;  // of SALU: one value, SCC
  bool reads_scc = false;
  bool writes_scc = false;
  bool writes_exec = false;
  bool writes_mask = false;  // destination[0] has a bit for each lane (comparisons)
  bool is_saveexec = false;  // destination[0] is the old EXEC, EXEC what the rule says
  bool is_store = false;     // of memory: without a result
  bool is_atomic = false;
  bool has_two_addresses = false;
  bool accumulates = false;                // the old value of the destination takes part
  std::uint16_t mask_register = kNoMask;   // the dword of Wave::scalar with a bit for each lane
  std::uint32_t result_bits = 0xffffffff;  // of the destination's dword
  bool keeps_other_bits = false;           // else they are defined afterwards
  std::uint8_t data_shift = 0;             // of what is stored: 16 where it is the high half
  std::uint8_t data_bytes = 0;             // of one store, where they are fewer than a dword
  std::array<std::uint64_t, 3> relevant = {kAllBits, kAllBits, kAllBits};  // of the sources
  std::uint32_t halves = 0;  // of VOPD: 1 + an index for ProgramFacts

  static constexpr std::uint16_t kNoMask = 0xffff;
  static constexpr std::uint64_t kAllBits = ~std::uint64_t{0};
};

// The facts of all operations of a program, by Operation::index. Borrows the program.
class ProgramFacts {
 public:
  ProgramFacts(const Program& program, std::uint32_t lanes);

  const OperationFacts& of(const Operation& operation) const { return facts_[operation.index]; }
  // Whether the cache policy of an access to memory makes it one that other workgroups see, or that
  // sees theirs. Found when it is asked for: by one thread at a time.
  bool is_coherent(const Operation& operation) const;
  // Of the two halves of a VOPD operation.
  std::span<const OperationFacts, 2> halves_of(const OperationFacts& facts) const {
    return halves_[facts.halves - 1];
  }
  // Registers from here on are not named by any operation: rows of vector registers.
  std::uint32_t used_rows(bool accumulation) const { return used_rows_[accumulation ? 1 : 0]; }
  const Program& program() const { return *program_; }
  std::uint32_t lanes() const { return lanes_; }

 private:
  const Program* program_;
  std::uint32_t lanes_;
  enum class Coherence : std::uint8_t { kNotAsked, kNo, kYes };

  std::vector<OperationFacts> facts_;
  mutable std::vector<Coherence> coherence_;
  std::vector<std::array<OperationFacts, 2>> halves_;
  std::array<std::uint32_t, 2> used_rows_{};
};

}  // namespace halyard::emulator
