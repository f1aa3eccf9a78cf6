// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/memory/access_report.h"

#include "backends/emulator/memory/address_space.h"
#include "backends/emulator/observe/report.h"
#include "backends/emulator/state/workgroup.h"
#include "runtime/base/text.h"

#include <string_view>
#include <utility>

namespace halyard::emulator {
namespace {

using base::concat;

std::string hexadecimal(std::uint64_t value) {
  std::string digits;
  do {
    digits.insert(digits.begin(), "0123456789abcdef"[value & 15]);
    value >>= 4;
  } while (value != 0);
  return "0x" + digits;
}

std::string_view verb(const AccessKind& kind) {
  if (kind.is_atomic) return "An atomic";
  return kind.is_store ? "A store" : "A load";
}

// Where a segment of LDS or scratch ends for a lane; nothing for memory.
std::optional<std::uint64_t> end_of(const Wave& wave, MemorySegment segment) {
  if (segment == MemorySegment::kLds) return wave.workgroup->lds.size();
  if (segment == MemorySegment::kScratch) return wave.scratch_bytes;
  return std::nullopt;
}

std::string_view name_of(MemorySegment segment) {
  if (segment == MemorySegment::kLds) return "LDS";
  if (segment == MemorySegment::kScratch) return "scratch";
  return "memory";
}

std::string place(const AccessKind& kind, std::uint64_t address) {
  const bool is_offset =
      kind.segment == MemorySegment::kLds || kind.segment == MemorySegment::kScratch;
  if (is_offset) return concat("at byte ", address, " of the ", name_of(kind.segment));
  return concat("at ", hexadecimal(address));
}

std::string access_text(const AccessKind& kind, std::uint64_t address) {
  return concat(verb(kind), " of ", kind.bytes, kind.bytes == 1 ? " byte " : " bytes ",
                place(kind, address));
}

Report report_of(ReportKind kind, const Operation& operation, std::optional<std::uint32_t> lane,
                 std::string what) {
  Report report;
  report.kind = kind;
  report.what = std::move(what);
  report.address = operation.address;
  report.lane = lane;
  return report;
}

// The nearest buffer and how far it is.
std::string describe_nearest(const Wave& wave, const AccessKind& kind, std::uint64_t address,
                             Report& report) {
  const std::optional<AddressSpace::Nearest> nearest =
      wave.workgroup->memory == nullptr ? std::nullopt
                                        : wave.workgroup->memory->nearest(address, kind.bytes);
  if (!nearest) return " is outside of every buffer: the launch has none.";
  report.buffer = nearest->region->name;
  report.distance_bytes = nearest->distance_bytes;
  if (nearest->distance_bytes < 0) {
    return concat(" starts ", -nearest->distance_bytes, " bytes before \"", nearest->region->name,
                  "\" (", nearest->region->size_bytes, " bytes).");
  }
  return concat(" ends ", nearest->distance_bytes, " bytes behind the end of \"",
                nearest->region->name, "\" (", nearest->region->size_bytes, " bytes).");
}

}  // namespace

void stop_out_of_bounds(Wave& wave, const Operation& operation, const AccessKind& kind,
                        std::optional<std::uint32_t> lane, std::uint64_t address) {
  Report report = report_of(ReportKind::kOutOfBounds, operation, lane, access_text(kind, address));
  report.memory_address = address;
  if (const std::optional<std::uint64_t> end = end_of(wave, kind.segment)) {
    report.buffer = name_of(kind.segment);
    const auto start = static_cast<std::int64_t>(address);
    if (start < 0) {
      report.distance_bytes = start;
      report.what = concat(verb(kind), " of ", kind.bytes, " bytes starts ", -start,
                           " bytes before the ", name_of(kind.segment), ".");
    } else {
      const std::uint64_t behind = address + kind.bytes - *end;
      report.distance_bytes = static_cast<std::int64_t>(behind);
      report.what += concat(" ends ", behind, " bytes behind its end (", *end, " bytes).");
    }
  } else {
    report.what += describe_nearest(wave, kind, address, report);
  }
  wave.stop(std::move(report));
}

void stop_misaligned(Wave& wave, const Operation& operation, const AccessKind& kind,
                     std::optional<std::uint32_t> lane, std::uint64_t address) {
  Report report = report_of(
      ReportKind::kMisaligned, operation, lane,
      concat(access_text(kind, address), " is not aligned to ", kind.alignment, " bytes."));
  report.memory_address = address;
  if (const std::optional<std::uint64_t> end = end_of(wave, kind.segment)) {
    report.buffer = name_of(kind.segment);
  } else if (wave.workgroup->memory != nullptr) {
    if (const MemoryRegion* region = wave.workgroup->memory->find(address, 1))
      report.buffer = region->name;
  }
  wave.stop(std::move(report));
}

void stop_store_to_constant(Wave& wave, const Operation& operation, const AccessKind& kind,
                            std::optional<std::uint32_t> lane, std::uint64_t address) {
  Report report = report_of(ReportKind::kStoreToConstant, operation, lane, "");
  report.memory_address = address;
  if (const MemoryRegion* region = wave.workgroup->memory->find(address, kind.bytes))
    report.buffer = region->name;
  report.what =
      concat(access_text(kind, address), " is in \"", report.buffer, "\", which is only read.");
  wave.stop(std::move(report));
}

void stop_outside_of_descriptor(Wave& wave, const Operation& operation,
                                std::optional<std::uint32_t> lane, std::uint64_t address,
                                std::string what) {
  Report report = report_of(ReportKind::kOutOfBounds, operation, lane, std::move(what));
  report.memory_address = address;
  if (const MemoryRegion* region = wave.workgroup->memory->find(address, 1))
    report.buffer = region->name;
  wave.stop(std::move(report));
}

void stop_not_executed(Wave& wave, const Operation& operation, std::string what) {
  wave.stop(report_of(ReportKind::kUnknownInstruction, operation, std::nullopt, std::move(what)));
}

}  // namespace halyard::emulator
