// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/device_document.h"

#include <boost/json/array.hpp>
#include <string_view>

namespace halyard::command_line {

const char* kind_name(std::uint32_t kind) {
  switch (kind) {
    case HALYARD_DEVICE_KIND_CPU:
      return "CPU";
    case HALYARD_DEVICE_KIND_INTEGRATED_GPU:
      return "integrated GPU";
    case HALYARD_DEVICE_KIND_DISCRETE_GPU:
      return "discrete GPU";
    case HALYARD_DEVICE_KIND_VIRTUAL_GPU:
      return "virtual GPU";
    case HALYARD_DEVICE_KIND_SOFTWARE:
      return "software";
    case HALYARD_DEVICE_KIND_EMULATOR:
      return "emulator";
    default:
      return "unknown";
  }
}

namespace {

boost::json::value value_of(const halyard_disagreement& said, double number, const char* text) {
  if (said.kind == HALYARD_CAPABILITY_KIND_FLAG) return number != 0;
  if (said.kind == HALYARD_CAPABILITY_KIND_NUMBER) return number;
  return text;
}

boost::json::array disagreement_documents(const Device& device) {
  boost::json::array all;
  for (const halyard_disagreement& said : device.disagreements()) {
    all.push_back({{"key", said.key},
                   {"unit", said.unit},
                   {"live", value_of(said, said.live_number, said.live_text)},
                   {"documented", value_of(said, said.documented_number, said.documented_text)},
                   {"source", said.source}});
  }
  return all;
}

}  // namespace

boost::json::object device_document(const Device& device) {
  const halyard_device_info info = device.info();
  return {{"id", info.id},
          {"name", info.name},
          {"vendor", info.vendor},
          {"kind", kind_name(info.kind)},
          {"backend", info.backend},
          {"driver", info.driver},
          {"target", info.target},
          {"physical_id", info.physical_id},
          {"descriptor", device.descriptor_id()},
          {"disagreements", disagreement_documents(device)}};
}

std::string set_flags(const Device& device, const std::string& prefix) {
  std::string names;
  for (std::uint32_t i = 0; i < halyard_capability_key_count(); ++i) {
    const std::string_view key = halyard_capability_key_name(i);
    if (!key.starts_with(prefix)) continue;
    const halyard_capability capability = device.capability(key.data());
    if (capability.known == 0 || capability.kind != HALYARD_CAPABILITY_KIND_FLAG) continue;
    if (capability.number == 0) continue;
    if (!names.empty()) names += ' ';
    names += key.substr(prefix.size());
  }
  return names;
}

}  // namespace halyard::command_line
