// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/device_facts.h"

#include <sys/utsname.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>

namespace halyard::services {
namespace {

namespace json = boost::json;

const char* kind_name(std::uint32_t kind) {
  switch (kind) {
    case HALYARD_DEVICE_KIND_CPU:
      return "cpu";
    case HALYARD_DEVICE_KIND_INTEGRATED_GPU:
      return "integrated gpu";
    case HALYARD_DEVICE_KIND_DISCRETE_GPU:
      return "discrete gpu";
    case HALYARD_DEVICE_KIND_VIRTUAL_GPU:
      return "virtual gpu";
    case HALYARD_DEVICE_KIND_SOFTWARE:
      return "software";
    case HALYARD_DEVICE_KIND_EMULATOR:
      return "emulator";
    default:
      return "unknown";
  }
}

json::value capability_value(const halyard_capability& capability) {
  switch (capability.kind) {
    case HALYARD_CAPABILITY_KIND_FLAG:
      return capability.number != 0;
    case HALYARD_CAPABILITY_KIND_NUMBER:
      return capability.number;
    default:
      return json::value(capability.text);
  }
}

json::object known_capabilities(halyard_device* device) {
  json::object members;
  for (std::uint32_t i = 0; i < halyard_capability_key_count(); ++i) {
    const char* key = halyard_capability_key_name(i);
    halyard_capability capability = HALYARD_CAPABILITY_INIT;
    const bool answered =
        halyard_device_get_capability(device, key, &capability) == HALYARD_STATUS_OK;
    if (answered && capability.known != 0) members[key] = capability_value(capability);
  }
  return members;
}

std::string host_cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with("model name") || colon == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(' ', colon + 1);
    return begin == std::string::npos ? std::string() : line.substr(begin);
  }
  return {};
}

}  // namespace

std::optional<double> capability_number(halyard_device* device, const char* key) {
  halyard_capability capability = HALYARD_CAPABILITY_INIT;
  const halyard_status status = halyard_device_get_capability(device, key, &capability);
  if (status != HALYARD_STATUS_OK || capability.known == 0) return std::nullopt;
  return capability.number;
}

bool is_emulated(halyard_device* device) {
  halyard_device_info info = HALYARD_DEVICE_INFO_INIT;
  return halyard_device_get_info(device, &info) == HALYARD_STATUS_OK &&
         info.kind == HALYARD_DEVICE_KIND_EMULATOR;
}

std::int64_t last_level_cache_bytes(halyard_device* device) {
  const double l3 = capability_number(device, "cache.l3_bytes").value_or(0);
  const double l2 = capability_number(device, "cache.l2_bytes").value_or(0);
  return static_cast<std::int64_t>(std::max(l3, l2));
}

json::object device_members(halyard_device* device) {
  halyard_device_info info = HALYARD_DEVICE_INFO_INIT;
  halyard_device_get_info(device, &info);
  json::object members;
  members["id"] = info.id;
  members["name"] = info.name;
  members["vendor"] = info.vendor;
  members["backend"] = info.backend;
  members["driver"] = info.driver;
  members["physical_id"] = info.physical_id;
  members["target"] = info.target;
  members["kind"] = kind_name(info.kind);
  members["software"] = info.kind == HALYARD_DEVICE_KIND_SOFTWARE;
  members["capabilities"] = known_capabilities(device);
  return members;
}

json::object environment_members() {
  json::object members;
  members["host_cpu"] = host_cpu_name();
  members["host_processors"] = std::thread::hardware_concurrency();
  utsname system{};
  if (uname(&system) == 0) {
    members["system"] = std::string(system.sysname) + " " + system.release;
    members["machine"] = system.machine;
  }
  members["library"] = std::string("libhalyard ") + halyard_version();
  members["services"] =
      std::string("libhalyard_services ") + std::to_string(HALYARD_VERSION_MAJOR) + "." +
      std::to_string(HALYARD_VERSION_MINOR) + "." + std::to_string(HALYARD_VERSION_PATCH);
  return members;
}

}  // namespace halyard::services
