// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/execute/vector_rows.h"

#include <cstdint>
#include <utility>

namespace halyard::emulator::scalars {

using lanes::scalar_value;
using lanes::wide_scalar_value;

using U = std::uint32_t;
using I = std::int32_t;
using W = std::uint64_t;
using S = std::int64_t;

// What an instruction does to SCC.
enum class Scc : std::uint8_t { kKept, kNonZero, kOwn };

template <class T>
T source(const Wave& wave, const Operation& operation, std::size_t i) {
  if constexpr (sizeof(T) == 8) {
    return static_cast<T>(wide_scalar_value(wave, operation.source[i]));
  } else {
    return static_cast<T>(scalar_value(wave, operation.source[i]));
  }
}
template <class T>
void put(Wave& wave, const Operation& operation, T value) {
  const std::uint16_t index = operation.destination[0].index;
  if constexpr (sizeof(T) == 8) {
    wave.set_scalar64(index, static_cast<W>(value));
  } else {
    wave.scalar[index] = static_cast<U>(value);
  }
}

inline bool has_scalar_form(const Operation& operation, std::size_t sources, bool writes) {
  if (writes && !operation.destination[0].is_scalar()) return false;
  for (std::size_t i = 0; i < sources; ++i) {
    const Operand& source = operation.source[i];
    if (!source.is_present() || source.is_vector() || source.kind == OperandKind::kLdsDirect) {
      return false;
    }
  }
  return true;
}

// Functions of one or two sources; those that see to SCC themselves take it as a reference.
template <auto kFunction, Scc kScc, class Out, class... In, std::size_t... kIndex>
void run_scalar(Wave& wave, const Operation& operation, std::index_sequence<kIndex...>) {
  Out result{};
  if constexpr (kScc == Scc::kOwn) {
    bool scc = wave.scc;
    result = static_cast<Out>(kFunction(scc, source<In>(wave, operation, kIndex)...));
    wave.scc = scc;
  } else {
    result = static_cast<Out>(kFunction(source<In>(wave, operation, kIndex)...));
    if constexpr (kScc == Scc::kNonZero) wave.scc = result != 0;
  }
  put<Out>(wave, operation, result);
}
template <auto kFunction, Scc kScc, class Out, class... In>
Handler scalar(const Operation& operation, const SemanticContext&) {
  if (!has_scalar_form(operation, sizeof...(In), true)) return nullptr;
  return [](Wave& wave, const Operation& self) {
    run_scalar<kFunction, kScc, Out, In...>(wave, self, std::index_sequence_for<In...>{});
  };
}
template <auto kFunction, class... In, std::size_t... kIndex>
void run_test(Wave& wave, const Operation& operation, std::index_sequence<kIndex...>) {
  wave.scc = kFunction(source<In>(wave, operation, kIndex)...);
}
template <auto kFunction, class... In>
Handler test(const Operation& operation, const SemanticContext&) {
  if (!has_scalar_form(operation, sizeof...(In), false)) return nullptr;
  return [](Wave& wave, const Operation& self) {
    run_test<kFunction, In...>(wave, self, std::index_sequence_for<In...>{});
  };
}

// Of two numbers of any width.
inline constexpr auto kAnd = [](auto a, auto b) { return a & b; };
inline constexpr auto kOr = [](auto a, auto b) { return a | b; };
inline constexpr auto kXor = [](auto a, auto b) { return a ^ b; };
inline constexpr auto kNand = [](auto a, auto b) { return ~(a & b); };
inline constexpr auto kNor = [](auto a, auto b) { return ~(a | b); };
inline constexpr auto kXnor = [](auto a, auto b) { return ~(a ^ b); };
inline constexpr auto kAndNot1 = [](auto a, auto b) { return a & ~b; };
inline constexpr auto kOrNot1 = [](auto a, auto b) { return a | ~b; };
inline constexpr auto kAndNot0 = [](auto a, auto b) { return ~a & b; };
inline constexpr auto kOrNot0 = [](auto a, auto b) { return ~a | b; };

}  // namespace halyard::emulator::scalars
