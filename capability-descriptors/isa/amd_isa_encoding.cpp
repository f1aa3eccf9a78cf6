// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/amd_isa_encoding.h"

#include "capability-descriptors/isa/amd_isa_condition.h"
#include "capability-descriptors/isa/amd_isa_field.h"
#include "capability-descriptors/isa/index_of.h"
#include "runtime/base/text.h"

#include <algorithm>

namespace halyard::isa {
namespace {

using base::concat;

constexpr std::uint64_t kMostBits = 1024;
constexpr std::size_t kMostConditions = 256;

// The child with either spelling: files of some versions misspell it.
pugi::xml_node child_of(const pugi::xml_node& node, const char* name, const char* misspelt) {
  const pugi::xml_node child = node.child(name);
  return child ? child : node.child(misspelt);
}

// A binary text as long as the encoding, of which only the first dword (the last 32 digits) may
// have bits set.
std::optional<std::uint32_t> first_dword(const pugi::xml_node& node) {
  const std::string_view text = text_of(node);
  std::uint64_t value = 0;
  for (const char c : text) {
    if ((c != '0' && c != '1') || (value >> 32) != 0) return std::nullopt;
    value = value << 1 | static_cast<std::uint64_t>(c == '1');
  }
  if (text.empty() || (value >> 32) != 0) return std::nullopt;
  return static_cast<std::uint32_t>(value);
}

void read_identifiers(const pugi::xml_node& node, const ElementPath& path, Encoding& encoding,
                      ImportFindings& findings) {
  const pugi::xml_node mask = child_of(node, "EncodingIdentifierMask", "EncodingIdentiferMask");
  if (const auto value = first_dword(mask)) {
    encoding.mask = *value;
  } else {
    findings.add(path, "The identifier mask is no binary number of the first 32 bits.");
  }
  const pugi::xml_node list = child_of(node, "EncodingIdentifiers", "EncodingIdentifers");
  std::size_t number = 0;
  for (const pugi::xml_node& child : list.children()) {
    if (child.type() != pugi::node_element) continue;
    ++number;
    if (const auto value = first_dword(child)) {
      encoding.identifiers.push_back(*value);
    } else {
      findings.add({&path, "EncodingIdentifiers", number},
                   concat("Identifier ", number, " is no binary number of the first 32 bits."));
    }
  }
  auto& identifiers = encoding.identifiers;
  std::sort(identifiers.begin(), identifiers.end());
  identifiers.erase(std::unique(identifiers.begin(), identifiers.end()), identifiers.end());
}

void read_condition_of(const pugi::xml_node& node, const ElementPath& path, Encoding& encoding,
                       ImportFindings& findings) {
  Condition condition;
  condition.name = child_text(node, "ConditionName");
  auto expression =
      read_condition(child_of(node, "ConditionExpression", "CondtionExpression"), encoding.fields);
  if (expression) {
    condition.expression = std::move(*expression);
  } else {
    findings.add(path, concat("Condition ", condition.name, " of ", encoding.name,
                              " is not understood: ", expression.error().message(), '.'));
  }
  const auto same =
      std::find_if(encoding.conditions.begin(), encoding.conditions.end(),
                   [&](const Condition& other) { return other.name == condition.name; });
  if (same == encoding.conditions.end()) {
    encoding.conditions.push_back(std::move(condition));
  } else if (same->expression != condition.expression) {
    findings.add(path, concat("Condition ", condition.name, " of ", encoding.name,
                              " stands twice and differs; the first counts."));
  }
}

// OP, and OPM where an encoding has one more bit of opcode above it.
void find_opcode(Encoding& encoding) {
  const std::uint32_t low = index_of(encoding.fields, "OP");
  if (low == kNoIndex) return;
  encoding.opcodes.push_back({low});
  const std::uint32_t high = index_of(encoding.fields, "OPM");
  if (high != kNoIndex) encoding.opcodes.front().push_back(high);
}

std::optional<Encoding> read_encoding(const pugi::xml_node& node, const ElementPath& path,
                                      ImportFindings& findings) {
  Encoding encoding;
  encoding.name = child_text(node, "EncodingName");
  encoding.order = node.attribute("Order").as_int();
  const auto bits = child_number(node, "BitCount");
  if (encoding.name.empty() || !bits || *bits == 0 || *bits > kMostBits) {
    findings.add(path,
                 concat("Encoding \"", encoding.name, "\" has no name or no bit count of 1 to ",
                        kMostBits, "; it is left out."));
    return std::nullopt;
  }
  encoding.bits = static_cast<std::uint32_t>(*bits);
  read_identifiers(node, path, encoding, findings);
  const ElementPath format_path = {&path, "MicrocodeFormat", 0};
  encoding.fields = read_fields(node.child("MicrocodeFormat").child("BitMap"),
                                {&format_path, "BitMap", 0}, encoding.bits, findings);
  const ElementPath list_path = {&path, "EncodingConditions", 0};
  std::size_t number = 0;
  for (const pugi::xml_node& child :
       node.child("EncodingConditions").children("EncodingCondition")) {
    const ElementPath condition_path = {&list_path, "EncodingCondition", ++number};
    if (number > kMostConditions) {
      findings.add(condition_path,
                   concat("There are more than ", kMostConditions,
                          " conditions; this one and those after it are left out."));
      break;
    }
    read_condition_of(child, condition_path, encoding, findings);
  }
  find_opcode(encoding);
  return encoding;
}

}  // namespace

void read_encodings(const pugi::xml_node& list, const ElementPath& path, InstructionSet& set,
                    NameIndex& names, ImportFindings& findings) {
  std::size_t number = 0;
  for (const pugi::xml_node& node : list.children("Encoding")) {
    const ElementPath element_path = {&path, "Encoding", ++number};
    auto encoding = read_encoding(node, element_path, findings);
    if (!encoding) continue;
    if (names.add(child_text(node, "EncodingName"),
                  static_cast<std::uint32_t>(set.encodings.size()))) {
      set.encodings.push_back(std::move(*encoding));
    } else {
      findings.add(element_path,
                   concat("Encoding ", encoding->name, " stands twice; the first counts."));
    }
  }
}

}  // namespace halyard::isa
