// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/race_detector.h"

#include "backends/emulator/memory/address_space.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <string>

namespace halyard::emulator {
namespace {

using base::concat;

// An LDS has at most 64 KiB here; each byte may have a record of its own.
constexpr std::size_t kLdsLimit = std::size_t{8} << 20;

std::uint32_t bytes_at(const std::byte* host, unsigned bytes) {
  std::uint32_t value = 0;
  std::memcpy(&value, host, bytes);
  return value;
}

std::string place_text(MemorySegment segment, std::uint64_t address) {
  return segment == MemorySegment::kLds ? concat("LDS byte ", address)
                                        : concat("memory address ", address);
}

}  // namespace

WorkgroupRaces::WorkgroupRaces() : lds(kLdsLimit) {}

// Checks one access of a wave, lane by lane.
class AccessCheck {
 public:
  AccessCheck(RaceDetector& detector, Wave& wave, WaveRecord& record, WorkgroupRaces& races,
              const Operation& operation, const OperationFacts& facts, const MemoryAccess& access,
              bool is_coherent)
      : detector_(detector),
        wave_(wave),
        record_(record),
        races_(races),
        operation_(operation),
        facts_(facts),
        access_(access),
        is_lds_(access.segment == MemorySegment::kLds),
        is_atomic_(access.is_atomic || is_coherent),
        self_{record.launch_wave, static_cast<std::uint32_t>(record.accesses)} {}

  void run() {
    AccessHistory& history = is_lds_ ? races_.lds : detector_.memory_;
    std::uint64_t previous = ~std::uint64_t{0};
    for (std::uint64_t left = access_.lanes; left != 0 && !stopped_; left &= left - 1) {
      lane_ = static_cast<unsigned>(std::countr_zero(left));
      if (lane_ >= access_.addresses.size() || lane_ >= access_.host.size()) break;
      const std::uint64_t place = is_lds_ ? access_.addresses[lane_]
                                          : reinterpret_cast<std::uintptr_t>(access_.host[lane_]);
      if (place == previous && !access_.is_store) continue;  // as the lane before does
      previous = place;
      if (read_quickly(history, place)) continue;
      history.visit(place, access_.bytes,
                    [&](AccessRecord& one, std::uint64_t offset, unsigned bytes) {
                      if (access_.is_store)
                        write(one, offset, bytes);
                      else
                        read(one, offset);
                      return !stopped_;
                    });
    }
    if (has_same_place_ && !stopped_) compare_lanes();
  }

 private:
  using Access = AccessRecord::Access;

  // What is ordered is so with all that its wave did before: often it is what was asked last.
  bool is_write_ordered(const Access& other) {
    if (other.wave == ordered_.wave && other.number <= ordered_.number) return true;
    if (!is_ordered(other, true)) return false;
    ordered_ = other;
    return true;
  }

  bool is_ordered(const Access& other, bool is_write) const {
    const std::uint32_t local = other.wave - races_.first_wave;
    if (other.wave >= races_.first_wave && local < races_.ordered.size()) {
      const auto& orders = is_lds_ && is_write ? races_.ordered_lds_writes : races_.ordered;
      if (other.number < orders[local]) return true;
      if (is_lds_)
        return races_.lds_releases.knows(races_.lds_acquired[wave_.number], local, other.number);
    }
    return detector_.releases_.knows(races_.acquired, other.wave, other.number);
  }

  bool conflicts_with_write(const Access& other) {
    return other.wave != 0 && other.wave != self_.wave && !is_write_ordered(other);
  }
  bool conflicts_with_read(const Access& other) const {
    return other.wave != 0 && other.wave != self_.wave && !is_ordered(other, false);
  }

  // Loads of whole dwords that nothing is wrong with. What this instruction has read is noted.
  bool read_quickly(AccessHistory& history, std::uint64_t place) {
    if (access_.is_store || is_atomic_ || access_.bytes % 4 != 0) return false;
    const unsigned count = access_.bytes / 4;
    AccessRecord* const records = history.dwords(place, count);
    if (!records) return false;
    for (unsigned i = 0; i < count; ++i) {
      AccessRecord& one = records[i];
      if (one.is_split) return false;
      if (one.reads[0].number == self_.number && one.reads[0].wave == self_.wave) continue;
      if (conflicts_with_write(one.write)) return false;
      one.add_read(self_);
    }
    return true;
  }

