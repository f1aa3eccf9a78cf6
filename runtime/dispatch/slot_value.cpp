// SPDX-License-Identifier: Apache-2.0
#include "runtime/dispatch/slot_value.h"

#include <utility>

namespace halyard::dispatch {

SlotValue SlotValue::of_slot(std::uint32_t slot) {
  SlotValue value;
  value.slot_ = slot;
  return value;
}

base::Result<SlotValue> SlotValue::compile(std::string_view text,
                                           const operators::SlotTable& slots) {
  if (const auto slot = slots.slot_of(text)) return of_slot(*slot);
  HALYARD_TRY_ASSIGN(base::Expression expression,
                     base::Expression::compile(text, slots.resolver()));
  if (expression.is_constant()) {
    HALYARD_TRY_ASSIGN(const std::int64_t literal, expression.evaluate({}));
    return SlotValue(literal);
  }
  SlotValue value;
  value.expression_ = std::move(expression);
  return value;
}

base::Result<std::int64_t> SlotValue::evaluate(std::span<const std::int64_t> slots) const {
  if (expression_) return expression_->evaluate(slots);
  return slot_ == kNoSlot ? literal_ : slots[slot_];
}

}  // namespace halyard::dispatch
