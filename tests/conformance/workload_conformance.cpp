// SPDX-License-Identifier: Apache-2.0
#include "halyard/services/evaluation.h"

#include "tests/conformance/device_test.h"

#include <algorithm>
#include <boost/json/src.hpp>
#include <chrono>
#include <iostream>
#include <regex>
#include <sstream>

namespace halyard::conformance {
namespace {

namespace json = boost::json;

// Work on one device and contract, in multiply-adds as the product of all axes bounds them; what
// is left out is printed.
constexpr double kBudget = HALYARD_WORKLOAD_BUDGET;
// The largest single tensor, by the product of the two largest prepare axes.
constexpr double kLargestTensor = HALYARD_WORKLOAD_TENSOR;

// One problem of a contract: sizes by name, and expressions over them.
struct Shape {
  std::string name;
  json::object types;
  json::object attributes;
  std::vector<std::pair<std::string, std::int64_t>> sizes;
  std::vector<std::pair<std::string, std::string>> expressions;

  double work() const {
    double product = 1;
    // Tables of which a launch reads a row for each token cost nothing but their memory.
    const auto is_table = [](const std::string& axis) {
      return axis == "vocab" || axis == "max_positions";
    };
    const bool has_tokens = std::any_of(sizes.begin(), sizes.end(),
                                        [](const auto& size) { return size.first == "tokens"; });
    for (const auto& [axis, value] : sizes) {
      if (has_tokens && is_table(axis)) continue;
      product *= std::max<double>(1, static_cast<double>(value));
    }
    return product;
  }
  double largest_tensor() const {
    std::vector<double> values = {1, 1};
    for (const auto& [axis, value] : sizes)
      values.push_back(static_cast<double>(value));
    std::sort(values.rbegin(), values.rend());
    return values[0] * values[1];
  }
  std::string text() const {
    std::string out = name + " " + json::serialize(types);
    for (const auto& [axis, value] : sizes)
      out += " " + axis + "=" + std::to_string(value);
    return out;
  }
};

// Expressions may name others; each name is put in until only sizes are left.
std::string expand(std::string text, const Shape& shape) {
  for (int depth = 0; depth < 4; ++depth) {
    for (const auto& [name, expression] : shape.expressions) {
      text = std::regex_replace(text, std::regex("\\b" + name + "\\b"), "(" + expression + ")");
    }
  }
  return text;
}

void add_shapes(const json::object& workload, const json::object& types, std::vector<Shape>& out) {
  std::vector<Shape> shapes(1);
  shapes[0].name = workload.at("name").as_string().c_str();
  shapes[0].types = types;
  if (const auto* attributes = workload.if_contains("attributes")) {
    shapes[0].attributes = attributes->as_object();
  }
  for (const auto& [axis, value] : workload.at("axes").as_object()) {
    std::vector<Shape> grown;
    for (const Shape& shape : shapes) {
      if (value.is_string()) {
        grown.push_back(shape);
        grown.back().expressions.emplace_back(axis, value.as_string().c_str());
        continue;
      }
      const json::array values = value.is_array() ? value.as_array() : json::array{value};
      for (const json::value& size : values) {
        grown.push_back(shape);
        grown.back().sizes.emplace_back(axis, size.to_number<std::int64_t>());
      }
    }
    shapes = std::move(grown);
  }
  out.insert(out.end(), shapes.begin(), shapes.end());
}

// Every visible shape in its own types, and the smallest of each workload in all others.
std::vector<Shape> visible_shapes(const json::object& contract) {
  std::vector<Shape> shapes;
  for (const json::value& workload : contract.at("workloads").as_array()) {
    const json::object& own = workload.at("types").as_object();
    add_shapes(workload.as_object(), own, shapes);
    for (const json::value& types : contract.at("types").as_array()) {
      if (types.as_object() == own) continue;
      std::vector<Shape> others;
      add_shapes(workload.as_object(), types.as_object(), others);
      shapes.push_back(
          *std::min_element(others.begin(), others.end(),
                            [](const Shape& a, const Shape& b) { return a.work() < b.work(); }));
    }
  }
  std::stable_sort(shapes.begin(), shapes.end(),
                   [](const Shape& a, const Shape& b) { return a.work() < b.work(); });
  return shapes;
}

std::string workload_document(const std::string& contract, const Shape& shape) {
  json::array axes;
  json::object operation_axes;
  for (const auto& [name, value] : shape.sizes) {
    axes.push_back(json::object{{"name", name}, {"default", value}});
    operation_axes[name] = name;
  }
  for (const auto& [name, expression] : shape.expressions) {
    operation_axes[name] = expand(expression, shape);
  }
  const json::object operation = {{"name", "it"},
                                  {"contract", contract},
                                  {"types", shape.types},
                                  {"attributes", shape.attributes},
                                  {"axes", operation_axes}};
  return json::serialize(json::object{{"format", "halyard.workload/1"},
                                      {"name", "visible"},
                                      {"axes", axes},
                                      {"operations", json::array{operation}}});
}

class WorkloadConformance : public DeviceTest {
 protected:
  void check_contract(const std::string& name) {
    const json::object contract = json::parse(instance_.contract(name.c_str()).json()).as_object();
    double used = 0;
    std::size_t checked = 0;
    std::size_t left_out = 0;
    std::size_t large = 0;
    for (const Shape& shape : visible_shapes(contract)) {
      // The first shape is always within the budget of work.
      const bool too_large =
          shape.largest_tensor() > kLargestTensor || (shape.largest_tensor() > 1e8 && ++large > 2);
      if (too_large || (checked > 0 && used + shape.work() > kBudget)) {
        ++left_out;
        continue;
      }
      used += shape.work();
      ++checked;
      check_shape(name, shape);
    }
    EXPECT_GT(checked + left_out, 0U) << name;
    std::cout << name << ": " << checked << " visible shapes checked, " << left_out
              << " left out by the budget.\n";
  }

