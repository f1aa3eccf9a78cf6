// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/expression.h"
#include "runtime/base/result.h"
#include "runtime/operators/slot_table.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace halyard::dispatch {

// An integer that a launch needs: a literal, one slot, or an expression over slots. The first two,
// which are nearly all, skip the expression's program.
class SlotValue {
 public:
  SlotValue() : SlotValue(0) {}
  explicit SlotValue(std::int64_t literal) : literal_(literal) {}

  static SlotValue of_slot(std::uint32_t slot);
  // Errors: INVALID_ARGUMENT for a name that `slots` does not have.
  static base::Result<SlotValue> compile(std::string_view text, const operators::SlotTable& slots);

  // Errors: INVALID_ARGUMENT, with the expression and its values, on overflow or division by zero.
  base::Result<std::int64_t> evaluate(std::span<const std::int64_t> slots) const;

  // As evaluate(), without the sentence. Never allocates.
  bool evaluate_into(std::span<const std::int64_t> slots, std::int64_t* out) const noexcept {
    if (expression_) return expression_->evaluate_into(slots, out);
    *out = slot_ == kNoSlot ? literal_ : slots[slot_];
    return true;
  }

 private:
  static constexpr std::uint32_t kNoSlot = UINT32_MAX;

  std::int64_t literal_ = 0;
  std::uint32_t slot_ = kNoSlot;
  std::optional<base::Expression> expression_;
};

}  // namespace halyard::dispatch
