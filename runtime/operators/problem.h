// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/expression.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"
#include "runtime/operators/contract.h"
#include "runtime/operators/slot_table.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace halyard::operators {

inline constexpr std::size_t kMaxProblemSlots = 64;

struct TensorShape {
  bool present = false;
  std::uint32_t rank = 0;
  base::DataType type = base::DataType::kF32;
  std::array<std::int64_t, kMaxRank> sizes{};
  std::int64_t element_count = 0;  // 0 when not present.
  std::int64_t size_bytes = 0;     // Of the packed elements.
};

// The shapes of a contract's tensors, in contract order, for one set of launch axes.
struct ShapeTable {
  std::uint32_t tensor_count = 0;
  std::array<TensorShape, kMaxTensors> tensors{};
};

// A contract bound to types, attributes and prepare axes. Immutable after create(), so copies share
// one content; any number of threads may use one at once. "Launch axes" are values in launch order:
// the launch and device axes in contract order, a device axis with its upper bound.
class Problem {
 public:
  // Errors: INVALID_ARGUMENT for an unknown, missing, repeated or out-of-range axis, a binding of
  // types that the contract does not allow, an unknown or unfit attribute, an unmet condition.
  static base::Result<Problem> create(base::Ref<const Contract> contract, TypeBindings types,
                                      Attributes attributes,
                                      std::span<const AxisValue> prepare_axes);

  const Contract& contract() const { return *content_->contract; }
  const base::Ref<const Contract>& contract_ref() const { return content_->contract; }
  const TypeBindings& types() const { return content_->types; }
  // Every attribute of the contract, defaults filled in.
  const Attributes& attributes() const { return content_->attributes; }
  // In the order of contract().prepare_axes().
  const std::vector<AxisValue>& prepare_axes() const { return content_->prepare_axes; }
  base::DataType tensor_type(std::size_t tensor) const { return content_->tensors[tensor].type; }

  // Slots of launch axes (first, in launch order, 0 here), prepare axes, integer attributes, and
  // "sizeof.T" of each type variable. Kernels extend a copy.
  const SlotTable& slots() const { return content_->slots; }

  // Named values into launch order. Errors as create().
  base::Result<std::vector<std::int64_t>> launch_values(std::span<const AxisValue> axes) const;
  // Errors: INVALID_ARGUMENT when the count or a value is outside the contract's bounds.
  base::Status check_launch_axes(std::span<const std::int64_t> launch_axes) const;

  // The shapes for `launch_axes`. Allocates nothing; false when shapes() would fail.
  bool shapes_into(std::span<const std::int64_t> launch_axes, ShapeTable& out) const noexcept;
  // Errors: INVALID_ARGUMENT, with the numbers, for axes out of range or sizes beyond 2^63 - 1.
  base::Result<ShapeTable> shapes(std::span<const std::int64_t> launch_axes) const;

  // Errors: INVALID_ARGUMENT when the value overflows or the axes are out of range.
  base::Result<std::int64_t> flops(std::span<const std::int64_t> launch_axes) const;
  base::Result<std::int64_t> bytes(std::span<const std::int64_t> launch_axes) const;
  base::Result<std::int64_t> reduction_length(std::span<const std::int64_t> launch_axes) const;

  // Value of a prepare axis or of an attribute that the contract has.
  std::int64_t prepare_axis(std::string_view name) const;
  const AttributeValue& attribute(std::string_view name) const;

 private:
  struct BoundTensor {
    base::DataType type = base::DataType::kF32;
    std::vector<base::Expression> shape;
    bool present = true;
  };
  struct Content final : public base::RefCounted {
    base::Ref<const Contract> contract;
    TypeBindings types;
    Attributes attributes;
    std::vector<AxisValue> prepare_axes;
    SlotTable slots;
    std::vector<BoundTensor> tensors;
    std::optional<base::Expression> flops;
    std::optional<base::Expression> bytes;
    std::optional<base::Expression> reduction;
  };
  using SlotValues = std::array<std::int64_t, kMaxProblemSlots>;

  Problem() : content_(base::make_ref<Content>()) {}
  base::Status bind_types(TypeBindings types);
  base::Status bind_attributes(Attributes attributes);
  base::Status bind_slots(std::span<const AxisValue> prepare_axes);
  base::Status check_conditions() const;
  base::Status compile();
  base::Status compile_tensors();
  bool launch_axes_fit(std::span<const std::int64_t> launch_axes) const noexcept;
  void fill_slots(std::span<const std::int64_t> launch_axes, SlotValues& out) const noexcept;
  bool shape_into(const BoundTensor& bound, const SlotValues& slots,
                  TensorShape& out) const noexcept;
  base::Error shape_error(std::span<const std::int64_t> launch_axes) const;
  base::Result<std::int64_t> value_of(const base::Expression& expression,
                                      std::span<const std::int64_t> launch_axes) const;

  base::Ref<Content> content_;  // null once moved from
};

}  // namespace halyard::operators