  // A tensor larger than the device's binding or memory; a probe of a type it has no product for.
  static bool is_beyond_device(const std::string& contract, halyard_status status,
                               const std::string& message) {
    if (status == HALYARD_STATUS_OUT_OF_MEMORY) return true;
    if (status != HALYARD_STATUS_NO_KERNEL) return false;
    return message.find("larger than one binding") != std::string::npos ||
           contract.rfind("probe_", 0) == 0;
  }

  void check_shape(const std::string& contract, const Shape& shape) {
    halyard_evaluation_desc desc = HALYARD_EVALUATION_DESC_INIT;
    desc.check = 1;
    halyard_results* results = nullptr;
    const std::string document = workload_document(contract, shape);
    const halyard_status status =
        halyard_evaluation_run(device_.get(), document.c_str(), &desc, &results);
    const std::string message = status == HALYARD_STATUS_OK ? "" : halyard_last_error_message();
    if (is_beyond_device(contract, status, message)) {
      std::cout << "  left out: " << shape.text() << ": " << message << '\n';
      return;
    }
    ASSERT_EQ(HALYARD_STATUS_OK, status) << shape.text() << ": " << message;
    EXPECT_EQ(1U, halyard_results_passed(results)) << shape.text() << "\n"
                                                   << halyard_results_json(results);
    halyard_results_release(results);
  }
};
HALYARD_ON_EACH_DEVICE(WorkloadConformance);

TEST_P(WorkloadConformance, VisibleShapesAreRight) {
  std::istringstream names(instance_.contracts());
  for (std::string name; std::getline(names, name);) {
    const auto start = std::chrono::steady_clock::now();
    check_contract(name);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    std::cout << "  " << elapsed.count() << " s\n";
  }
}

}  // namespace
}  // namespace halyard::conformance
