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
  std::vector<std::string_view> names;
  for (const descriptors::CapabilityKey known : descriptors::all_capability_keys())
    names.push_back(descriptors::capability_key_info(known).name);
  for (const descriptors::CapabilityAlias& alias : descriptors::capability_aliases())
    names.push_back(alias.name);
  for (const auto& [name, value] : descriptor.capabilities.all()) {
    if (descriptors::is_vendor_capability_name(name)) names.push_back(name);
  }
  return base::Error(base::ErrorCode::kNotFound,
                     base::concat("There is no capability key \"", key, "\"",
                                  base::nearest_names_clause(key, names), "."));
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
