// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/instruction_set_tables.h"

#include "capability-descriptors/isa/identifier_list.h"
#include "capability-descriptors/isa/index_of.h"
#include "capability-descriptors/isa/json_list.h"
#include "runtime/base/expression.h"
#include "runtime/base/text.h"

#include <algorithm>

namespace halyard::isa {
namespace {

using base::concat;
using base::JsonObject;
using base::Result;
using base::Status;

constexpr std::int64_t kMostBits = 4096;
constexpr std::uint32_t kMostFieldBits = 64;
// Names are looked for one after another.
constexpr std::size_t kMostFields = 1024;
constexpr std::size_t kMostEntries = 4096;

Result<std::vector<NamedValue>> read_values(const JsonObject& object) {
  HALYARD_TRY_ASSIGN(const JsonList list, JsonList::member(object, "values"));
  std::vector<NamedValue> values;
  for (std::size_t i = 0; i < list.size(); ++i) {
    HALYARD_TRY_ASSIGN(const JsonList pair, list.list(i, 2));
    HALYARD_TRY_ASSIGN(const std::string_view name, pair.text(0));
    HALYARD_TRY_ASSIGN(const std::uint64_t value, pair.wide_number(1));
    values.push_back({std::string(name), value});
  }
  return values;
}

// `bits` is the most that a field may reach; 0: not said.
Status read_ranges(const JsonObject& object, std::uint32_t bits, Field& field) {
  HALYARD_TRY_ASSIGN(const JsonList list, JsonList::member(object, "bits"));
  std::uint32_t total = field.padding_bits;
  for (std::size_t i = 0; i < list.size(); ++i) {
    HALYARD_TRY_ASSIGN(const JsonList range, list.list(i, 2));
    HALYARD_TRY_ASSIGN(const std::uint32_t offset, range.number(0, kMostBits));
    HALYARD_TRY_ASSIGN(const std::uint32_t count, range.number(1, kMostFieldBits));
    if (count == 0 || (bits != 0 && offset + count > bits))
      return list.error(i, concat("is no range of the ", bits, " bits there are"));
    field.ranges.push_back({static_cast<std::uint16_t>(offset), static_cast<std::uint16_t>(count)});
    total += count;
  }
  if (field.ranges.empty() || total > kMostFieldBits)
    return object.error("bits", concat("give ", total, " bits, not 1 to ", kMostFieldBits));
  return base::ok();
}

Result<Field> read_field(const JsonObject& object, std::uint32_t bits) {
  HALYARD_TRY(object.refuse_unknown_keys(
      {"name", "bits", "padding", "inverted_bit_of", "conditional", "signedness", "values"}));
  Field field;
  HALYARD_TRY_ASSIGN(field.name, object.required_string("name"));
  HALYARD_TRY_ASSIGN(const JsonList padding, JsonList::member(object, "padding"));
  if (padding.size() != 0) {
    HALYARD_TRY_ASSIGN(const std::uint32_t count, padding.number(0, kMostFieldBits - 1));
    HALYARD_TRY_ASSIGN(field.padding, padding.wide_number(1));
    if (field.padding >> count != 0)
      return padding.error(1, concat("does not fit ", count, " bits"));
    field.padding_bits = static_cast<std::uint16_t>(count);
  }
  HALYARD_TRY(read_ranges(object, bits, field));
  HALYARD_TRY_ASSIGN(field.conditional, object.optional_boolean("conditional", false));
  HALYARD_TRY_ASSIGN(field.signedness, object.optional_string("signedness", ""));
  HALYARD_TRY_ASSIGN(field.values, read_values(object));
  return field;
}

Result<std::vector<Field>> read_fields(const JsonObject& parent, std::uint32_t bits) {
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> objects, parent.optional_objects("fields"));
  std::vector<Field> fields;
  if (objects.size() > kMostFields)
    return parent.error("fields", concat("are ", objects.size(), "; the most is ", kMostFields));
  for (const JsonObject& object : objects) {
    HALYARD_TRY_ASSIGN(Field field, read_field(object, bits));
    if (index_of(fields, field.name) != kNoIndex)
      return object.error("name", concat("is \"", field.name, "\", which stands twice"));
    fields.push_back(std::move(field));
  }
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (!objects[i].has("inverted_bit_of")) continue;
    HALYARD_TRY_ASSIGN(const std::string name, objects[i].required_string("inverted_bit_of"));
    fields[i].inverted_bit_of = index_of(fields, name);
    if (fields[i].inverted_bit_of == kNoIndex || fields[i].padding_bits == 0)
      return objects[i].error("inverted_bit_of", "names no field, or stands without padding");
  }
  return fields;
}

