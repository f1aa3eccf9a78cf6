// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/amd_isa_field.h"

#include "runtime/base/text.h"

#include <algorithm>

namespace halyard::isa {
namespace {

using base::concat;

constexpr std::uint32_t kMostBits = 4096;  // of an encoding or a data format
constexpr std::uint32_t kMostFieldBits = 64;
constexpr std::size_t kMostFields = 1024;  // of one bit map

struct OrderedRange {
  int order = 0;
  BitRange range;
  pugi::xml_node padding;
};

// The ranges of a BitLayout, lowest first; nothing when one of them cannot be read.
std::optional<std::vector<OrderedRange>> read_ranges(const pugi::xml_node& layout) {
  std::vector<OrderedRange> ranges;
  for (const pugi::xml_node& node : layout.children("Range")) {
    const auto count = child_number(node, "BitCount");
    const auto offset = child_number(node, "BitOffset");
    if (!count || !offset || *count > kMostBits || *offset > kMostBits) return std::nullopt;
    ranges.push_back({node.attribute("Order").as_int(),
                      {static_cast<std::uint16_t>(*offset), static_cast<std::uint16_t>(*count)},
                      node.child("Padding")});
  }
  std::stable_sort(ranges.begin(), ranges.end(),
                   [](const OrderedRange& a, const OrderedRange& b) { return a.order < b.order; });
  return ranges;
}

// What is wrong with where the field lies, or an empty text.
std::string layout_fault(const Field& field, std::uint32_t bits) {
  std::uint32_t total = 0;
  for (const BitRange& range : field.ranges) {
    const std::uint32_t end = range.offset + std::uint32_t{range.count};
    if (range.count == 0)
      return concat("Field ", field.name, " has a range of no bits; it is left out.");
    if (bits != 0 && end > bits) {
      return concat("Field ", field.name, " ends at bit ", end, ", beyond the ", bits,
                    " bits there are; it is left out.");
    }
    total += range.count;
  }
  if (total + field.padding_bits > kMostFieldBits) {
    return concat("Field ", field.name, " has ", total + field.padding_bits, " bits; the most is ",
                  kMostFieldBits, "; it is left out.");
  }
  return {};
}

void read_padding(const std::vector<OrderedRange>& ranges, const ElementPath& path, Field& field,
                  ImportFindings& findings) {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (!ranges[i].padding) continue;
    const auto count = child_number(ranges[i].padding, "BitCount");
    const auto value = child_number(ranges[i].padding, "Value");
    if (i != 0 || !count || *count >= kMostFieldBits || !value || (*value >> *count) != 0) {
      findings.add(path, concat("The padding of field ", field.name, " is not understood."));
      continue;
    }
    field.padding_bits = static_cast<std::uint16_t>(*count);
    field.padding = *value;
  }
}

std::optional<Field> read_field(const pugi::xml_node& node, const ElementPath& path,
                                std::uint32_t bits, ImportFindings& findings) {
  Field field;
  field.name = child_text(node, "FieldName");
  field.conditional = boolean_of(node.attribute("IsConditional").value()).value_or(false);
  const std::string_view signedness = node.attribute("Signedness").value();
  if (signedness != "Unknown" && signedness != "DoesNotApply") field.signedness = signedness;
  const auto ranges = read_ranges(node.child("BitLayout"));
  if (field.name.empty() || !ranges || ranges->empty()) {
    findings.add(path, concat("Field \"", field.name,
                              "\" has no name or no readable bits; it is "
                              "left out."));
    return std::nullopt;
  }
  for (const OrderedRange& range : *ranges)
    field.ranges.push_back(range.range);
  read_padding(*ranges, path, field, findings);
  if (std::string fault = layout_fault(field, bits); !fault.empty()) {
    findings.add(path, std::move(fault));
    return std::nullopt;
  }
  field.values = read_named_values(node.child("FieldPredefinedValues"), path, findings);
  return field;
}

}  // namespace

std::vector<NamedValue> read_named_values(const pugi::xml_node& list, const ElementPath& path,
                                          ImportFindings& findings) {
  std::vector<NamedValue> values;
  std::size_t number = 0;
  for (const pugi::xml_node& node : list.children("PredefinedValue")) {
    ++number;
    const auto value = child_number(node, "Value");
    if (!value) {
      findings.add({&path, "PredefinedValue", number},
                   concat("The value of \"", child_text(node, "Name"), "\" is not a number."));
      continue;
    }
    values.push_back({std::string(child_text(node, "Name")), *value});
  }
  return values;
}

std::vector<Field> read_fields(const pugi::xml_node& bit_map, const ElementPath& path,
                               std::uint32_t bits, ImportFindings& findings) {
  std::vector<Field> fields;
  std::size_t number = 0;
  for (const pugi::xml_node& node : bit_map.children("Field")) {
    const ElementPath field_path = {&path, "Field", ++number};
    if (number > kMostFields) {
      findings.add(field_path, concat("There are more than ", kMostFields,
                                      " fields; this one and "
                                      "those after it are left out."));
      break;
    }
    auto field = read_field(node, field_path, bits, findings);
    if (!field) continue;
    const bool repeated = std::any_of(fields.begin(), fields.end(), [&](const Field& other) {
      return other.name == field->name;
    });
    if (repeated) {
      findings.add(field_path, concat("Field ", field->name, " stands twice; the first counts."));
    } else {
      fields.push_back(std::move(*field));
    }
  }
  return fields;
}

}  // namespace halyard::isa
