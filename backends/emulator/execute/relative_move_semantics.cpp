// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/semantic_parts.h"
#include "backends/emulator/execute/stop_reports.h"
#include "backends/emulator/execute/vector_rows.h"

// Moves from or to a register whose number M0 tells.
namespace halyard::emulator {
namespace {

using namespace lanes;

// The register, or nothing where there is none of the number: the wave is stopped.
bool relative_index(Wave& wave, const Operation& operation, std::uint16_t base,
                    std::uint32_t dwords, std::uint32_t limit, std::uint32_t& index) {
  const std::uint64_t sum = std::uint64_t{base} + wave.scalar[kM0Index];
  if (sum + dwords <= limit) {
    index = static_cast<std::uint32_t>(sum);
    return true;
  }
  stop_relative_move(wave, operation, base, limit);
  return false;
}

constexpr std::uint32_t kVectorLimit = kAccumulationRow;
constexpr std::uint32_t kScalarLimit = kVccIndex;

template <bool kSource, bool kDestination>
void run_vector(Wave& wave, const Operation& operation) {
  Operation moved = operation;
  std::uint32_t from = operation.source[0].index;
  std::uint32_t to = operation.destination[0].index;
  if (kSource &&
      !relative_index(wave, operation, operation.source[0].index, 1, kVectorLimit, from)) {
    return;
  }
  if (kDestination &&
      !relative_index(wave, operation, operation.destination[0].index, 1, kVectorLimit, to)) {
    return;
  }
  moved.source[0].index = static_cast<std::uint16_t>(from);
  moved.destination[0].index = static_cast<std::uint16_t>(to);
  run_u32<1, [](U32 x) { return x; }>(wave, moved);
}
template <bool kSource, bool kDestination>
Handler vector_move(const Operation& operation, const SemanticContext&) {
  const bool complete = is_integer_form(operation, 1) && operation.permutation == nullptr &&
                        (!kSource || operation.source[0].is_vector());
  return complete ? &run_vector<kSource, kDestination> : nullptr;
}

template <int kDwords, bool kSource>
void run_scalar(Wave& wave, const Operation& operation) {
  const Operand& source = operation.source[0];
  std::uint32_t to = operation.destination[0].index;
  std::uint64_t value = 0;
  if (kSource) {
    std::uint32_t from = 0;
    if (!relative_index(wave, operation, source.index, kDwords, kScalarLimit, from)) return;
    value = wave.scalar64(from);
  } else {
    value = kDwords == 2 ? wide_scalar_value(wave, source) : scalar_value(wave, source);
    const std::uint16_t base = operation.destination[0].index;
    if (!relative_index(wave, operation, base, kDwords, kScalarLimit, to)) return;
  }
  wave.scalar[to] = static_cast<std::uint32_t>(value);
  if (kDwords == 2) wave.scalar[to + 1] = static_cast<std::uint32_t>(value >> 32);
}
template <int kDwords, bool kSource>
Handler scalar_move(const Operation& operation, const SemanticContext&) {
  const Operand& source = operation.source[0];
  const bool complete = operation.destination[0].is_scalar() && source.is_present() &&
                        !source.is_vector() && (!kSource || source.is_scalar());
  return complete ? &run_scalar<kDwords, kSource> : nullptr;
}

constexpr Semantic kAll[] = {
    {"V_MOVRELS_B32", vector_move<true, false>}, {"V_MOVRELD_B32", vector_move<false, true>},
    {"V_MOVRELSD_B32", vector_move<true, true>}, {"S_MOVRELS_B32", scalar_move<1, true>},
    {"S_MOVRELS_B64", scalar_move<2, true>},     {"S_MOVRELD_B32", scalar_move<1, false>},
    {"S_MOVRELD_B64", scalar_move<2, false>},
};

}  // namespace

std::span<const Semantic> relative_move_semantics() {
  return kAll;
}

}  // namespace halyard::emulator
