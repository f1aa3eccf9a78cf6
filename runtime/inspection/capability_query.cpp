// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/capability_query.h"

#include "runtime/base/canonical_json.h"
#include "runtime/base/nearest_name.h"
#include "runtime/base/text.h"
#include "runtime/inspection/document_json.h"

#include <boost/json/object.hpp>
#include <vector>

namespace halyard::services {
namespace {

namespace json = boost::json;
using descriptors::Capability;
using descriptors::Descriptor;

base::Error unknown_key(const Descriptor& descriptor, std::string_view key) {
  std::vector<std::string_view> own;
  for (const auto& [name, value] : descriptor.capabilities.all())
    own.push_back(name);
  std::string clause = descriptors::nearest_capability_clause(key);
  if (clause.empty()) clause = base::nearest_name_clause(key, own);
  return base::Error(base::ErrorCode::kNotFound,
                     base::concat("There is no capability key \"", key, "\"", clause, "."));
}

}  // namespace

base::Result<std::string> query_capability(const Descriptor& descriptor, std::string_view key) {
  const auto known = descriptors::capability_key_from_name(key);
  const Capability* const found = descriptor.capabilities.find(key);
  if (!known && found == nullptr) return unknown_key(descriptor, key);
  json::object document{{"format", "halyard.descriptor_value/1"},
                        {"id", descriptor.id},
                        {"name", descriptor.name},
                        {"key", std::string(key)},
                        {"known", found != nullptr}};
  if (known) {
    const descriptors::CapabilityKeyInfo& info = descriptors::capability_key_info(*known);
    document["key"] = std::string(info.name);
    document["unit"] = std::string(info.unit);
    document["meaning"] = std::string(info.meaning);
  }
  if (found != nullptr) {
    document["value"] = capability_value(*found);
    document["unit"] = found->unit;
    document["origin"] = std::string(descriptors::capability_origin_name(found->origin));
    document["source"] = found->source;
  } else {
    document["value"] = nullptr;
  }
  return base::canonical_json(document);
}

}  // namespace halyard::services