Result<DataFormat> read_data_format(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"name", "type", "bits", "components", "fields"}));
  DataFormat format;
  HALYARD_TRY_ASSIGN(format.name, object.required_string("name"));
  HALYARD_TRY_ASSIGN(format.type, object.optional_string("type", ""));
  HALYARD_TRY_ASSIGN(const std::int64_t bits, object.optional_integer("bits", 0, {0, 65'536}));
  HALYARD_TRY_ASSIGN(const std::int64_t components,
                     object.optional_integer("components", 0, {0, 65'536}));
  format.bits = static_cast<std::uint32_t>(bits);
  format.components = static_cast<std::uint32_t>(components);
  HALYARD_TRY_ASSIGN(format.fields, read_fields(object, format.bits));
  return format;
}

Result<OperandType> read_operand_type(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"name", "registers", "values", "fields"}));
  OperandType type;
  HALYARD_TRY_ASSIGN(type.name, object.required_string("name"));
  HALYARD_TRY_ASSIGN(const JsonList registers, JsonList::member(object, "registers"));
  for (std::size_t i = 0; i < registers.size(); ++i) {
    HALYARD_TRY_ASSIGN(const JsonList entry, registers.list(i, 4));
    RegisterRange range;
    HALYARD_TRY_ASSIGN(const std::string_view prefix, entry.text(0));
    range.prefix = prefix;
    constexpr std::uint32_t kMost = 0x7fffffff;  // so that first + count fits
    HALYARD_TRY_ASSIGN(range.first_number, entry.number(1, kMost));
    HALYARD_TRY_ASSIGN(range.first_value, entry.number(2, kMost));
    HALYARD_TRY_ASSIGN(range.count, entry.number(3, kMost));
    type.registers.push_back(std::move(range));
  }
  HALYARD_TRY_ASSIGN(type.values, read_values(object));
  HALYARD_TRY_ASSIGN(type.fields, read_fields(object, 0));
  return type;
}

Status read_conditions(const JsonObject& object, Encoding& encoding) {
  HALYARD_TRY_ASSIGN(const JsonList list, JsonList::member(object, "conditions"));
  if (list.size() > kMostFields)
    return object.error("conditions", concat("are ", list.size(), "; the most is ", kMostFields));
  for (std::size_t i = 0; i < list.size(); ++i) {
    HALYARD_TRY_ASSIGN(const JsonList pair, list.list(i, 2));
    HALYARD_TRY_ASSIGN(const std::string_view name, pair.text(0));
    HALYARD_TRY_ASSIGN(const std::string_view expression, pair.text(1));
    if (index_of(encoding.conditions, name) != kNoIndex)
      return list.error(i, concat("is condition \"", name, "\" for the second time"));
    if (!expression.empty()) {
      const auto compiled = base::Expression::compile(
          expression, [&](std::string_view field) -> std::optional<std::uint32_t> {
            const std::uint32_t index = index_of(encoding.fields, field);
            return index == kNoIndex ? std::nullopt : std::optional(index);
          });
      if (!compiled) return list.error(i, concat("is no condition: ", compiled.error().message()));
    }
    encoding.conditions.push_back({std::string(name), std::string(expression)});
  }
  return base::ok();
}

Status read_opcodes(const JsonObject& object, Encoding& encoding) {
  HALYARD_TRY_ASSIGN(const JsonList list, JsonList::member(object, "opcodes"));
  for (std::size_t i = 0; i < list.size(); ++i) {
    HALYARD_TRY_ASSIGN(const JsonList names, list.list(i));
    OpcodeFields fields;
    for (std::size_t j = 0; j < names.size(); ++j) {
      HALYARD_TRY_ASSIGN(const std::string_view name, names.text(j));
      fields.push_back(index_of(encoding.fields, name));
      if (fields.back() == kNoIndex)
        return names.error(j, concat("is \"", name, "\", which is no field"));
    }
    encoding.opcodes.push_back(std::move(fields));
  }
  return base::ok();
}

Result<Encoding> read_encoding(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys(
      {"name", "order", "bits", "mask", "identifiers", "fields", "opcodes", "conditions"}));
  Encoding encoding;
  HALYARD_TRY_ASSIGN(encoding.name, object.required_string("name"));
  HALYARD_TRY_ASSIGN(const std::int64_t order,
                     object.required_integer("order", {-1'000'000, 1'000'000}));
  encoding.order = static_cast<std::int32_t>(order);
  HALYARD_TRY_ASSIGN(const std::int64_t bits, object.required_integer("bits", {1, kMostBits}));
  encoding.bits = static_cast<std::uint32_t>(bits);
  HALYARD_TRY_ASSIGN(encoding.mask, read_hexadecimal(object, "mask"));
  HALYARD_TRY_ASSIGN(const std::optional<JsonObject> identifiers,
                     object.optional_object("identifiers"));
  if (identifiers) {
    HALYARD_TRY_ASSIGN(encoding.identifiers, read_identifiers(*identifiers));
  }
  HALYARD_TRY_ASSIGN(encoding.fields, read_fields(object, encoding.bits));
  HALYARD_TRY(read_opcodes(object, encoding));
  HALYARD_TRY(read_conditions(object, encoding));
  return encoding;
}

template <typename Entry, typename Read>
Result<std::vector<Entry>> read_table(const JsonObject& document, std::string_view name,
                                      const Read& read) {
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> objects, document.required_objects(name));
  std::vector<Entry> entries;
  if (objects.size() > kMostEntries) {
    return document.error(name,
                          concat("has ", objects.size(), " entries; the most is ", kMostEntries));
  }
  for (const JsonObject& object : objects) {
    HALYARD_TRY_ASSIGN(Entry entry, read(object));
    if (index_of(entries, entry.name) != kNoIndex)
      return object.error("name", concat("is \"", entry.name, "\", which stands twice"));
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

Status read_tables(const JsonObject& document, InstructionSet& set) {
  HALYARD_TRY_ASSIGN(set.data_formats,
                     read_table<DataFormat>(document, "data_formats", read_data_format));
  HALYARD_TRY_ASSIGN(set.operand_types,
                     read_table<OperandType>(document, "operand_types", read_operand_type));
  HALYARD_TRY_ASSIGN(set.encodings, read_table<Encoding>(document, "encodings", read_encoding));
  return base::ok();
}

}  // namespace halyard::isa
