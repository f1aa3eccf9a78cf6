// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/descriptor_json.h"
#include "capability-descriptors/lane_layout.h"
#include "runtime/base/control_character.h"
#include "runtime/base/json.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

namespace halyard::descriptors {
namespace {

namespace json = boost::json;
using base::concat;
using base::JsonObject;
using base::Result;
using base::Status;

constexpr auto kKinds =
    std::to_array<std::string_view>({"architecture", "product", "report", "live"});
constexpr auto kOrigins =
    std::to_array<std::string_view>({"driver", "documented", "computed", "measured", "derived"});
constexpr std::size_t kLongestText = 4096;

bool is_lower_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool is_id_part(std::string_view part) {
  return !part.empty() && part.size() <= 64 && is_lower_or_digit(part.front()) &&
         std::all_of(part.begin(), part.end(), [](char c) {
           return is_lower_or_digit(c) || c == '.' || c == '_' || c == '-';
         });
}

// "<vendor>/<name>".
bool is_id(std::string_view text) {
  const std::size_t slash = text.find('/');
  return slash != std::string_view::npos && is_id_part(text.substr(0, slash)) &&
         is_id_part(text.substr(slash + 1));
}

bool is_hexadecimal(std::string_view text, std::size_t size) {
  return text.size() == size && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

bool is_pci_id(std::string_view text) {
  return text.size() == 9 && text[4] == ':' && is_hexadecimal(text.substr(0, 4), 4) &&
         is_hexadecimal(text.substr(5), 4);
}

// "2026", "2026-08" or "2026-08-06".
bool is_date(std::string_view text) {
  if (text.size() != 4 && text.size() != 7 && text.size() != 10) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 4 || i == 7;
    if (dash ? text[i] != '-' : std::isdigit(static_cast<unsigned char>(text[i])) == 0) {
      return false;
    }
  }
  return true;
}

Status check_text(const JsonObject& object, std::string_view key, std::string_view text) {
  if (text.empty()) return object.error(key, "is empty");
  if (base::find_control_character(text) != std::string_view::npos)
    return object.error(key, "holds a control character");
  if (text.size() > kLongestText) {
    return object.error(key, concat("has ", text.size(), " bytes, more than ", kLongestText));
  }
  return base::ok();
}

Result<std::string> required_text(const JsonObject& object, std::string_view key) {
  HALYARD_TRY_ASSIGN(std::string text, object.required_string(key));
  HALYARD_TRY(check_text(object, key, text));
  return text;
}

Result<std::string> optional_text(const JsonObject& object, std::string_view key) {
  if (!object.has(key)) return std::string();
  return required_text(object, key);
}

Result<std::optional<double>> optional_rate(const JsonObject& object, std::string_view key) {
  if (!object.has(key)) return std::optional<double>();
  HALYARD_TRY_ASSIGN(const double value, object.required_number(key));
  if (value < 0) return object.error(key, concat("is ", value, ", below 0"));
  return std::optional<double>(value);
}

// Texts that are not empty and stand once each.
Result<std::vector<std::string>> distinct_texts(const JsonObject& object, std::string_view key) {
  HALYARD_TRY_ASSIGN(std::vector<std::string> texts, object.optional_strings(key));
  std::set<std::string_view> seen;
  for (const std::string& text : texts) {
    HALYARD_TRY(check_text(object, key, text));
    if (!seen.insert(text).second) return object.error(key, concat("holds \"", text, "\" twice"));
  }
  return texts;
}

// Reads the parts of one document.
class DescriptorReader {
 public:
  explicit DescriptorReader(const JsonObject& document) : document_(document) {}

  Result<Descriptor> read();

