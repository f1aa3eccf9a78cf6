// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/program/semantics.h"

#include <initializer_list>
#include <span>
#include <vector>

namespace halyard::emulator {

inline std::vector<Semantic> joined(std::initializer_list<std::span<const Semantic>> parts) {
  std::vector<Semantic> all;
  for (const std::span<const Semantic> part : parts)
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

// Choices for tables of semantics: a handler for operations that have the operands it uses.

template <Handler handler>
Handler always(const Operation&, const SemanticContext&) {
  return handler;
}

template <Handler handler>
Handler with_result(const Operation& operation, const SemanticContext&) {
  return operation.destination[0].is_vector() ? handler : nullptr;
}

template <Handler handler>
Handler with_data(const Operation& operation, const SemanticContext&) {
  return operation.source[1].is_vector() ? handler : nullptr;
}

}  // namespace halyard::emulator
