// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/operators/contract.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::services {

// A size that a workload leaves open.
struct WorkloadAxis {
  std::string name;
  std::int64_t default_value = 0;
  std::int64_t min = 0;
  std::int64_t max = 0;
};

// A tensor of the workload as one operation sees it; offset and strides are expressions that count
// elements, and no strides mean packed ones.
struct TensorUse {
  std::string tensor;
  std::string offset;
  std::vector<std::string> strides;

  bool is_plain() const { return offset.empty() && strides.empty(); }
};

struct WorkloadOperation {
  std::string name;
  std::string contract;
  operators::TypeBindings types;
  operators::Attributes attributes;
  std::map<std::string, std::string> axes;   // Expressions over the workload's axes.
  std::map<std::string, TensorUse> tensors;  // None: each under the contract's own name.
  std::map<std::string, double> scalars;     // Those left out take typical values.
  std::string path;                          // JSON pointer, for messages.
};

enum class InputGenerator : std::uint32_t {
  kNormal = 1,           // scale * N(0, 1)
  kConstant = 2,         // one integer everywhere
  kDecodeSlots = 3,      // the cache slot of each sequence's last position
  kDecodePositions = 4,  // each sequence's last position
};

// How an input is filled, where the first operation that reads it does not say it all.
struct InputRule {
  InputGenerator generator = InputGenerator::kNormal;
  double scale = 1;
  std::string value;  // An expression: the constant, or the page size.
  std::string kv_indptr;
  std::string kv_indices;
  std::string kv_lengths;
  std::string path;
};

// Operations in order, wired by the names of the tensors they share: a "halyard.workload/1"
// document.
struct Workload {
  std::string name;
  std::string summary;
  std::vector<WorkloadAxis> axes;
  std::vector<WorkloadOperation> operations;
  std::map<std::string, InputRule> inputs;

  // Checks the form of the document; names are checked when it is bound.
  // Errors: INVALID_ARGUMENT with the JSON pointer.
  static base::Result<Workload> parse(std::string_view json, std::string_view source_name);
};

}  // namespace halyard::services
