// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/amd_isa_operand.h"

#include "capability-descriptors/isa/amd_isa_field.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace halyard::isa {
namespace {

using base::concat;

// "ttmp12" as "ttmp" and 12; nothing for "12", "vcc", "s01".
struct NumberedName {
  std::string_view prefix;
  std::uint32_t number = 0;
};

std::optional<NumberedName> numbered(std::string_view name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last + 1 == name.size()) return std::nullopt;
  const bool is_word = std::all_of(
      name.begin(), name.begin() + static_cast<std::ptrdiff_t>(last) + 1,
      [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; });
  const std::string_view digits = name.substr(last + 1);
  if (!is_word || (digits.size() > 1 && digits.front() == '0')) return std::nullopt;
  NumberedName result = {name.substr(0, last + 1), 0};
  const auto error =
      std::from_chars(digits.data(), digits.data() + digits.size(), result.number).ec;
  if (error != std::errc()) return std::nullopt;
  return result;
}

// How many of `values` from `first` on are a run.
std::size_t run_length(const std::vector<NamedValue>& values, std::size_t first) {
  const auto start = numbered(values[first].name);
  if (!start || values[first].value > std::numeric_limits<std::uint32_t>::max()) return 1;
  std::size_t length = 1;
  while (first + length < values.size()) {
    const NamedValue& next = values[first + length];
    const auto name = numbered(next.name);
    if (!name || name->prefix != start->prefix || name->number != start->number + length ||
        next.value != values[first].value + length)
      break;
    ++length;
  }
  return length;
}

// The fields of the lowest component; one sentence where the others do not follow at equal
// distances.
void read_components(const pugi::xml_node& attributes, const ElementPath& path, DataFormat& format,
                     ImportFindings& findings) {
  std::size_t component = 0;
  for (const pugi::xml_node& bit_map : attributes.children("BitMap")) {
    const ElementPath map_path = {&path, "BitMap", component + 1};
    std::vector<Field> fields = read_fields(bit_map, map_path, format.bits, findings);
    if (component == 0) {
      format.fields = std::move(fields);
    } else {
      const std::size_t shift =
          format.components == 0 ? 0 : component * (format.bits / format.components);
      const bool follows = std::equal(
          fields.begin(), fields.end(), format.fields.begin(), format.fields.end(),
          [&](const Field& field, const Field& first) {
            return field.name == first.name && field.ranges.size() == first.ranges.size() &&
                   field.ranges.front().count == first.ranges.front().count &&
                   field.ranges.front().offset == first.ranges.front().offset + shift;
          });
      if (!follows) {
        findings.add(map_path, concat("Component ", component, " of ", format.name,
                                      " does not lie as the first one does."));
      }
    }
    ++component;
  }
}

DataFormat read_data_format(const pugi::xml_node& node, const ElementPath& path,
                            ImportFindings& findings) {
  DataFormat format;
  format.name = child_text(node, "DataFormatName");
  format.type = child_text(node, "DataType");
  const auto small = [](std::optional<std::uint64_t> number) {
    return number && *number <= 65'536 ? static_cast<std::uint32_t>(*number) : 0U;
  };
  format.bits = small(child_number(node, "BitCount"));
  format.components = small(child_number(node, "ComponentCount"));
  read_components(node.child("DataAttributes"), {&path, "DataAttributes", 0}, format, findings);
  return format;
}

OperandType read_operand_type(const pugi::xml_node& node, const ElementPath& path,
                              ImportFindings& findings) {
  OperandType type;
  type.name = child_text(node, "OperandTypeName");
  type.values = read_named_values(node.child("OperandPredefinedValues"),
                                  {&path, "OperandPredefinedValues", 0}, findings);
  type.registers = fold_registers(type.values);
  const ElementPath format_path = {&path, "MicrocodeFormat", 0};
  type.fields = read_fields(node.child("MicrocodeFormat").child("BitMap"),
                            {&format_path, "BitMap", 0}, 0, findings);
  return type;
}

}  // namespace

std::vector<RegisterRange> fold_registers(std::vector<NamedValue>& values) {
  std::vector<RegisterRange> ranges;
  std::vector<NamedValue> others;
  for (std::size_t first = 0; first < values.size();) {
    const std::size_t length = run_length(values, first);
    if (length == 1) {
      others.push_back(std::move(values[first]));
    } else {
      const auto name = numbered(values[first].name);
      ranges.push_back({std::string(name->prefix), name->number,
                        static_cast<std::uint32_t>(values[first].value),
                        static_cast<std::uint32_t>(length)});
    }
    first += length;
  }
  values = std::move(others);
  return ranges;
}

void read_data_formats(const pugi::xml_node& list, const ElementPath& path, InstructionSet& set,
                       NameIndex& names, ImportFindings& findings) {
  std::size_t number = 0;
  for (const pugi::xml_node& node : list.children("DataFormat")) {
    const ElementPath element_path = {&path, "DataFormat", ++number};
    DataFormat format = read_data_format(node, element_path, findings);
    if (names.add(child_text(node, "DataFormatName"),
                  static_cast<std::uint32_t>(set.data_formats.size()))) {
      set.data_formats.push_back(std::move(format));
    } else {
      findings.add(element_path,
                   concat("Data format ", format.name, " stands twice; the first counts."));
    }
  }
}

void read_operand_types(const pugi::xml_node& list, const ElementPath& path, InstructionSet& set,
                        NameIndex& names, ImportFindings& findings) {
  std::size_t number = 0;
  for (const pugi::xml_node& node : list.children("OperandType")) {
    const ElementPath element_path = {&path, "OperandType", ++number};
    OperandType type = read_operand_type(node, element_path, findings);
    if (names.add(child_text(node, "OperandTypeName"),
                  static_cast<std::uint32_t>(set.operand_types.size()))) {
      set.operand_types.push_back(std::move(type));
    } else {
      findings.add(element_path,
                   concat("Operand type ", type.name, " stands twice; the first counts."));
    }
  }
}

}  // namespace halyard::isa
