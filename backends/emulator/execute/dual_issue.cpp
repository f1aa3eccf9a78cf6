// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/operand_wrappers.h"
#include "backends/emulator/state/wave.h"

#include <algorithm>
#include <array>

namespace halyard::emulator {
namespace {

void run_in_order(Wave& wave, const Operation& operation) {
  operation.first_half->handler(wave, *operation.first_half);
  operation.second_half->handler(wave, *operation.second_half);
}
void run_reversed(Wave& wave, const Operation& operation) {
  operation.second_half->handler(wave, *operation.second_half);
  operation.first_half->handler(wave, *operation.first_half);
}

// Each writes what the other reads: the first result is held back.
void run_crossed(Wave& wave, const Operation& operation) {
  std::uint32_t* const row = wave.row(operation.first_half->destination[0].index);
  std::array<std::uint32_t, 64> old;
  std::array<std::uint32_t, 64> result;
  std::copy_n(row, wave.lanes, old.data());
  operation.first_half->handler(wave, *operation.first_half);
  std::copy_n(row, wave.lanes, result.data());
  std::copy_n(old.data(), wave.lanes, row);
  operation.second_half->handler(wave, *operation.second_half);
  std::copy_n(result.data(), wave.lanes, row);
}

bool reads(const Operation& operation, const Operand& written) {
  return std::any_of(operation.source.begin(), operation.source.end(), [&](const Operand& source) {
    return source.is_vector() && source.index == written.index;
  });
}

}  // namespace

Handler choose_pair(const Operation& operation) {
  const Operation& first = *operation.first_half;
  const Operation& second = *operation.second_half;
  if (first.handler == nullptr || second.handler == nullptr) return nullptr;
  const Operand& x = first.destination[0];
  const Operand& y = second.destination[0];
  if (!x.is_vector() || !y.is_vector() || x.index == y.index) return nullptr;
  if (!reads(second, x)) return &run_in_order;
  return reads(first, y) ? &run_crossed : &run_reversed;
}

}  // namespace halyard::emulator
