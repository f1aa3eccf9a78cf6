// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/error.h"

#include <tl/expected.hpp>

#include <string>
#include <type_traits>
#include <utility>

namespace halyard::base {

// A value or an Error; ignoring one is a warning. Absence is not an error: a miss is
// Result<std::optional<T>>.
template <typename T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;

  Result(Error error)  // NOLINT(google-explicit-constructor): failures convert at return.
      : tl::expected<T, Error>(tl::unexpect, std::move(error)) {}
};

using Status = Result<void>;

inline Status ok() {
  return Status();
}

}  // namespace halyard::base

#define HALYARD_CONCAT_INNER(a, b) a##b
#define HALYARD_CONCAT(a, b) HALYARD_CONCAT_INNER(a, b)

// Returns from the enclosing function when `expression` fails.
#define HALYARD_TRY(expression)                                            \
  do {                                                                     \
    auto halyard_try_result = (expression);                                \
    if (!halyard_try_result) return std::move(halyard_try_result.error()); \
  } while (false)

// Declares `declaration` with the value of `expression`, or returns its error.
#define HALYARD_TRY_ASSIGN(declaration, expression) \
  HALYARD_TRY_ASSIGN_INNER(HALYARD_CONCAT(halyard_try_, __LINE__), declaration, expression)

#define HALYARD_TRY_ASSIGN_INNER(name, declaration, expression) \
  auto name = (expression);                                     \
  if (!name) return std::move(name.error());                    \
  declaration = std::move(*name)
