// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/vector_rows.h"

#include <algorithm>
#include <array>
#include <bit>

namespace halyard::emulator {
namespace {

using namespace lanes;

bool is_readable(const Operand& operand) {
  return operand.is_present() && operand.kind != OperandKind::kLdsDirect;
}

void run_read_first_lane(Wave& wave, const Operation& operation) {
  const std::uint64_t exec = wave.exec();
  const int lane = exec == 0 ? 0 : std::countr_zero(exec);
  const Operand& source = operation.source[0];
  wave.scalar[operation.destination[0].index] =
      source.is_vector() ? wave.row(source.index)[lane] : scalar_value(wave, source);
}
Handler read_first_lane(const Operation& operation, const SemanticContext&) {
  const bool complete = operation.destination[0].is_scalar() && is_readable(operation.source[0]);
  return complete ? &run_read_first_lane : nullptr;
}

void run_read_lane(Wave& wave, const Operation& operation) {
  const Operand& source = operation.source[0];
  const std::uint32_t lane = scalar_value(wave, operation.source[1]) & (wave.lanes - 1);
  wave.scalar[operation.destination[0].index] =
      source.is_vector() ? wave.row(source.index)[lane] : scalar_value(wave, source);
}
Handler read_lane(const Operation& operation, const SemanticContext&) {
  const bool complete = operation.destination[0].is_scalar() && is_readable(operation.source[0]) &&
                        is_readable(operation.source[1]) && !operation.source[1].is_vector();
  return complete ? &run_read_lane : nullptr;
}

// Whatever EXEC is.
void run_write_lane(Wave& wave, const Operation& operation) {
  const std::uint32_t lane = scalar_value(wave, operation.source[1]) & (wave.lanes - 1);
  wave.row(operation.destination[0].index)[lane] = scalar_value(wave, operation.source[0]);
}
Handler write_lane(const Operation& operation, const SemanticContext&) {
  const bool complete = operation.destination[0].is_vector() && is_readable(operation.source[0]) &&
                        is_readable(operation.source[1]) && !operation.source[0].is_vector() &&
                        !operation.source[1].is_vector();
  return complete ? &run_write_lane : nullptr;
}

// In each row of 16 lanes, or from the other one of a pair of rows, the lane that four bits of the
// selectors name. op_sel: bit 0 reads lanes that EXEC leaves out, bit 1 gives 0 for them.
template <bool kOtherRow, bool kByLane>
void run_permute_16(Wave& wave, const Operation& operation) {
  const std::uint32_t* const from = wave.row(operation.source[0].index);
  const std::uint64_t selectors =
      kByLane ? 0
              : scalar_value(wave, operation.source[1]) |
                    std::uint64_t{scalar_value(wave, operation.source[2])} << 32;
  const std::uint64_t exec = wave.exec();
  std::array<std::uint32_t, 64> result;
  std::uint64_t written = exec;
  for (std::uint32_t lane = 0; lane < wave.lanes; ++lane) {
    const std::uint32_t row = (lane & ~15u) ^ (kOtherRow ? 16u : 0u);
    const std::uint32_t selector = kByLane
                                       ? wave.row(operation.source[1].index)[lane]
                                       : static_cast<std::uint32_t>(selectors >> (4 * (lane & 15)));
    const std::uint32_t source = row | (selector & 15);
    const bool exists = (operation.op_sel & 1) != 0 || (exec >> source & 1) != 0;
    result[lane] = exists ? from[source] : 0;
    if (!exists && (operation.op_sel & 2) == 0) written &= ~(std::uint64_t{1} << lane);
  }
  std::uint32_t* const out = wave.row(operation.destination[0].index);
  for (std::uint32_t lane = 0; lane < wave.lanes; ++lane) {
    if (written >> lane & 1) out[lane] = result[lane];
  }
}
template <bool kOtherRow, bool kByLane>
Handler permute_16(const Operation& operation, const SemanticContext&) {
  bool complete = has_vector_form(operation, kByLane ? 2 : 3) && !has_modifiers(operation) &&
                  operation.source[0].is_vector();
  for (std::size_t i = 1; i < (kByLane ? 2u : 3u); ++i) {
    complete = complete && operation.source[i].is_vector() == kByLane;
  }
  return complete ? &run_permute_16<kOtherRow, kByLane> : nullptr;
}

// Exchanges the halves of 64 lanes; lanes that EXEC leaves out are sources too.
void run_permute_64(Wave& wave, const Operation& operation) {
  if (wave.lanes != 64) return;
  const std::uint32_t* const from = wave.row(operation.source[0].index);
  std::array<std::uint32_t, 64> result;
  for (std::uint32_t lane = 0; lane < 64; ++lane)
    result[lane] = from[lane ^ 32];
  std::uint32_t* const out = wave.row(operation.destination[0].index);
  const std::uint64_t exec = wave.exec();
  for (std::uint32_t lane = 0; lane < 64; ++lane) {
    if (exec >> lane & 1) out[lane] = result[lane];
  }
}
Handler permute_64(const Operation& operation, const SemanticContext&) {
  const bool complete = is_integer_form(operation, 1) && operation.source[0].is_vector();
  return complete ? &run_permute_64 : nullptr;
}

constexpr Semantic kAll[] = {
    {"V_READFIRSTLANE_B32", read_first_lane},
    {"V_READLANE_B32", read_lane},
    {"V_WRITELANE_B32", write_lane},
    {"V_PERMLANE16_B32", permute_16<false, false>},
    {"V_PERMLANEX16_B32", permute_16<true, false>},
    {"V_PERMLANE16_VAR_B32", permute_16<false, true>},
    {"V_PERMLANEX16_VAR_B32", permute_16<true, true>},
    {"V_PERMLANE64_B32", permute_64},
};

}  // namespace

std::span<const Semantic> lane_semantics() {
  return kAll;
}

}  // namespace halyard::emulator
