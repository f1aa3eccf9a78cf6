// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/worker_request.h"

#include "runtime/base/json.h"
#include "runtime/base/text.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <system_error>
#include <utility>

namespace halyard::worker {
namespace {

namespace json = boost::json;
using base::JsonObject;

constexpr std::string_view kSource = "request";

base::Result<operators::Attributes> parse_attributes(const JsonObject& object) {
  operators::Attributes attributes;
  for (const auto& [key, value] : object.members()) {
    const std::string name(key);
    if (value.is_int64()) {
      attributes[name] = value.get_int64();
    } else if (value.is_double()) {
      attributes[name] = value.get_double();
    } else if (value.is_string()) {
      attributes[name] = std::string(value.get_string());
    } else {
      return object.error(name, "is no integer, number or text");
    }
  }
  return attributes;
}

json::object emulation_json(const Emulation& emulation) {
  // As text: JSON readers take large integers for doubles.
  json::object out;
  out["instruction_budget"] = std::to_string(emulation.instruction_budget);
  if (emulation.schedule_seed) out["schedule_seed"] = std::to_string(*emulation.schedule_seed);
  out["has_statistics"] = emulation.has_statistics;
  return out;
}

base::Result<std::uint64_t> parse_count(const JsonObject& object, std::string_view key) {
  HALYARD_TRY_ASSIGN(const std::string text, object.required_string(key));
  std::uint64_t count = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), count);
  if (read.ec == std::errc() && read.ptr == text.data() + text.size()) return count;
  return object.error(key, "is no number from 0 to 18446744073709551615");
}

base::Result<Emulation> parse_emulation(const JsonObject& object) {
  Emulation emulation;
  HALYARD_TRY_ASSIGN(emulation.instruction_budget, parse_count(object, "instruction_budget"));
  if (object.has("schedule_seed")) {
    HALYARD_TRY_ASSIGN(emulation.schedule_seed, parse_count(object, "schedule_seed"));
  }
  HALYARD_TRY_ASSIGN(emulation.has_statistics, object.required_boolean("has_statistics"));
  return emulation;
}

json::object attributes_json(const operators::Attributes& attributes) {
  json::object out;
  for (const auto& [name, value] : attributes) {
    std::visit([&, key = std::string_view(name)](const auto& held) { out[key] = held; }, value);
  }
  return out;
}

}  // namespace

bool is_emulated(std::string_view device) {
  return device.starts_with("emulator");
}

bool is_in_place(std::string_view device) {
  return device.starts_with("cpu") || is_emulated(device);
}

std::string load_request_json(const LoadRequest& request) {
  json::object parameters;
  for (const auto& [name, value] : request.parameters)
    parameters[name] = value;
  json::object out;
  out["device"] = request.device;
  out["contract"] = request.contract;
  out["kernel"] = request.kernel;
  out["target"] = request.target;
  out["build"] = request.build;
  out["parameters"] = std::move(parameters);
  out["capacities"] = json::array(request.capacities.begin(), request.capacities.end());
  out["data_directory"] = request.data_directory;
  out["emulation"] = emulation_json(request.emulation);
  return json::serialize(out);
}

base::Result<LoadRequest> parse_load_request(std::string_view text) {
  HALYARD_TRY_ASSIGN(const json::value document, base::parse_json(text, kSource));
  HALYARD_TRY_ASSIGN(const JsonObject object, JsonObject::from(document, kSource));
  LoadRequest request;
  HALYARD_TRY_ASSIGN(request.device, object.required_string("device"));
  HALYARD_TRY_ASSIGN(request.contract, object.required_string("contract"));
  HALYARD_TRY_ASSIGN(request.kernel, object.required_string("kernel"));
  HALYARD_TRY_ASSIGN(request.target, object.required_string("target"));
  HALYARD_TRY_ASSIGN(request.build, object.required_string("build"));
  HALYARD_TRY_ASSIGN(const JsonObject parameters, object.required_object("parameters"));
  for (const auto& member : parameters.members()) {
    const std::string name(member.key());
    HALYARD_TRY_ASSIGN(request.parameters[name], parameters.required_integer(name));
  }
  HALYARD_TRY_ASSIGN(const json::array* const capacities, object.required_array("capacities"));
  for (const json::value& value : *capacities) {
    if (!value.is_int64() || value.get_int64() < 0) {
      return object.error("capacities", "has an entry that is no size");
    }
    request.capacities.push_back(static_cast<std::uint64_t>(value.get_int64()));
  }
  HALYARD_TRY_ASSIGN(request.data_directory, object.required_string("data_directory"));
  HALYARD_TRY_ASSIGN(const JsonObject emulation, object.required_object("emulation"));
  HALYARD_TRY_ASSIGN(request.emulation, parse_emulation(emulation));
  return request;
}

std::string prepare_request_json(const PrepareRequest& request) {
  json::object types;
  for (const auto& [name, type] : request.types)
    types[name] = base::data_type_name(type);
  json::array axes;
  for (const operators::AxisValue& axis : request.prepare_axes) {
    axes.push_back(json::object{{"name", axis.name}, {"value", axis.value}});
  }
  json::object out;
  out["types"] = std::move(types);
  out["attributes"] = attributes_json(request.attributes);
  out["axes"] = std::move(axes);
  return json::serialize(out);
}

base::Result<PrepareRequest> parse_prepare_request(std::string_view text) {
  HALYARD_TRY_ASSIGN(const json::value document, base::parse_json(text, kSource));
  HALYARD_TRY_ASSIGN(const JsonObject object, JsonObject::from(document, kSource));
  PrepareRequest request;
  HALYARD_TRY_ASSIGN(const JsonObject types, object.required_object("types"));
  for (const auto& member : types.members()) {
    const std::string name(member.key());
    HALYARD_TRY_ASSIGN(const std::string word, types.required_string(name));
    const auto type = base::data_type_from_name(word);
    if (!type) return types.error(name, "is no data type");
    request.types[name] = *type;
  }
  HALYARD_TRY_ASSIGN(const JsonObject attributes, object.required_object("attributes"));
  HALYARD_TRY_ASSIGN(request.attributes, parse_attributes(attributes));
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> axes, object.required_objects("axes"));
  for (const JsonObject& axis : axes) {
    operators::AxisValue value;
    HALYARD_TRY_ASSIGN(value.name, axis.required_string("name"));
    HALYARD_TRY_ASSIGN(value.value, axis.required_integer("value"));
    request.prepare_axes.push_back(std::move(value));
  }
  return request;
}

}  // namespace halyard::worker