 private:
  Status read_identity();
  Status read_sources();
  Status read_matrix_operations();
  Status read_products();
  Status read_notes();
  Status read_missing();
  Result<CapabilitySet> capabilities_of(const JsonObject& object) const;
  Result<Capability> capability_of(const JsonObject& object,
                                   std::optional<CapabilityKey> key) const;
  Result<MatrixOperation> matrix_operation_of(const JsonObject& object) const;
  Result<LaneLayout> layout_of(const JsonObject& object, std::string_view key) const;
  Result<Product> product_of(const JsonObject& object) const;
  Result<CapabilityOrigin> origin_of(const JsonObject& object) const;
  // The member "source"; it must be there where `needed`.
  Result<std::string> source_of(const JsonObject& object, bool needed) const;
  // Whether a value of `origin` must say its source.
  bool needs_source(CapabilityOrigin origin) const;

  const JsonObject& document_;
  Descriptor descriptor_;
};

bool DescriptorReader::needs_source(CapabilityOrigin origin) const {
  return origin != CapabilityOrigin::kDriver &&
         (descriptor_.kind == DescriptorKind::kArchitecture ||
          descriptor_.kind == DescriptorKind::kProduct);
}

Result<std::string> DescriptorReader::source_of(const JsonObject& object, bool needed) const {
  if (needed && !object.has("source")) return object.error("source", "is missing");
  HALYARD_TRY_ASSIGN(std::string title, optional_text(object, "source"));
  const auto listed =
      std::find_if(descriptor_.sources.begin(), descriptor_.sources.end(),
                   [&](const DescriptorSource& each) { return each.title == title; });
  if (!title.empty() && listed == descriptor_.sources.end()) {
    return object.error("source", concat("is \"", title, "\", which /sources does not list"));
  }
  return title;
}

Result<CapabilityOrigin> DescriptorReader::origin_of(const JsonObject& object) const {
  HALYARD_TRY_ASSIGN(const std::string name, object.required_choice("origin", kOrigins));
  return *capability_origin_from_name(name);
}

Result<Capability> DescriptorReader::capability_of(const JsonObject& object,
                                                   std::optional<CapabilityKey> key) const {
  HALYARD_TRY(object.refuse_unknown_keys({"value", "unit", "origin", "source"}));
  Capability capability;
  const json::value* const value = object.find("value");
  if (value == nullptr) return object.error("value", "is missing");
  if (value->is_bool()) {
    capability.kind = CapabilityKind::kFlag;
    capability.number = value->get_bool() ? 1 : 0;
  } else if (value->is_number()) {
    capability.kind = CapabilityKind::kNumber;
    capability.number = value->to_number<double>();
  } else {
    capability.kind = CapabilityKind::kText;
    HALYARD_TRY_ASSIGN(capability.text, required_text(object, "value"));
  }
  if (capability.kind == CapabilityKind::kNumber) {
    HALYARD_TRY_ASSIGN(capability.unit, object.required_string("unit"));
  } else if (object.has("unit")) {
    return object.error("unit", "stands beside a value that is no number");
  }
  if (key) {
    const CapabilityKeyInfo& info = capability_key_info(*key);
    if (capability.kind != info.kind) {
      return object.error("value", concat("is a ", capability_kind_name(capability.kind),
                                          "; the key has a ", capability_kind_name(info.kind)));
    }
    if (capability.unit != info.unit) {
      return object.error("unit",
                          concat("is \"", capability.unit, "\"; the key has \"", info.unit, "\""));
    }
    if (capability.number < 0)
      return object.error("value", concat("is ", capability.number, ", below 0"));
    const auto choices = capability_choices(*key);
    if (!choices.empty()) HALYARD_TRY(object.required_choice("value", choices));
  }
  HALYARD_TRY_ASSIGN(capability.origin, origin_of(object));
  HALYARD_TRY_ASSIGN(capability.source, source_of(object, needs_source(capability.origin)));
  return capability;
}

Result<CapabilitySet> DescriptorReader::capabilities_of(const JsonObject& object) const {
  HALYARD_TRY_ASSIGN(const JsonObject members, object.required_object("capabilities"));
  CapabilitySet set;
  for (const auto& member : members.members()) {
    const std::string name(member.key().data(), member.key().size());
    const std::optional<CapabilityKey> key = capability_key_from_name(name);
    if (!key && !is_vendor_capability_name(name)) {
      return members.error(name, concat("is neither a known key nor vendor.<name>.<key>",
                                        nearest_capability_clause(name)));
    }
    std::string canonical = key ? std::string(capability_key_info(*key).name) : name;
    if (set.find(canonical) != nullptr) {
      return members.error(name, concat("says \"", canonical, "\" again"));
    }
    HALYARD_TRY_ASSIGN(const JsonObject value, members.required_object(name));
    HALYARD_TRY_ASSIGN(Capability capability, capability_of(value, key));
    set.set(std::move(canonical), std::move(capability));
  }
  return set;
}

Status DescriptorReader::read_identity() {
  HALYARD_TRY_ASSIGN(const std::string format, document_.required_string("format"));
  if (format != kDescriptorFormat) {
    return document_.error("format",
                           concat("is \"", format, "\", not \"", kDescriptorFormat, "\""));
  }
  HALYARD_TRY_ASSIGN(descriptor_.id, document_.required_string("id"));
  if (!is_id(descriptor_.id)) {
    return document_.error("id", concat("is \"", descriptor_.id,
                                        "\", not \"<vendor>/<name>\" of lower-case letters, digits "
                                        "and . _ -, at most 64 bytes each"));
  }
  HALYARD_TRY_ASSIGN(const std::string kind, document_.required_choice("kind", kKinds));
  descriptor_.kind = *descriptor_kind_from_name(kind);
  const bool may_lack_date = descriptor_.kind == DescriptorKind::kReport;
  if (document_.has("version") || !may_lack_date) {
    HALYARD_TRY_ASSIGN(descriptor_.version, document_.required_string("version"));
    if (!is_date(descriptor_.version)) {
      return document_.error("version",
                             concat("is \"", descriptor_.version, "\", no date as \"2026-11-30\""));
    }
  }
  HALYARD_TRY_ASSIGN(descriptor_.name, required_text(document_, "name"));
  HALYARD_TRY_ASSIGN(descriptor_.vendor, required_text(document_, "vendor"));
  HALYARD_TRY_ASSIGN(descriptor_.aliases, distinct_texts(document_, "aliases"));
  HALYARD_TRY_ASSIGN(descriptor_.targets, distinct_texts(document_, "targets"));
  for (const std::string& target : descriptor_.targets) {
    if (descriptor_.kind == DescriptorKind::kArchitecture && target.starts_with("spirv-")) {
      return document_.error(
          "targets", concat("holds \"", target, "\", portable code, which describes no device"));
    }
  }
  HALYARD_TRY_ASSIGN(descriptor_.instruction_set, optional_text(document_, "instruction_set"));
  if (!descriptor_.instruction_set.empty() && !is_id(descriptor_.instruction_set)) {
    return document_.error("instruction_set",
                           concat("is \"", descriptor_.instruction_set, "\", not <vendor>/<name>"));
  }
  return base::ok();
}

Status DescriptorReader::read_sources() {
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> objects, document_.optional_objects("sources"));
  std::set<std::string> titles;
  for (const JsonObject& object : objects) {
    HALYARD_TRY(object.refuse_unknown_keys({"title", "url", "sha256", "date", "licence"}));
    DescriptorSource source;
    HALYARD_TRY_ASSIGN(source.title, required_text(object, "title"));
    if (!titles.insert(source.title).second) {
      return object.error("title", concat("is \"", source.title, "\", as that of another source"));
    }
    HALYARD_TRY_ASSIGN(source.url, optional_text(object, "url"));
    HALYARD_TRY_ASSIGN(source.sha256, optional_text(object, "sha256"));
    if (!source.sha256.empty() && !is_hexadecimal(source.sha256, 64)) {
      return object.error("sha256", "is not 64 lower-case hexadecimal digits");
    }
    HALYARD_TRY_ASSIGN(source.date, optional_text(object, "date"));
    if (!source.date.empty() && !is_date(source.date)) {
      return object.error("date", concat("is \"", source.date, "\", no date as \"2026-11-30\""));
    }
    HALYARD_TRY_ASSIGN(source.licence, optional_text(object, "licence"));
    descriptor_.sources.push_back(std::move(source));
  }
  return base::ok();
}

Result<LaneLayout> DescriptorReader::layout_of(const JsonObject& object,
                                               std::string_view key) const {
  LaneLayout layout;
  HALYARD_TRY_ASSIGN(const std::optional<JsonObject> member, object.optional_object(key));
  if (!member) return layout;
  HALYARD_TRY(member->refuse_unknown_keys({"items", "row", "column", "block"}));
  HALYARD_TRY_ASSIGN(const std::int64_t items, member->required_integer("items", {1, 4096}));
  layout.items = static_cast<std::uint32_t>(items);
  HALYARD_TRY_ASSIGN(layout.row, optional_text(*member, "row"));
  HALYARD_TRY_ASSIGN(layout.column, optional_text(*member, "column"));
  HALYARD_TRY_ASSIGN(layout.block, optional_text(*member, "block"));
  if (layout.row.empty() != layout.column.empty() ||
      (!layout.block.empty() && layout.row.empty())) {
    return member->error_here("has not both a row and a column");
  }
  const Status readable = check_lane_expressions(layout);
  if (!readable) return object.error(key, concat("cannot be read: ", readable.error().message()));
  return layout;
}

Result<MatrixOperation> DescriptorReader::matrix_operation_of(const JsonObject& object) const {
  HALYARD_TRY(object.refuse_unknown_keys(
      {"instruction", "m", "n", "k", "blocks", "a_type", "b_type", "c_type", "sparse", "lanes",
       "cycles", "operations_per_unit_clock", "a", "b", "d", "origin", "source"}));
  MatrixOperation operation;
  HALYARD_TRY_ASSIGN(operation.instruction, required_text(object, "instruction"));
  constexpr base::IntegerRange kEdge = {1, 1024};
  for (const auto& [key, edge] :
       {std::pair("m", &operation.m), std::pair("n", &operation.n), std::pair("k", &operation.k),
        std::pair("lanes", &operation.lanes)}) {
    HALYARD_TRY_ASSIGN(const std::int64_t value, object.required_integer(key, kEdge));
    *edge = static_cast<std::uint32_t>(value);
  }
  HALYARD_TRY_ASSIGN(const std::int64_t blocks, object.optional_integer("blocks", 1, kEdge));
  operation.blocks = static_cast<std::uint32_t>(blocks);
  HALYARD_TRY_ASSIGN(operation.a_type, required_text(object, "a_type"));
  HALYARD_TRY_ASSIGN(operation.b_type, required_text(object, "b_type"));
  HALYARD_TRY_ASSIGN(operation.c_type, required_text(object, "c_type"));
  HALYARD_TRY_ASSIGN(operation.sparse, object.optional_boolean("sparse", false));
  HALYARD_TRY_ASSIGN(operation.cycles, optional_rate(object, "cycles"));
  HALYARD_TRY_ASSIGN(operation.operations_per_unit_clock,
                     optional_rate(object, "operations_per_unit_clock"));
  HALYARD_TRY_ASSIGN(operation.a, layout_of(object, "a"));
  HALYARD_TRY_ASSIGN(operation.b, layout_of(object, "b"));
  HALYARD_TRY_ASSIGN(operation.d, layout_of(object, "d"));
  HALYARD_TRY_ASSIGN(operation.origin, origin_of(object));
  HALYARD_TRY_ASSIGN(operation.source, source_of(object, needs_source(operation.origin)));
  return operation;
}

Status DescriptorReader::read_matrix_operations() {
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> objects,
                     document_.optional_objects("matrix_operations"));
  std::set<std::string> names;
  for (const JsonObject& object : objects) {
    HALYARD_TRY_ASSIGN(MatrixOperation operation, matrix_operation_of(object));
    if (!names.insert(matrix_operation_name(operation)).second) {
      return object.error_here(concat("is \"", matrix_operation_name(operation), "\" again"));
    }
    descriptor_.matrix_operations.push_back(std::move(operation));
  }
  return base::ok();
}

