// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/visible_shape.h"

#include <algorithm>
#include <boost/json/src.hpp>
#include <set>
#include <stdexcept>
#include <utility>

namespace halyard::conformance {
namespace {

namespace json = boost::json;

// The values of one workload's axes: each combination of those with a list.
std::vector<Names> axis_values(const json::object& axes) {
  std::vector<Names> all(1);
  std::size_t expressions = 0;
  for (const auto& [axis, value] : axes) {
    if (value.is_string()) {
      ++expressions;
      continue;
    }
    std::vector<Names> grown;
    for (const Names& names : all) {
      const json::array sizes = value.is_array() ? value.as_array() : json::array{value};
      for (const json::value& size : sizes) {
        grown.push_back(names);
        grown.back()[axis] = size.to_number<std::int64_t>();
      }
    }
    all = std::move(grown);
  }
  // An expression may name another: each round settles at least one.
  for (Names& names : all) {
    for (std::size_t round = 0; round < expressions; ++round) {
      for (const auto& [axis, value] : axes) {
        if (!value.is_string() || names.count(axis) != 0) continue;
        try {
          names[axis] = evaluate_size(value.as_string().c_str(), names);
        } catch (const std::runtime_error&) {
          if (round + 1 == expressions) throw;
        }
      }
    }
  }
  return all;
}

void find_costs(const json::object& contract, VisibleShape& shape) {
  Names names = shape.axes;
  for (const json::value& attribute : contract.at("attributes").as_array()) {
    const json::object& declared = attribute.as_object();
    const json::value* value = shape.attributes.if_contains(declared.at("name").as_string());
    if (value == nullptr) value = declared.if_contains("default");
    if (value == nullptr || !value->is_int64()) continue;
    names[declared.at("name").as_string().c_str()] = value->as_int64();
  }
  shape.flops = static_cast<double>(evaluate_size(contract.at("flops").as_string().c_str(), names));
  for (const json::value& tensor : contract.at("tensors").as_array()) {
    double elements = 1;
    for (const json::value& size : tensor.as_object().at("shape").as_array()) {
      elements *= static_cast<double>(evaluate_size(size.as_string().c_str(), names));
    }
    shape.elements += elements;
    shape.largest_tensor_elements = std::max(shape.largest_tensor_elements, elements);
  }
}

bool is_cheaper(const VisibleShape& a, const VisibleShape& b) {
  return a.flops != b.flops ? a.flops < b.flops : a.elements < b.elements;
}

std::vector<VisibleShape> shapes_of(const json::object& contract, const json::object& workload,
                                    const json::object& types) {
  std::vector<VisibleShape> shapes;
  for (Names& axes : axis_values(workload.at("axes").as_object())) {
    VisibleShape& shape = shapes.emplace_back();
    shape.name = workload.at("name").as_string().c_str();
    shape.types = types;
    if (const json::value* attributes = workload.if_contains("attributes")) {
      shape.attributes = attributes->as_object();
    }
    shape.axes = std::move(axes);
    find_costs(contract, shape);
  }
  return shapes;
}

// How much of the budget all `shapes` would take; the scarcer part counts.
double portion(const std::vector<VisibleShape>& shapes, const ShapeBudget& budget) {
  double flops = 0;
  double elements = 0;
  for (const VisibleShape& shape : shapes) {
    flops += shape.flops;
    elements += shape.elements;
  }
  return std::max(flops / budget.flops, elements / budget.elements);
}

void take(VisibleShape& shape, ContractShapes& contract, ShapeBudget& budget) {
  budget.flops -= shape.flops;
  budget.elements -= shape.elements;
  contract.taken.push_back(std::move(shape));
}

// Takes the cheapest shape of each type, and leaves out those with a tensor that is too large.
void take_each_type(ContractShapes& contract, ShapeBudget& budget) {
  std::set<std::string> types_taken;
  for (VisibleShape& shape : std::exchange(contract.undecided, {})) {
    if (shape.largest_tensor_elements > budget.largest_tensor_elements) {
      contract.left_out.push_back(std::move(shape));
    } else if (types_taken.insert(json::serialize(shape.types)).second) {
      take(shape, contract, budget);
    } else {
      contract.undecided.push_back(std::move(shape));
    }
  }
}

// Takes what `share` allows, small tensors first: they cost more time than operations do. `budget`
// pays.
void take_share(const ShapeBudget& share, ContractShapes& contract, ShapeBudget& budget) {
  ShapeBudget left = share;
  std::stable_sort(
      contract.undecided.begin(), contract.undecided.end(),
      [](const VisibleShape& a, const VisibleShape& b) { return a.elements < b.elements; });
  for (VisibleShape& shape : contract.undecided) {
    if (shape.flops > left.flops || shape.elements > left.elements) {
      contract.left_out.push_back(std::move(shape));
      continue;
    }
    left.flops -= shape.flops;
    left.elements -= shape.elements;
    take(shape, contract, budget);
  }
  contract.undecided.clear();
}

}  // namespace

std::string VisibleShape::text() const {
  std::string out = name + " " + json::serialize(types);
  for (const auto& [axis, value] : axes)
    out += " " + axis + "=" + std::to_string(value);
  return out;
}

std::vector<VisibleShape> visible_shapes(const json::object& contract) {
  std::vector<VisibleShape> all;
  for (const json::value& each : contract.at("workloads").as_array()) {
    const json::object& workload = each.as_object();
    const json::object& own = workload.at("types").as_object();
    std::vector<VisibleShape> shapes = shapes_of(contract, workload, own);
    for (const json::value& types : contract.at("types").as_array()) {
      if (types.as_object() == own) continue;
      all.push_back(*std::min_element(shapes.begin(), shapes.end(), &is_cheaper));
      all.back().types = types.as_object();
    }
    all.insert(all.end(), shapes.begin(), shapes.end());
  }
  std::stable_sort(all.begin(), all.end(), &is_cheaper);
  return all;
}

std::string workload_document(const std::string& contract, const VisibleShape& shape) {
  json::object axes;
  for (const auto& [axis, value] : shape.axes)
    axes[axis] = value;
  const json::object operation = {{"name", "it"},
                                  {"contract", contract},
                                  {"types", shape.types},
                                  {"attributes", shape.attributes},
                                  {"axes", axes}};
  return json::serialize(json::object{{"format", "halyard.workload/1"},
                                      {"name", "visible"},
                                      {"axes", json::array()},
                                      {"operations", json::array{operation}}});
}

void share_budget(ShapeBudget budget, std::vector<ContractShapes>& contracts) {
  for (ContractShapes& contract : contracts)
    take_each_type(contract, budget);
  std::vector<ContractShapes*> order;
  for (ContractShapes& contract : contracts)
    order.push_back(&contract);
  std::sort(order.begin(), order.end(), [&](const auto* a, const auto* b) {
    return portion(a->undecided, budget) < portion(b->undecided, budget);
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto sharers = static_cast<double>(order.size() - i);
    take_share({budget.flops / sharers, budget.elements / sharers}, *order[i], budget);
  }
}

}  // namespace halyard::conformance
