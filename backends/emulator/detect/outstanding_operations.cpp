// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/outstanding_operations.h"

#include <algorithm>

namespace halyard::emulator {
namespace {

// Of those that end in any order; the hardware counts no further.
constexpr std::size_t kUnorderedCapacity = 64;

void set_pending(RegisterShadow& shadow, CellRange range, bool& overlaps) {
  for (unsigned i = 0; i < range.count; ++i) {
    std::uint8_t& flags = shadow.flags[range.first + i];
    overlaps = overlaps || (flags & kPendingResult) != 0;
    flags |= kPendingResult;
  }
}

}  // namespace

template <typename Visit>
void OutstandingOperations::visit(const Visit& entry) const {
  for (const OutstandingQueue* queue : {&loads_, &stores_, &lds_})
    for (unsigned age = 0; age < queue->size(); ++age)
      entry((*queue)[age]);
  for (const auto* list : {&scalar_, &flat_})
    for (const OutstandingOperation& one : *list)
      entry(one);
}

void OutstandingOperations::start(RegisterShadow& shadow, const OutstandingOperation& entry,
                                  WaitCounter counter) {
  if (counter == WaitCounter::kNone) return;
  if (counter == WaitCounter::kScalar || counter == WaitCounter::kFlat) {
    auto& list = counter == WaitCounter::kScalar ? scalar_ : flat_;
    if (list.size() == kUnorderedCapacity) {
      const OutstandingOperation oldest = list.front();
      list.erase(list.begin());
      retire(shadow, oldest);
    }
    list.push_back(entry);
  } else {
    OutstandingQueue& queue = counter == WaitCounter::kLoad    ? loads_
                              : counter == WaitCounter::kStore ? stores_
                                                               : lds_;
    if (queue.size() == OutstandingQueue::kCapacity)
      wait_queue(shadow, queue, OutstandingQueue::kCapacity - 1);
    queue.push(entry);
  }
  set_pending(shadow, entry.result, overlaps_);
}

void OutstandingOperations::retire(RegisterShadow& shadow, const OutstandingOperation& entry) {
  for (unsigned i = 0; i < entry.result.count; ++i) {
    const unsigned cell = entry.result.first + i;
    if (overlaps_ && writer_of(cell) != nullptr) continue;
    shadow.flags[cell] &= static_cast<std::uint8_t>(~kPendingResult);
  }
}

void OutstandingOperations::wait_queue(RegisterShadow& shadow, OutstandingQueue& queue,
                                       unsigned limit) {
  while (queue.size() > limit) {
    const OutstandingOperation oldest = queue[0];
    queue.pop();
    if (&queue == &loads_ && oldest.writes_lds)
      std::erase_if(moves_, [&](const LdsMove& move) { return move.order <= oldest.order; });
    retire(shadow, oldest);
  }
}

void OutstandingOperations::wait_flat(RegisterShadow& shadow, bool loads, bool lds) {
  for (std::size_t i = 0; i < flat_.size();) {
    flat_[i].awaits_load = flat_[i].awaits_load && !loads;
    flat_[i].awaits_lds = flat_[i].awaits_lds && !lds;
    if (flat_[i].awaits_load || flat_[i].awaits_lds) {
      ++i;
      continue;
    }
    const OutstandingOperation ended = flat_[i];
    flat_.erase(flat_.begin() + static_cast<std::ptrdiff_t>(i));
    retire(shadow, ended);
  }
}

void OutstandingOperations::wait(RegisterShadow& shadow, const WaitLimits& limits) {
  wait_queue(shadow, loads_, limits.load);
  wait_queue(shadow, stores_, limits.store);
  wait_queue(shadow, lds_, limits.lds);
  if (limits.scalar == 0) {
    const std::vector<OutstandingOperation> ended = std::move(scalar_);
    scalar_.clear();
    for (const OutstandingOperation& entry : ended)
      retire(shadow, entry);
  }
  if (!flat_.empty() && (limits.load == 0 || limits.store == 0 || limits.lds == 0)) {
    for (OutstandingOperation& entry : flat_)
      if (entry.stores && limits.store == 0) entry.awaits_load = false;
    wait_flat(shadow, limits.load == 0, limits.lds == 0);
  }
  if (loads_.size() == 0 && lds_.size() == 0 && scalar_.empty() && flat_.empty()) overlaps_ = false;
}

const Operation* OutstandingOperations::writer_of(unsigned cell) const {
  const Operation* writer = nullptr;
  visit([&](const OutstandingOperation& entry) {
    if (!writer && entry.result.covers(cell)) writer = entry.operation;
  });
  return writer;
}

bool OutstandingOperations::is_ordered_before(unsigned cell, WaitCounter counter) const {
  if (counter != WaitCounter::kLoad && counter != WaitCounter::kLds) return false;
  bool ordered = true;
  const OutstandingQueue& own = counter == WaitCounter::kLoad ? loads_ : lds_;
  const OutstandingQueue& other = counter == WaitCounter::kLoad ? lds_ : loads_;
  bool found = false;
  for (unsigned age = 0; age < own.size(); ++age)
    found = found || own[age].result.covers(cell);
  for (unsigned age = 0; age < other.size(); ++age)
    ordered = ordered && !other[age].result.covers(cell);
  for (const auto* list : {&scalar_, &flat_})
    for (const OutstandingOperation& one : *list)
      ordered = ordered && !one.result.covers(cell);
  return found && ordered;
}

std::optional<std::uint64_t> OutstandingOperations::first_lds_write() const {
  std::optional<std::uint64_t> first;
  visit([&](const OutstandingOperation& entry) {
    if (entry.writes_lds || (entry.stores && entry.awaits_lds))
      first = std::min(first.value_or(entry.order), entry.order);
  });
  return first;
}

std::optional<std::uint64_t> OutstandingOperations::first_store() const {
  std::optional<std::uint64_t> first;
  visit([&](const OutstandingOperation& entry) {
    if (entry.stores && entry.awaits_load)
      first = std::min(first.value_or(entry.order), entry.order);
  });
  return first;
}

void OutstandingOperations::note_move(const Operation& operation, std::uint64_t order,
                                      std::uint64_t begin, std::uint64_t end) {
  // More than a counter counts have ended.
  if (moves_.size() == std::size_t{OutstandingQueue::kCapacity} * 4) moves_.erase(moves_.begin());
  moves_.push_back({&operation, order, begin, end});
}

const LdsMove* OutstandingOperations::move_to(std::uint64_t lanes,
                                              std::span<const std::uint64_t> addresses,
                                              std::uint32_t bytes) const {
  for (const LdsMove& move : moves_) {
    for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
      if ((lanes >> lane & 1) == 0) continue;
      if (addresses[lane] < move.end && addresses[lane] + bytes > move.begin) return &move;
    }
  }
  return nullptr;
}

}  // namespace halyard::emulator
