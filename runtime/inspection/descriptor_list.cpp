// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/descriptor_list.h"

#include "runtime/base/canonical_json.h"
#include "runtime/inspection/document_json.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <map>
#include <utility>

namespace halyard::services {
namespace {

namespace json = boost::json;
using descriptors::Descriptor;
using descriptors::DescriptorCatalog;
using isa::InstructionSet;

using BasisById = std::map<std::string, std::string, std::less<>>;

void add_facts(json::object& entry, const Descriptor& descriptor, const BasisById& basis) {
  entry["kind"] = std::string(descriptors::descriptor_kind_name(descriptor.kind));
  entry["vendor"] = descriptor.vendor;
  entry["name"] = descriptor.name;
  entry["version"] = descriptor.version;
  entry["aliases"] = text_array(descriptor.aliases);
  entry["targets"] = text_array(descriptor.targets);
  json::array products;
  for (const descriptors::Product& product : descriptor.products)
    products.emplace_back(product.name);
  entry["products"] = std::move(products);
  entry["instruction_set"] = descriptor.instruction_set;
  const auto found = basis.find(descriptor.instruction_set);
  entry["basis"] = found == basis.end() ? std::string() : found->second;
}

void add_facts(json::object& entry, const InstructionSet& set) {
  entry["architecture"] = set.architecture;
  entry["basis"] = set.basis;
  entry["note"] = set.note;
  entry["encodings"] = set.encodings.size();
  entry["instructions"] = set.instructions.size();
}

json::array instruction_set_entries(const Catalog& catalog, const DescriptorCatalog& files,
                                    BasisById& basis) {
  json::array entries;
  for (const std::string& id : files.instruction_set_ids()) {
    const std::string path = files.path_of_instruction_set(id);
    json::object entry{{"id", id}, {"origin", subject_origin_name(catalog.origin_of(path))}};
    const auto set = files.find_instruction_set(id);
    if (set) {
      add_facts(entry, *set);
      basis[id] = set->basis;
    } else {
      entry["error"] = set.error().message();
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

base::Result<std::string> list_descriptors(const Catalog& catalog) {
  HALYARD_TRY_ASSIGN(const DescriptorCatalog files, catalog.read());
  BasisById basis;
  json::array sets = instruction_set_entries(catalog, files, basis);
  json::array entries;
  for (const std::string& id : files.ids()) {
    const std::string path = files.path_of(id);
    json::object entry{{"id", id}, {"origin", subject_origin_name(catalog.origin_of(path))}};
    const auto descriptor = files.find(id);
    if (descriptor) {
      add_facts(entry, *descriptor, basis);
    } else {
      entry["error"] = descriptor.error().message();
    }
    entries.push_back(std::move(entry));
  }
  return base::canonical_json(json::object{{"format", "halyard.descriptor_list/1"},
                                           {"descriptors", std::move(entries)},
                                           {"instruction_sets", std::move(sets)}});
}

}  // namespace halyard::services
