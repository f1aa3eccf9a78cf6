// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/program/semantics.h"

#include <array>
#include <cstddef>
#include <span>

namespace halyard::emulator {

// Sets of vector instructions that belong to those of semantics.h and fill files of their own.
std::span<const Semantic> carry_semantics();  // additions with carry, selections, swaps
std::span<const Semantic> float_minmax_semantics();
std::span<const Semantic> float_approximate_semantics();  // rcp, exp, sin, …
std::span<const Semantic> float_rounding_semantics();     // trunc, fract, ldexp, frexp, …
std::span<const Semantic> float_division_semantics();     // div_scale, div_fmas, div_fixup
std::span<const Semantic> float_double_semantics();
std::span<const Semantic> small_float_semantics();  // conversions of FP8 and BF8
std::span<const Semantic> scalar_mask_semantics();  // EXEC, SCC and SOPK
std::span<const Semantic> scalar_float_semantics();
std::span<const Semantic> relative_move_semantics();
std::span<const Semantic> packed_integer_semantics();

template <std::size_t... kCounts>
constexpr auto join(const Semantic (&... parts)[kCounts]) {
  std::array<Semantic, (kCounts + ...)> all{};
  std::size_t next = 0;
  const auto append = [&](const auto& part) {
    for (const Semantic& each : part)
      all[next++] = each;
  };
  (append(parts), ...);
  return all;
}

}  // namespace halyard::emulator