  void read(AccessRecord& one, std::uint64_t offset) {
    if (one.reads[0].number == self_.number && one.reads[0].wave == self_.wave) return;
    // A loop that compares and swaps begins with a plain load of what others change atomically.
    if (conflicts_with_write(one.write) && !is_atomic_ && !one.is_atomic_write)
      return report(offset, one.write.wave, "reads", "wrote");
    if (!is_atomic_) one.add_read(self_);
  }

  void write(AccessRecord& one, std::uint64_t offset, unsigned bytes) {
    const bool both_atomic = is_atomic_ && one.is_atomic_write;
    if (conflicts_with_write(one.write) && !both_atomic) {
      if (access_.is_atomic) return report(offset, one.write.wave, "changes", "wrote");
      detector_.compared_.push_back(
          {access_.host[lane_] + offset, bytes_at(access_.host[lane_] + offset, bytes), bytes,
           lane_, one.write.wave, access_.segment, access_.addresses[lane_] + offset});
    }
    for (const Access& reader : one.reads)
      if (!is_atomic_ && conflicts_with_read(reader))
        return report(offset, reader.wave, "writes", "read");
    const bool is_again = one.write.wave == self_.wave && one.write.number == self_.number;
    has_same_place_ = has_same_place_ || (is_again && !access_.is_atomic);
    one.write = self_;
    one.is_atomic_write = is_atomic_;
  }

  void report(std::uint64_t offset, std::uint32_t other, std::string_view does,
              std::string_view did) {
    stopped_ = true;
    stop(offset, lane_,
         concat("Lane ", lane_, " ", does, " ",
                place_text(access_.segment, access_.addresses[lane_] + offset), ", which ",
                other_text(other), " ", did, ", and nothing orders the two."));
  }

  std::string other_text(std::uint32_t other) const {
    const std::uint32_t local = other - races_.first_wave;
    if (other >= races_.first_wave && local < races_.ordered.size())
      return concat("wave ", local, " of the workgroup");
    return "a wave of another workgroup";
  }

  void stop(std::uint64_t offset, unsigned lane, std::string what) {
    Report report = report_at(wave_, operation_, ReportKind::kRace, std::move(what));
    report.lane = lane;
    report.memory_address = access_.addresses[lane] + offset;
    if (!is_lds_ && wave_.workgroup->memory)
      if (const MemoryRegion* region = wave_.workgroup->memory->find(*report.memory_address, 1))
        report.buffer = region->name;
    wave_.stop(std::move(report));
  }

  // Two lanes of this store write to one place: whether they write different values.
  void compare_lanes() {
    const bool is_second = facts_.has_two_addresses && record_.accesses_here > 0;
    const Operand& data = operation_.source[is_second ? 2 : 1];
    if (!data.is_vector() || operation_.moves_to_lds) return;
    for (std::uint64_t left = access_.lanes; left != 0; left &= left - 1) {
      const auto one = static_cast<unsigned>(std::countr_zero(left));
      for (std::uint64_t later = left & (left - 1); later != 0; later &= later - 1) {
        const auto other = static_cast<unsigned>(std::countr_zero(later));
        const std::uint64_t from = std::max(access_.addresses[one], access_.addresses[other]);
        const std::uint64_t to =
            std::min(access_.addresses[one], access_.addresses[other]) + access_.bytes;
        for (std::uint64_t byte = from; byte < to; ++byte) {
          if (stored(data, one, byte) == stored(data, other, byte)) continue;
          return stop(byte - access_.addresses[other], other,
                      concat("Lanes ", one, " and ", other, " of one store write ",
                             stored(data, one, byte), " and ", stored(data, other, byte), " to ",
                             place_text(access_.segment, byte), "."));
        }
      }
    }
  }

  unsigned stored(const Operand& data, unsigned lane, std::uint64_t address) const {
    const std::uint64_t byte = address - access_.addresses[lane] + facts_.data_shift / 8;
    const std::uint64_t dword = byte / 4;
    if (dword >= data.dwords) return 0;
    return wave_.row(static_cast<std::uint32_t>(data.index + dword))[lane] >> 8 * (byte % 4) & 0xff;
  }