Result<Product> DescriptorReader::product_of(const JsonObject& object) const {
  HALYARD_TRY(object.refuse_unknown_keys({"name", "aliases", "pci_ids", "capabilities"}));
  Product product;
  HALYARD_TRY_ASSIGN(product.name, required_text(object, "name"));
  HALYARD_TRY_ASSIGN(product.aliases, distinct_texts(object, "aliases"));
  HALYARD_TRY_ASSIGN(product.pci_ids, distinct_texts(object, "pci_ids"));
  for (const std::string& id : product.pci_ids) {
    if (!is_pci_id(id)) {
      return object.error("pci_ids", concat("holds \"", id, "\", not as \"1002:744c\""));
    }
  }
  HALYARD_TRY_ASSIGN(product.capabilities, capabilities_of(object));
  return product;
}

Status DescriptorReader::read_products() {
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> objects, document_.optional_objects("products"));
  std::set<std::string> names;
  for (const JsonObject& object : objects) {
    HALYARD_TRY_ASSIGN(Product product, product_of(object));
    if (!names.insert(product.name).second) {
      return object.error("name", concat("is \"", product.name, "\", as that of another product"));
    }
    descriptor_.products.push_back(std::move(product));
  }
  return base::ok();
}

Status DescriptorReader::read_notes() {
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> objects, document_.optional_objects("notes"));
  for (const JsonObject& object : objects) {
    HALYARD_TRY(object.refuse_unknown_keys({"topic", "text", "source"}));
    Note note;
    HALYARD_TRY_ASSIGN(note.topic, required_text(object, "topic"));
    HALYARD_TRY_ASSIGN(note.text, required_text(object, "text"));
    HALYARD_TRY_ASSIGN(note.source, source_of(object, needs_source(CapabilityOrigin::kDocumented)));
    descriptor_.notes.push_back(std::move(note));
  }
  return base::ok();
}

