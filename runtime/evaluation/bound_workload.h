// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/evaluation/workload.h"
#include "runtime/operators/problem.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace halyard::services {

// A tensor that operations share.
struct SharedTensor {
  std::string name;
  base::DataType type = base::DataType::kF32;
  std::int64_t element_count = 0;
  bool is_constant = false;
  std::vector<std::int64_t> shape;  // Of a constant.
  // The operation, and the tensor of its contract, that reads it before any wrote it; nothing for
  // what the workload computes.
  struct FirstRead {
    std::size_t operation = 0;
    std::size_t tensor = 0;
    bool is_plain = true;
  };
  std::optional<FirstRead> first_read;
  bool is_written = false;
  std::size_t last_use = 0;  // Operation.

  std::int64_t size_bytes() const {
    return element_count * static_cast<std::int64_t>(base::data_type_size_bytes(type));
  }
};

// Where a tensor of a contract lies.
struct BoundUse {
  std::size_t shared = 0;
  std::int64_t offset = 0;  // Elements.
  std::array<std::int64_t, operators::kMaxRank> strides{};
  bool is_packed = true;
};

// An operation with numbers in place of expressions.
struct BoundOperation {
  std::string name;
  operators::Problem problem;
  std::vector<std::int64_t> launch_axes;
  operators::ShapeTable shapes;
  std::vector<std::optional<BoundUse>> uses;  // By tensor of the contract; none where not present.
  std::vector<double> scalars;
};

struct BoundRule {
  std::size_t shared = 0;
  InputGenerator generator = InputGenerator::kNormal;
  double scale = 1;
  std::int64_t value = 0;
  std::size_t kv_indptr = 0;
  std::size_t kv_indices = 0;
  std::size_t kv_lengths = 0;
};

using ContractSource =
    std::function<base::Result<base::Ref<const operators::Contract>>(const std::string& name)>;

// A workload with values for its axes: every shape known, every name resolved.
struct BoundWorkload {
  std::string name;
  std::vector<operators::AxisValue> axes;
  std::vector<BoundOperation> operations;
  std::vector<SharedTensor> tensors;
  std::vector<BoundRule> rules;

  // Axes that `values` leaves out take their defaults. Errors: INVALID_ARGUMENT with the JSON
  // pointer of what does not fit; those of `contracts`.
  static base::Result<BoundWorkload> bind(const Workload& workload,
                                          std::span<const operators::AxisValue> values,
                                          const ContractSource& contracts);
};

}  // namespace halyard::services