  RaceDetector& detector_;
  Wave& wave_;
  WaveRecord& record_;
  WorkgroupRaces& races_;
  const Operation& operation_;
  const OperationFacts& facts_;
  const MemoryAccess& access_;
  bool is_lds_;
  bool is_atomic_;
  Access self_;
  Access ordered_;
  unsigned lane_ = 0;
  bool stopped_ = false;
  bool has_same_place_ = false;
};

void RaceDetector::begin(const Workgroup& workgroup, WorkgroupRaces& races) {
  const std::size_t waves = workgroup.waves.size();
  races.first_wave = next_wave_;
  next_wave_ += static_cast<std::uint32_t>(waves);
  races.ordered.assign(waves, 0);
  races.ordered_lds_writes.assign(waves, 0);
  races.finished_stores.assign(waves, 0);
  races.lds_acquired.assign(waves, 0);
  if (!writable_.empty() || !workgroup.memory) return;
  for (const MemoryRegion& region : workgroup.memory->regions())
    if (region.is_writable && region.host)
      writable_.emplace_back(region.host, region.host + region.size_bytes);
  std::sort(writable_.begin(), writable_.end());
}

void RaceDetector::access(Wave& wave, WaveRecord& record, WorkgroupRaces& races,
                          const Operation& operation, const OperationFacts& facts,
                          const MemoryAccess& access) {
  if (access.segment == MemorySegment::kScratch || access.lanes == 0) return;
  bool is_coherent = false;
  if (access.segment == MemorySegment::kLds) {
    if (access.is_atomic) exchange_in_lds(wave, record, races);
  } else {
    if (!may_be_written(access)) return;
    is_coherent = record.facts->is_coherent(operation);
    const bool is_shared = access.is_atomic || is_coherent;
    // gfx11 stores for other workgroups as it does for its own.
    const bool releases = is_shared || wave.workgroup->generation == Generation::kGfx11;
    if (access.is_store && releases) release(record, races);
    const bool reads = access.is_load && (!access.is_atomic || operation.returns_old_value);
    if (reads && is_shared) races.acquired = releases_.now();
  }
  AccessCheck(*this, wave, record, races, operation, facts, access, is_coherent).run();
}

void RaceDetector::exchange_in_lds(const Wave& wave, const WaveRecord& record,
                                   WorkgroupRaces& races) {
  races.lds_releases.release(wave.number,
                             record.outstanding.first_lds_write().value_or(record.accesses));
  races.lds_acquired[wave.number] = races.lds_releases.now();
}

void RaceDetector::release(const WaveRecord& record, WorkgroupRaces& races) {
  // The access itself is among those that have started.
  const std::uint64_t finished =
      std::min(record.outstanding.first_store().value_or(record.accesses), record.accesses);
  releases_.release(record.launch_wave, finished);
  for (std::size_t i = 0; races.has_new_stores && i < races.finished_stores.size(); ++i)
    releases_.release(races.first_wave + static_cast<std::uint32_t>(i), races.finished_stores[i]);
  races.has_new_stores = false;
}

bool RaceDetector::may_be_written(const MemoryAccess& access) const {
  const std::byte* first = nullptr;
  const std::byte* last = nullptr;
  for (std::uint64_t left = access.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    if (lane >= access.host.size()) return false;
    const std::byte* const host = access.host[lane];
    first = first ? std::min(first, host) : host;
    last = std::max(last, host + access.bytes);
  }
  return std::any_of(writable_.begin(), writable_.end(),
                     [&](const auto& range) { return first < range.second && last > range.first; });
}

void RaceDetector::compare_stores(Wave& wave, const Operation& operation) {
  for (const ComparedStore& store : compared_) {
    const std::uint32_t now = bytes_at(store.host, store.bytes);
    if (now == store.before || wave.status == WaveStatus::kStopped) continue;
    Report report =
        report_at(wave, operation, ReportKind::kRace,
                  concat("Lane ", store.lane, " writes ", now, " to ",
                         place_text(store.segment, store.address), ", where another wave wrote ",
                         store.before, ", and nothing orders the two."));
    report.lane = store.lane;
    report.memory_address = store.address;
    wave.stop(std::move(report));
  }
  compared_.clear();
}

void RaceDetector::signal(WaveRecord& record) {
  const std::uint64_t next = record.accesses + 1;
  record.signalled = next;
  record.signalled_lds_writes = record.outstanding.first_lds_write().value_or(next);
  record.signalled_stores = record.outstanding.first_store().value_or(next);
}

void RaceDetector::barrier(WorkgroupRaces& races, std::span<const WaveRecord* const> waves,
                           std::uint64_t ended_waves) {
  for (std::size_t i = 0; i < waves.size() && i < races.ordered.size(); ++i) {
    const WaveRecord& record = *waves[i];
    const bool has_ended = i < 64 && (ended_waves >> i & 1) != 0;
    const std::uint64_t all = record.accesses + 1;
    races.ordered[i] = has_ended ? all : record.signalled;
    races.ordered_lds_writes[i] = has_ended ? all : record.signalled_lds_writes;
    races.finished_stores[i] = has_ended ? all : record.signalled_stores;
  }
  races.has_new_stores = true;
}

}  // namespace halyard::emulator
