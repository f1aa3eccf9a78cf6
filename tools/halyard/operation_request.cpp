// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/operation_request.h"

#include "tools/halyard/command.h"
#include "tools/halyard/document.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <charconv>
#include <cmath>

namespace halyard::command_line {
namespace {

namespace json = boost::json;

using Pair = std::pair<std::string, std::string>;

Pair split(const std::string& option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw UsageError(option + " \"" + text + "\" is not of the form NAME=VALUE.");
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

template <typename Pairs>
void refuse_twice(const std::string& option, const Pairs& pairs, const std::string& name) {
  for (const auto& pair : pairs) {
    if (pair.first != name) continue;
    std::string sentence = option;
    throw UsageError(sentence.append(" ").append(name).append(" is given twice."));
  }
}

std::int64_t parse_integer(const std::string& option, const std::string& text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, code] = std::from_chars(text.data(), end, value);
  if (code == std::errc::result_out_of_range) {
    throw UsageError(option + ": " + text + " does not fit in 64 bits.");
  }
  if (code != std::errc() || at != end) {
    throw UsageError(option + ": \"" + text + "\" is not an integer.");
  }
  return value;
}

double parse_number(const std::string& option, const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, code] = std::from_chars(text.data(), end, value);
  if (code != std::errc() || at != end || !std::isfinite(value)) {
    throw UsageError(option + ": \"" + text + "\" is not a finite number.");
  }
  return value;
}

const json::object* find_named(const json::array& entries, const std::string& name) {
  for (const json::value& value : entries) {
    if (value.is_object() && text_of(value.as_object(), "name") == name) return &value.as_object();
  }
  return nullptr;
}

bool agrees(const json::object& binding, const std::vector<Pair>& types) {
  return std::all_of(types.begin(), types.end(),
                     [&](const Pair& type) { return text_of(binding, type.first) == type.second; });
}

void append_pair(std::string& text, const std::string& name, const std::string& value) {
  text.append(" ").append(name).append("=").append(value);
}

std::string shortest(double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return std::string(digits.data(), end);
}

// An option that may be given again and again, each time with one value.
CLI::Option* add_pair_option(CLI::App& app, const char* name, std::vector<std::string>& values,
                             const char* meaning) {
  constexpr int kMost = 256;
  return app.add_option(name, values, meaning)->expected(1, kMost)->allow_extra_args(false);
}

void require_type(const std::string& name) {
  if (halyard_type_from_name(name.c_str()) != HALYARD_TYPE_NONE) return;
  std::string names;
  for (std::uint32_t i = HALYARD_TYPE_F64; i <= HALYARD_TYPE_FP8_E5M2; ++i) {
    if (!names.empty()) names += ", ";
    names += halyard_type_name(static_cast<halyard_type>(i));
  }
  throw UsageError("There is no type \"" + name + "\"; the types are " + names + ".");
}

}  // namespace

void add_device_option(CLI::App& app, std::string& device) {
  app.add_option("--device", device, "\"cpu:0\", \"vulkan\", …; the best one when left out");
}

void add_axis_option(CLI::App& app, std::vector<std::string>& axes) {
  add_pair_option(app, "--axis", axes, "A size, N a whole number; once for each axis")
      ->type_name("NAME=N");
}

void add_operation_options(CLI::App& app, OperationOptions& options) {
  app.add_option("CONTRACT", options.contract, "The contract's name")->required();
  add_device_option(app, options.device);
  add_axis_option(app, options.axes);
  add_pair_option(app, "--type", options.types,
                  "T=bf16, or bf16 where the contract has one variable");
  add_pair_option(app, "--attribute", options.attributes, "Once for each attribute")
      ->type_name("NAME=VALUE");
  app.add_option("--kernel", options.kernel, "Just this kernel: its name or id");
}

const char* device_id(const std::string& device) {
  return device.empty() ? nullptr : device.c_str();
}

std::vector<std::pair<std::string, std::int64_t>> parse_axes(
    const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::int64_t>> axes;
  for (const std::string& text : texts) {
    const auto [name, value] = split("--axis", text);
    refuse_twice("--axis", axes, name);
    axes.emplace_back(name, parse_integer("--axis " + name, value));
  }
  return axes;
}

OperationRequest::OperationRequest(const Instance& instance, const OperationOptions& options)
    : kernel_(options.kernel),
      name_(options.contract),
      contract_(parse_document(instance.contract(name_.c_str()).json(), "Contract " + name_)),
      axes_(parse_axes(options.axes)) {
  bind_types(options.types);
  bind_attributes(options.attributes);
  for (const auto& [variable, type] : types_)
    type_bindings_.push_back({variable.c_str(), halyard_type_from_name(type.c_str())});
  for (const auto& [name, value] : axes_)
    axis_values_.push_back({name.c_str(), value});
  for (const Attribute& attribute : attributes_) {
    const char* const text = attribute.text ? attribute.text->c_str() : nullptr;
    attribute_values_.push_back({attribute.name.c_str(), text, attribute.number});
  }
}

