// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/detect/operation_facts.h"
#include "backends/emulator/detect/register_shadow.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace halyard::emulator {

// One instruction that a wave has started and whose result it may not use yet.
struct OutstandingOperation {
  const Operation* operation = nullptr;
  CellRange result;
  std::uint64_t order = 0;  // of the wave's accesses to memory: which one it was
  bool writes_lds = false;
  bool stores = false;  // to memory that other workgroups may see
  // What must still be waited for: of a flat instruction both.
  bool awaits_load = false;
  bool awaits_lds = false;
};

// Bytes of the LDS that a load writes without a register between.
struct LdsMove {
  const Operation* operation = nullptr;
  std::uint64_t order = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// Instructions that end in the order in which they started; the oldest is forgotten when there are
// more than a counter can count, where the hardware waits.
class OutstandingQueue {
 public:
  static constexpr unsigned kCapacity = 64;

  unsigned size() const { return size_; }
  const OutstandingOperation& operator[](unsigned age) const {  // 0: the oldest
    return entries_[(first_ + age) % kCapacity];
  }
  void push(const OutstandingOperation& entry) {
    entries_[(first_ + size_) % kCapacity] = entry;
    ++size_;
  }
  void pop() {
    first_ = (first_ + 1) % kCapacity;
    --size_;
  }

 private:
  std::array<OutstandingOperation, kCapacity> entries_;
  unsigned first_ = 0;
  unsigned size_ = 0;
};

// What a wave has started and not waited for, by the counters of its generation: LDS accesses, and
// loads and stores, end in order; scalar loads and flat instructions in any, so that only a wait
// for 0 tells that they have. Marks their results in the flags of the registers.
class OutstandingOperations {
 public:
  // Counts an instruction from now on.
  void start(RegisterShadow& shadow, const OutstandingOperation& entry, WaitCounter counter);
  // What a wait instruction makes certain.
  void wait(RegisterShadow& shadow, const WaitLimits& limits);

  // The instruction that may still write this register; null where none does.
  const Operation* writer_of(unsigned cell) const;
  // Whether the one that writes it is a load that ends before `counter`'s next one: such a result
  // may be overwritten by that.
  bool is_ordered_before(unsigned cell, WaitCounter counter) const;
  // The oldest outstanding write to LDS, or store to memory, as the order it was given.
  std::optional<std::uint64_t> first_lds_write() const;
  std::optional<std::uint64_t> first_store() const;
  // Notes where an instruction that moves memory to the LDS writes.
  void note_move(const Operation& operation, std::uint64_t order, std::uint64_t begin,
                 std::uint64_t end);
  // The bytes that such an instruction may still write and one of these lanes uses; null where
  // there are none.
  const LdsMove* move_to(std::uint64_t lanes, std::span<const std::uint64_t> addresses,
                         std::uint32_t bytes) const;

 private:
  void retire(RegisterShadow& shadow, const OutstandingOperation& entry);
  void wait_queue(RegisterShadow& shadow, OutstandingQueue& queue, unsigned limit);
  void wait_flat(RegisterShadow& shadow, bool loads, bool lds);
  template <typename Visit>
  void visit(const Visit& entry) const;

  OutstandingQueue loads_;
  OutstandingQueue stores_;
  OutstandingQueue lds_;
  std::vector<OutstandingOperation> scalar_;
  std::vector<OutstandingOperation> flat_;
  std::vector<LdsMove> moves_;
  bool overlaps_ = false;  // two of them may write one register
};

}  // namespace halyard::emulator
