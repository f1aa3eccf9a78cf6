// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/document_json.h"

#include <variant>

namespace halyard::services {

const std::string& subject_id(const Subject& subject) {
  return std::visit([](const auto& content) -> const std::string& { return content.id; }, subject);
}

boost::json::array text_array(const std::vector<std::string>& texts) {
  boost::json::array array;
  for (const std::string& text : texts)
    array.emplace_back(text);
  return array;
}

boost::json::value capability_value(const descriptors::Capability& capability) {
  switch (capability.kind) {
    case descriptors::CapabilityKind::kFlag:
      return capability.number != 0;
    case descriptors::CapabilityKind::kNumber:
      return capability.number;
    case descriptors::CapabilityKind::kText:
      break;
  }
  return boost::json::value(capability.text);
}

}  // namespace halyard::services