void OperationRequest::bind_types(const std::vector<std::string>& texts) {
  const json::array& bindings = array_of(contract_, "types");
  const json::object no_variables;
  const json::object& first = bindings.empty() ? no_variables : bindings.front().as_object();
  for (const std::string& text : texts) {
    Pair type = {"", text};
    if (text.find('=') != std::string::npos) {
      type = split("--type", text);
    } else if (first.size() == 1) {
      type.first = std::string(first.begin()->key());
    } else {
      std::string sentence = "--type " + text;
      sentence.append(": contract ").append(name_).append(" has ");
      sentence.append(std::to_string(first.size())).append(" type variables; --type T=");
      throw UsageError(sentence.append(text).append(" names one."));
    }
    require_type(type.second);
    refuse_twice("--type", types_, type.first);
    types_.push_back(std::move(type));
  }
  for (const json::value& binding : bindings) {
    if (!agrees(binding.as_object(), types_)) continue;
    types_.clear();
    for (const auto& [variable, type] : binding.as_object())
      types_.emplace_back(std::string(variable), std::string(type.as_string()));
    break;
  }
}

void OperationRequest::bind_attributes(const std::vector<std::string>& texts) {
  std::vector<Pair> pairs;
  for (const std::string& text : texts) {
    Pair pair = split("--attribute", text);
    refuse_twice("--attribute", pairs, pair.first);
    pairs.push_back(std::move(pair));
  }
  for (const auto& [name, value] : pairs) {
    const json::object* known = find_named(array_of(contract_, "attributes"), name);
    const std::string kind = known != nullptr ? text_of(*known, "type") : "text";
    Attribute attribute{name, std::nullopt, 0};
    if (kind == "text") {
      attribute.text = value;
    } else if (kind == "integer") {
      attribute.number = static_cast<double>(parse_integer("--attribute " + name, value));
    } else {
      attribute.number = parse_number("--attribute " + name, value);
    }
    attributes_.push_back(std::move(attribute));
  }
}

halyard_operation_desc OperationRequest::desc() const {
  halyard_operation_desc desc = HALYARD_OPERATION_DESC_INIT;
  desc.contract = name_.c_str();
  desc.kernel = kernel_.empty() ? nullptr : kernel_.c_str();
  desc.type_count = static_cast<std::uint32_t>(type_bindings_.size());
  desc.types = type_bindings_.data();
  desc.axis_count = static_cast<std::uint32_t>(axis_values_.size());
  desc.axes = axis_values_.data();
  desc.attribute_count = static_cast<std::uint32_t>(attribute_values_.size());
  desc.attributes = attribute_values_.data();
  return desc;
}

json::object OperationRequest::workload() const {
  json::object types;
  for (const auto& [variable, type] : types_)
    types[variable] = type;
  json::object axes;
  for (const auto& [name, value] : axes_)
    axes[name] = value;
  json::object attributes;
  for (const Attribute& attribute : attributes_) {
    const json::object* known = find_named(array_of(contract_, "attributes"), attribute.name);
    if (attribute.text) {
      attributes[attribute.name] = *attribute.text;
    } else if (known != nullptr && text_of(*known, "type") == "integer") {
      attributes[attribute.name] = static_cast<std::int64_t>(attribute.number);
    } else {
      attributes[attribute.name] = attribute.number;
    }
  }
  json::object operation{{"name", name_},
                         {"contract", name_},
                         {"types", types},
                         {"axes", axes},
                         {"attributes", attributes}};
  return {{"format", "halyard.workload/1"},
          {"name", name_},
          {"summary", "One operation on random inputs"},
          {"axes", json::array()},
          {"operations", json::array{std::move(operation)}}};
}

bool OperationRequest::has_constants() const {
  const json::array& tensors = array_of(contract_, "tensors");
  return std::any_of(tensors.begin(), tensors.end(), [](const json::value& tensor) {
    return text_of(tensor.as_object(), "constant") == "true";
  });
}

std::string OperationRequest::text() const {
  std::string text = name_;
  for (const auto& [variable, type] : types_)
    append_pair(text, variable, type);
  for (const auto& [name, value] : axes_)
    append_pair(text, name, std::to_string(value));
  for (const Attribute& attribute : attributes_) {
    append_pair(text, attribute.name,
                attribute.text ? *attribute.text : shortest(attribute.number));
  }
  return text;
}

}  // namespace halyard::command_line
