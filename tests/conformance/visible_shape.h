// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/conformance/size_expression.h"

#include <boost/json.hpp>
#include <string>
#include <vector>

namespace halyard::conformance {

// One problem of a contract's workloads, and what it costs by the contract's expressions.
struct VisibleShape {
  std::string name;
  boost::json::object types;
  boost::json::object attributes;
  Names axes;
  double flops = 0;
  double elements = 0;  // of all tensors
  double largest_tensor_elements = 0;

  std::string text() const;
};

// Every shape in its own types, and the cheapest of each workload in all others; cheapest first.
std::vector<VisibleShape> visible_shapes(const boost::json::object& contract);

// A workload of one operation, for halyard_evaluation_run.
std::string workload_document(const std::string& contract, const VisibleShape& shape);

// What one device may spend on the shapes of all contracts.
struct ShapeBudget {
  double flops = 0;
  double elements = 0;
  double largest_tensor_elements = 0;
};

struct ContractShapes {
  std::string contract;
  std::vector<VisibleShape> undecided;
  std::vector<VisibleShape> taken;
  std::vector<VisibleShape> left_out;
};

// Decides what the budget allows. The cheapest shape of each type is taken in any case, unless a
// tensor of it is too large; the rest is shared between the contracts, and what one does not need
// goes to the others.
void share_budget(ShapeBudget budget, std::vector<ContractShapes>& contracts);

}  // namespace halyard::conformance