Status DescriptorReader::read_missing() {
  HALYARD_TRY_ASSIGN(descriptor_.missing, distinct_texts(document_, "missing"));
  for (const std::string& key : descriptor_.missing) {
    if (!capability_key_from_name(key) && !is_vendor_capability_name(key)) {
      return document_.error(
          "missing", concat("holds \"", key, "\", no known key", nearest_capability_clause(key)));
    }
    if (descriptor_.capabilities.find(key) != nullptr) {
      return document_.error("missing", concat("holds \"", key, "\", which /capabilities says"));
    }
  }
  return base::ok();
}

Result<Descriptor> DescriptorReader::read() {
  HALYARD_TRY(document_.refuse_unknown_keys(
      {"format", "id", "kind", "version", "name", "vendor", "aliases", "targets", "instruction_set",
       "sources", "capabilities", "matrix_operations", "products", "notes", "missing"}));
  HALYARD_TRY(read_identity());
  HALYARD_TRY(read_sources());
  HALYARD_TRY_ASSIGN(descriptor_.capabilities, capabilities_of(document_));
  HALYARD_TRY(read_matrix_operations());
  HALYARD_TRY(read_products());
  HALYARD_TRY(read_notes());
  HALYARD_TRY(read_missing());
  return std::move(descriptor_);
}

}  // namespace

Result<Descriptor> parse_descriptor(std::string_view text, std::string_view source_name) {
  HALYARD_TRY_ASSIGN(const json::value value, base::parse_json(text, source_name));
  HALYARD_TRY_ASSIGN(const JsonObject document, JsonObject::from(value, source_name));
  return DescriptorReader(document).read();
}

}  // namespace halyard::descriptors
