// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_record.h"
#include "runtime/base/json.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Reading of the pieces that kernel.json is made of. Each function reads the member `key` and fails
// with its JSON pointer.
namespace halyard::store::reader {

// [A-Za-z_][A-Za-z0-9_]*, at most 128 bytes.
base::Result<std::string> required_name(const base::JsonObject& object, std::string_view key);

// A string or integer; text is checked to be an expression.
base::Result<ExpressionText> expression_of(const base::JsonObject& object, std::string_view key,
                                           const boost::json::value& value, std::string_view where);
base::Result<ExpressionText> required_expression(const base::JsonObject& object,
                                                 std::string_view key);
base::Result<std::optional<ExpressionText>> optional_expression(const base::JsonObject& object,
                                                                std::string_view key);
base::Result<std::vector<ExpressionText>> required_expressions(const base::JsonObject& object,
                                                               std::string_view key,
                                                               std::size_t minimum,
                                                               std::size_t maximum);
base::Result<std::optional<std::uint32_t>> optional_count(const base::JsonObject& object,
                                                          std::string_view key,
                                                          base::IntegerRange range);

// The word of E that `key` holds.
template <typename E>
base::Result<E> required_word(const base::JsonObject& object, std::string_view key) {
  HALYARD_TRY_ASSIGN(const std::string text, object.required_choice(key, words_of<E>()));
  return *from_word<E>(text);
}

base::Result<KernelStage> parse_stage(const base::JsonObject& object);

// {"T":"bf16"}: names to element types.
base::Result<TypeBinding> type_binding_of(const base::JsonObject& object);
// {"TILE_N":64}: names to integers.
base::Result<std::map<std::string, std::int64_t>> integers_of(const base::JsonObject& object);

// Fails on the first member of the record that does not fit the rest of it.
base::Status check_kernel_record(const KernelRecord& record, const base::JsonObject& document);

}  // namespace halyard::store::reader
