// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/halyard.hpp"

#include <CLI/CLI.hpp>
#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace halyard::command_line {

// What the command line says about one operation, as it was typed.
struct OperationOptions {
  std::string contract;
  std::string device;
  std::string kernel;
  std::vector<std::string> axes;
  std::vector<std::string> types;
  std::vector<std::string> attributes;
};

void add_device_option(CLI::App& app, std::string& device);
void add_axis_option(CLI::App& app, std::vector<std::string>& axes);
void add_operation_options(CLI::App& app, OperationOptions& options);

// The device's id for the library: NULL for none.
const char* device_id(const std::string& device);

// "--axis M=16" as name and value. A UsageError says what is wrong with which option.
std::vector<std::pair<std::string, std::int64_t>> parse_axes(const std::vector<std::string>& texts);

// The same operation in the terms of its contract. Names that the contract does not have are kept:
// the library has the sentence for them.
class OperationRequest {
 public:
  // Types that are left out take the first of the contract's bindings that agrees with the others.
  OperationRequest(const Instance& instance, const OperationOptions& options);

  // Borrows from this request.
  halyard_operation_desc desc() const;

  // The halyard.workload/1 document of just this operation.
  boost::json::object workload() const;

  // Whether the contract has tensors that are constants.
  bool has_constants() const;

  // "rms_norm T=bf16 batch=16 hidden=4096".
  std::string text() const;

 private:
  void bind_types(const std::vector<std::string>& texts);
  void bind_attributes(const std::vector<std::string>& texts);

  struct Attribute {
    std::string name;
    std::optional<std::string> text;
    double number = 0;
  };

  std::string kernel_;
  std::string name_;
  boost::json::object contract_;
  std::vector<std::pair<std::string, std::string>> types_;
  std::vector<std::pair<std::string, std::int64_t>> axes_;
  std::vector<Attribute> attributes_;
  // What desc() points to.
  std::vector<halyard_type_binding> type_bindings_;
  std::vector<halyard_axis> axis_values_;
  std::vector<halyard_attribute> attribute_values_;
};

}  // namespace halyard::command_line
