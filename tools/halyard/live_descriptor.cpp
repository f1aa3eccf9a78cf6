// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/live_descriptor.h"

#include "halyard/halyard.hpp"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <cmath>
#include <ctime>

namespace halyard::command_line {
namespace {

namespace json = boost::json;

// The day, as a version of facts that are true now.
std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  std::array<char, 16> text{};
  if (::gmtime_r(&now, &parts) == nullptr) return "";
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts)};
}

const char* origin_name(std::uint32_t origin) {
  switch (origin) {
    case HALYARD_CAPABILITY_ORIGIN_DRIVER:
      return "driver";
    case HALYARD_CAPABILITY_ORIGIN_DOCUMENTED:
      return "documented";
    case HALYARD_CAPABILITY_ORIGIN_COMPUTED:
      return "computed";
    case HALYARD_CAPABILITY_ORIGIN_MEASURED:
      return "measured";
    case HALYARD_CAPABILITY_ORIGIN_DERIVED:
      return "derived";
    default:
      return "unknown";
  }
}

json::value value_of(const halyard_capability& capability) {
  constexpr double kExact = 0x1p53;
  const double number = capability.number;
  switch (capability.kind) {
    case HALYARD_CAPABILITY_KIND_FLAG:
      return number != 0;
    case HALYARD_CAPABILITY_KIND_NUMBER:
      if (number == std::floor(number) && std::fabs(number) <= kExact) {
        return static_cast<std::int64_t>(number);
      }
      return number;
    default:
      return json::value(capability.text);
  }
}

json::object capability_object(const halyard_capability& capability) {
  json::object object{{"value", value_of(capability)}};
  if (capability.kind == HALYARD_CAPABILITY_KIND_NUMBER) object["unit"] = capability.unit;
  object["origin"] = origin_name(capability.origin);
  return object;
}

// "live/cpu-0"
std::string id_of(const char* device_id) {
  std::string name = device_id;
  for (char& character : name) {
    const bool plain = (character >= 'a' && character <= 'z') ||
                       (character >= '0' && character <= '9') || character == '.';
    if (!plain) character = '-';
  }
  return "live/" + name;
}

}  // namespace

bool names_device(const std::string& name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string::npos || name.find('/') != std::string::npos) return false;
  const std::string backend = name.substr(0, colon);
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  const bool pci_id = backend.size() == 4 && std::all_of(backend.begin(), backend.end(), digit);
  return !pci_id && !backend.empty() && std::all_of(backend.begin(), backend.end(), letter);
}

json::object live_descriptor(const std::string& device_id) {
  const Instance instance = Instance::create();
  const Device device = instance.device(device_id.c_str());
  const halyard_device_info info = device.info();
  json::object capabilities;
  for (std::uint32_t i = 0; i < halyard_capability_key_count(); ++i) {
    const char* const key = halyard_capability_key_name(i);
    const halyard_capability capability = device.capability(key);
    if (capability.known != 0) capabilities[key] = capability_object(capability);
  }
  return {{"format", "halyard.descriptor/1"},
          {"id", id_of(info.id)},
          {"kind", "live"},
          {"version", today()},
          {"name", info.name},
          {"vendor", info.vendor},
          {"aliases", json::array{info.id}},
          {"targets", json::array{info.target}},
          {"capabilities", std::move(capabilities)}};
}

json::object live_value(const std::string& device_id, const std::string& key) {
  const Instance instance = Instance::create();
  const Device device = instance.device(device_id.c_str());
  const halyard_capability capability = device.capability(key.c_str());
  json::object document{{"format", "halyard.descriptor_value/1"},
                        {"id", id_of(device.info().id)},
                        {"name", device.info().name},
                        {"key", key},
                        {"known", capability.known != 0},
                        {"unit", capability.unit},
                        {"value", nullptr}};
  if (capability.known != 0) {
    document["value"] = value_of(capability);
    document["origin"] = origin_name(capability.origin);
  }
  return document;
}

}  // namespace halyard::command_line
