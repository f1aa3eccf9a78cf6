// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/memory/lds_permute.h"

#include "backends/emulator/execute/memory/access_report.h"
#include "backends/emulator/execute/memory/lane_transfer.h"
#include "backends/emulator/execute/memory/lds_tables.h"
#include "backends/emulator/execute/memory/semantic_table.h"
#include "backends/emulator/program/operand.h"
#include "runtime/base/text.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

namespace halyard::emulator {
namespace {

constexpr std::uint32_t kRotate = 0xc000;
constexpr std::uint32_t kFourier = 0xe000;
constexpr std::uint32_t kQuad = 0x8000;

std::uint32_t reversed(std::uint32_t five_bits) {
  std::uint32_t result = 0;
  for (std::uint32_t bit = 0; bit < 5; ++bit)
    result |= (five_bits >> bit & 1) << (4 - bit);
  return result;
}

void keep(Wave& wave, const Operation& operation, const std::uint32_t* values) {
  std::uint32_t* result = wave.row(operation.destination[0].index);
  for_each_lane(wave, wave.exec(), [&](std::uint32_t lane) { result[lane] = values[lane]; });
}

// A lane that does not take part gives 0.
void swizzle(Wave& wave, const Operation& operation) {
  const std::uint64_t exec = wave.exec();
  const std::uint32_t* from = wave.row(operation.source[0].index);
  const auto pattern = static_cast<std::uint32_t>(operation.immediate & 0xffff);
  std::uint32_t values[64] = {};
  for (std::uint32_t lane = 0; lane < wave.lanes; ++lane) {
    const std::uint32_t source = swizzled_lane(pattern, lane);
    if ((exec >> source & 1) != 0) values[lane] = from[source];
  }
  keep(wave, operation, values);
}

// Each lane sends; the highest one's value stays, and who gets none gets 0.
template <std::uint32_t reach>
void permute(Wave& wave, const Operation& operation) {
  const std::uint32_t* address = wave.row(operation.source[0].index);
  const std::uint32_t* data = wave.row(operation.source[1].index);
  const auto offset = static_cast<std::uint32_t>(operation.immediate & 0xffff);
  std::uint32_t values[64] = {};
  for_each_lane(wave, wave.exec(), [&](std::uint32_t lane) {
    values[addressed_lane(lane, address[lane] + offset, reach)] = data[lane];
  });
  keep(wave, operation, values);
}

// Each lane fetches; from a lane that does not take part 0, unless `reads_inactive`.
template <std::uint32_t reach, bool reads_inactive>
void permute_backward(Wave& wave, const Operation& operation) {
  const std::uint64_t exec = wave.exec();
  const std::uint32_t* address = wave.row(operation.source[0].index);
  const std::uint32_t* data = wave.row(operation.source[1].index);
  const auto offset = static_cast<std::uint32_t>(operation.immediate & 0xffff);
  std::uint32_t values[64] = {};
  for_each_lane(wave, exec, [&](std::uint32_t lane) {
    const std::uint32_t source = addressed_lane(lane, address[lane] + offset, reach);
    if (reads_inactive || (exec >> source & 1) != 0) values[lane] = data[source];
  });
  keep(wave, operation, values);
}

// Counts the lanes into a dword of the LDS; all of them get what it was. M0 would move its address,
// on which the documents and compilers differ.
template <bool is_append>
void count_lanes(Wave& wave, const Operation& operation) {
  const std::uint64_t exec = wave.exec();
  if (exec == 0) return;
  if (wave.scalar[kM0Index] != 0) {
    return stop_not_executed(
        wave, operation,
        base::concat("It is executed with M0 = 0 only; M0 is ", wave.scalar[kM0Index], "."));
  }
  const AccessKind kind = atomic_of(MemorySegment::kLds, 4);
  const auto address = static_cast<std::uint64_t>(operation.immediate) & 0xffff;
  std::byte* at = locate_scalar(wave, operation, kind, address);
  if (at == nullptr) return;
  const auto count = static_cast<std::uint32_t>(std::popcount(exec));
  const std::uint32_t old = read_as<std::uint32_t>(at);
  const std::uint32_t value = is_append ? old + count : old - count;
  std::memcpy(at, &value, sizeof value);
  std::uint32_t* result = wave.row(operation.destination[0].index);
  for_each_lane(wave, exec, [&](std::uint32_t lane) { result[lane] = old; });
}

void do_nothing(Wave&, const Operation&) {}

template <Handler handler>
Handler choose_swizzle(const Operation& operation, const SemanticContext&) {
  const bool fits = operation.destination[0].is_vector() && operation.source[0].is_vector();
  return fits ? handler : nullptr;
}

// `wide` reaches all lanes of a wave, `narrow` its half.
template <Handler wide, Handler narrow>
Handler choose_permute(const Operation& operation, const SemanticContext& context) {
  const bool fits = operation.destination[0].is_vector() && operation.source[0].is_vector() &&
                    operation.source[1].is_vector();
  if (!fits) return nullptr;
  return permuted_lanes(context.generation) == 64 ? wide : narrow;
}

constexpr Semantic kSemantics[] = {
    {"DS_SWIZZLE_B32", choose_swizzle<swizzle>},
    {"DS_PERMUTE_B32", choose_permute<permute<64>, permute<32>>},
    {"DS_BPERMUTE_B32", choose_permute<permute_backward<64, false>, permute_backward<32, false>>},
    {"DS_BPERMUTE_FI_B32", choose_permute<permute_backward<64, true>, permute_backward<32, true>>},
    {"DS_APPEND", with_result<count_lanes<true>>},
    {"DS_CONSUME", with_result<count_lanes<false>>},
    {"DS_NOP", always<do_nothing>},
};

}  // namespace

std::uint32_t swizzled_lane(std::uint32_t pattern, std::uint32_t lane) {
  const std::uint32_t group = lane & 0x20;
  const std::uint32_t mask = pattern & 31;
  if (pattern >= kFourier) {
    const std::uint32_t from = reversed(lane & 31) >> std::popcount(mask) | (lane & mask);
    return (from & 31) | group;
  }
  if (pattern >= kRotate) {
    const std::uint32_t by = pattern >> 5 & 31;
    const std::uint32_t turned = (pattern & 0x400) != 0 ? lane - by : lane + by;
    return ((lane & mask & 31) | (turned & ~mask & 31)) | group;
  }
  if (pattern >= kQuad) return (lane & ~3U) | (pattern >> 2 * (lane & 3) & 3);
  const std::uint32_t either = pattern >> 5 & 31;
  const std::uint32_t flipped = pattern >> 10 & 31;
  return (((lane & mask) | either) ^ flipped) | group;
}

std::uint32_t addressed_lane(std::uint32_t lane, std::uint32_t address, std::uint32_t reach) {
  return (lane & ~(reach - 1)) | address / 4 % reach;
}

std::span<const Semantic> lds_permute_semantics() {
  return kSemantics;
}

}  // namespace halyard::emulator
