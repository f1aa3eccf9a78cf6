// SPDX-License-Identifier: Apache-2.0
#include "halyard/services/descriptor.h"

#include "capability-descriptors/descriptor_json.h"
#include "capability-descriptors/isa/instruction_set_json.h"
#include "runtime/inspection/capability_query.h"
#include "runtime/inspection/catalog.h"
#include "runtime/inspection/descriptor_list.h"
#include "runtime/inspection/difference.h"
#include "runtime/inspection/file_report.h"
#include "runtime/inspection/handles.h"
#include "runtime/inspection/kernel_facts.h"
#include "runtime/inspection/target_facts.h"

#include <string>
#include <utility>
#include <variant>

namespace {

namespace base = halyard::base;
namespace services = halyard::services;
using services::make_document;
using services::optional_text;
using services::Subject;

std::string document_of(const Subject& subject) {
  if (const auto* set = std::get_if<halyard::isa::InstructionSet>(&subject)) {
    return halyard::isa::write_instruction_set(*set);
  }
  return halyard::descriptors::write_descriptor(
      std::get<halyard::descriptors::Descriptor>(subject));
}

base::Result<std::string> facts_of(const services::Catalog& catalog, const char* id,
                                   const halyard_descriptor_facts_desc& desc) {
  HALYARD_TRY_ASSIGN(const services::TargetFacts facts,
                     services::find_target_facts(catalog, id, optional_text(desc.contract)));
  return services::kernel_facts(facts.target(), desc.token_budget);
}

}  // namespace

extern "C" const char* halyard_document_text(const halyard_document* document) {
  return document == nullptr ? "" : document->text.c_str();
}

extern "C" void halyard_document_retain(halyard_document* document) {
  if (document != nullptr) document->retain();
}

extern "C" void halyard_document_release(halyard_document* document) {
  if (document != nullptr) document->release();
}

extern "C" halyard_status halyard_descriptor_catalog_open(
    const halyard_descriptor_catalog_desc* given, halyard_descriptor_catalog** out_catalog) {
  return base::guard([&]() -> base::Status {
    HALYARD_TRY(base::require_not_null(out_catalog, "out_catalog"));
    *out_catalog = nullptr;
    halyard_descriptor_catalog_desc desc = HALYARD_DESCRIPTOR_CATALOG_DESC_INIT;
    if (given != nullptr) {
      HALYARD_TRY_ASSIGN(desc,
                         base::read_struct(given, sizeof(halyard_descriptor_catalog_desc), "desc"));
    }
    if (desc.reserved != 0) {
      return base::invalid_argument(
          base::concat("desc.reserved is ", desc.reserved, ", and must be 0."));
    }
    HALYARD_TRY_ASSIGN(services::Catalog catalog,
                       services::Catalog::open(optional_text(desc.shipped_folder),
                                               optional_text(desc.imported_folder)));
    *out_catalog = new halyard_descriptor_catalog(std::move(catalog));
    return base::ok();
  });
}

extern "C" void halyard_descriptor_catalog_retain(halyard_descriptor_catalog* catalog) {
  if (catalog != nullptr) catalog->retain();
}

extern "C" void halyard_descriptor_catalog_release(halyard_descriptor_catalog* catalog) {
  if (catalog != nullptr) catalog->release();
}

extern "C" halyard_status halyard_descriptor_catalog_list(halyard_descriptor_catalog* catalog,
                                                          halyard_document** out_json) {
  return make_document(out_json, [&]() -> base::Result<std::string> {
    HALYARD_TRY(base::require_not_null(catalog, "catalog"));
    return services::list_descriptors(catalog->catalog);
  });
}

extern "C" halyard_status halyard_descriptor_show(halyard_descriptor_catalog* catalog,
                                                  const char* id, halyard_document** out_json) {
  return make_document(out_json, [&]() -> base::Result<std::string> {
    HALYARD_TRY(base::require_not_null(catalog, "catalog"));
    HALYARD_TRY(base::require_not_null(id, "id"));
    HALYARD_TRY_ASSIGN(const Subject subject, catalog->catalog.find(id));
    return document_of(subject);
  });
}

extern "C" halyard_status halyard_descriptor_facts(halyard_descriptor_catalog* catalog,
                                                   const char* id,
                                                   const halyard_descriptor_facts_desc* given,
                                                   halyard_document** out_text) {
  return make_document(out_text, [&]() -> base::Result<std::string> {
    HALYARD_TRY(base::require_not_null(catalog, "catalog"));
    HALYARD_TRY(base::require_not_null(id, "id"));
    HALYARD_TRY_ASSIGN(const halyard_descriptor_facts_desc desc,
                       base::read_struct(given, sizeof(halyard_descriptor_facts_desc), "desc"));
    return facts_of(catalog->catalog, id, desc);
  });
}

extern "C" halyard_status halyard_descriptor_query(halyard_descriptor_catalog* catalog,
                                                   const char* id, const char* key,
                                                   halyard_document** out_json) {
  return make_document(out_json, [&]() -> base::Result<std::string> {
    HALYARD_TRY(base::require_not_null(catalog, "catalog"));
    HALYARD_TRY(base::require_not_null(id, "id"));
    HALYARD_TRY(base::require_not_null(key, "key"));
    HALYARD_TRY_ASSIGN(const halyard::descriptors::Descriptor descriptor,
                       catalog->catalog.find_descriptor(id));
    return services::query_capability(descriptor, key);
  });
}

extern "C" halyard_status halyard_descriptor_import(halyard_descriptor_catalog* catalog,
                                                    const char* path, halyard_document** out_json) {
  return make_document(out_json, [&]() -> base::Result<std::string> {
    HALYARD_TRY(base::require_not_null(catalog, "catalog"));
    HALYARD_TRY(base::require_not_null(path, "path"));
    return services::import_file(catalog->catalog, path);
  });
}

extern "C" halyard_status halyard_descriptor_check(const char* path, halyard_document** out_json) {
  return make_document(out_json, [&]() -> base::Result<std::string> {
    HALYARD_TRY(base::require_not_null(path, "path"));
    return services::check_file(path);
  });
}

extern "C" halyard_status halyard_descriptor_diff(halyard_descriptor_catalog* catalog,
                                                  const char* left_id, const char* right_id,
                                                  halyard_document** out_json) {
  return make_document(out_json, [&]() -> base::Result<std::string> {
    HALYARD_TRY(base::require_not_null(catalog, "catalog"));
    HALYARD_TRY(base::require_not_null(left_id, "left_id"));
    HALYARD_TRY(base::require_not_null(right_id, "right_id"));
    HALYARD_TRY_ASSIGN(const Subject left, catalog->catalog.find(left_id));
    HALYARD_TRY_ASSIGN(const Subject right, catalog->catalog.find(right_id));
    return services::compare_subjects(left, right);
  });
}
