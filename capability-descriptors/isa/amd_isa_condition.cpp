// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/amd_isa_condition.h"

#include "capability-descriptors/isa/amd_isa_element.h"
#include "runtime/base/expression.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <array>

namespace halyard::isa {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;

enum class NodeKind : std::uint8_t { kOperator, kName, kLiteral, kType, kUnknown };

// A node of the tree, read alike from
//   <Expression Type="Operator"><Operator>==</Operator><Subexpressions>…   (the long form)
//   <op type="==">…                                                        (the compact form)
struct Node {
  NodeKind kind = NodeKind::kUnknown;
  std::string_view text;  // operator, name or literal
  pugi::xml_node parent_of_operands;
};

Node long_node(const pugi::xml_node& element) {
  const std::string_view type = element.attribute("Type").value();
  if (type == "Operator")
    return {NodeKind::kOperator, child_text(element, "Operator"), element.child("Subexpressions")};
  if (type == "Id") return {NodeKind::kName, child_text(element, "Label"), {}};
  if (type == "Literal") return {NodeKind::kLiteral, child_text(element, "Value"), {}};
  if (type == "ReturnType" || type == "ValueType" || type == "Comment")
    return {NodeKind::kType, {}, {}};
  return {NodeKind::kUnknown, type, {}};
}

Node node_of(const pugi::xml_node& element) {
  const std::string_view name = element.name();
  if (name == "Expression") return long_node(element);
  if (name == "op") return {NodeKind::kOperator, element.attribute("type").value(), element};
  if (name == "id") return {NodeKind::kName, element.attribute("val").value(), {}};
  if (name == "lit") return {NodeKind::kLiteral, element.attribute("val").value(), {}};
  if (name == "ty" || name == "type" || name == "t") return {NodeKind::kType, {}, {}};
  return {NodeKind::kUnknown, name, {}};
}

std::vector<pugi::xml_node> operands_of(const pugi::xml_node& parent) {
  std::vector<pugi::xml_node> operands;
  for (const pugi::xml_node& child : parent.children()) {
    if (child.type() == pugi::node_element && node_of(child).kind != NodeKind::kType)
      operands.push_back(child);
  }
  return operands;
}

// How tightly a text binds, loosest first.
enum class Level : std::uint8_t { kOr, kAnd, kComparison, kOther, kAtom };

struct Text {
  std::string text;
  Level level = Level::kAtom;
};

std::string in(Level wanted, const Text& part) {
  return part.level >= wanted ? part.text : concat('(', part.text, ')');
}

// Operators that base::Expression has under the same name.
constexpr std::array<std::string_view, 13> kPlainOperators = {
    "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "<<", ">>"};

// Of a text; a list of a list of … would double it at each level.
constexpr std::size_t kMostBytes = 4096;

class ConditionTranslator {
 public:
  explicit ConditionTranslator(const std::vector<Field>& fields) : fields_(fields) {}

  // The nesting of the file is bounded before it is parsed.
  Result<Text> translate(const pugi::xml_node& element) const {
    const Node node = node_of(element);
    switch (node.kind) {
      case NodeKind::kOperator:
        return apply(node.text, operands_of(node.parent_of_operands));
      case NodeKind::kName:
        return field(node.text);
      case NodeKind::kLiteral:
        return literal(node.text);
      default:
        return unsupported(concat("the node \"", node.text, "\" is not known"));
    }
  }

 private:
  static Error unsupported(std::string what) {
    return Error(ErrorCode::kUnsupported, std::move(what));
  }

  static Error too_long() {
    return unsupported(concat("the expression is longer than ", kMostBytes, " bytes"));
  }

  static Result<Text> literal(std::string_view value) {
    if (value.empty()) return Text{"1", Level::kAtom};
    const std::size_t digits = value.starts_with('-') ? 1 : 0;
    if (value.size() == digits ||
        value.find_first_not_of("0123456789", digits) != std::string_view::npos)
      return unsupported(concat("the literal \"", value, "\" is not an integer"));
    return Text{std::string(value), digits == 0 ? Level::kAtom : Level::kOther};
  }

  Result<Text> field(std::string_view name) const {
    const bool known = std::any_of(fields_.begin(), fields_.end(),
                                   [&](const Field& field) { return field.name == name; });
    if (!known) return unsupported(concat("the encoding has no field ", name));
    return Text{std::string(name), Level::kAtom};
  }

  Result<Text> apply(std::string_view name, const std::vector<pugi::xml_node>& operands) const {
    if (name == ".fieldderef" && operands.size() == 2) return field(node_of(operands[1]).text);
    if ((name == "&&" || name == "||") && !operands.empty()) return chain(name, operands);
    if (name == ".within" && operands.size() == 2) return within(operands, "==", "||");
    if (name == ".notwithin" && operands.size() == 2) return within(operands, "!=", "&&");
    if ((name == "!" || name == ".boolneg") && operands.size() == 1) {
      HALYARD_TRY_ASSIGN(const Text inner, translate(operands[0]));
      return Text{concat('!', in(Level::kAtom, inner)), Level::kOther};
    }
    if (name == "?:" && operands.size() == 3) return select(operands);
    if (operands.size() == 2) return binary(name, operands);
    return unsupported(
        concat("the operator \"", name, "\" with ", operands.size(), " operands is not known"));
  }

  Result<Text> binary(std::string_view name, const std::vector<pugi::xml_node>& operands) const {
    if (std::find(kPlainOperators.begin(), kPlainOperators.end(), name) == kPlainOperators.end())
      return unsupported(concat("the operator \"", name, "\" is not known"));
    HALYARD_TRY_ASSIGN(const Text left, translate(operands[0]));
    HALYARD_TRY_ASSIGN(const Text right, translate(operands[1]));
    const bool compares =
        name.find_first_of("=<>") != std::string_view::npos && name != "<<" && name != ">>";
    return Text{concat(in(Level::kAtom, left), ' ', name, ' ', in(Level::kAtom, right)),
                compares ? Level::kComparison : Level::kOther};
  }

  Result<Text> chain(std::string_view name, const std::vector<pugi::xml_node>& operands) const {
    const Level level = name == "&&" ? Level::kAnd : Level::kOr;
    Text result = {"", operands.size() == 1 ? Level::kAtom : level};
    for (const pugi::xml_node& operand : operands) {
      HALYARD_TRY_ASSIGN(const Text part, translate(operand));
      if (operands.size() == 1) return part;
      if (!result.text.empty()) result.text += concat(' ', name, ' ');
      // An "&&" in an "||" is in brackets too: compilers warn of it, and so do readers.
      const bool joins = part.level == level || part.level >= Level::kComparison;
      result.text += joins ? part.text : concat('(', part.text, ')');
      if (result.text.size() > kMostBytes) return too_long();
    }
    return result;
  }

  Result<Text> within(const std::vector<pugi::xml_node>& operands, std::string_view comparison,
                      std::string_view joint) const {
    HALYARD_TRY_ASSIGN(const Text value, translate(operands[0]));
    const Node list = node_of(operands[1]);
    if (list.kind != NodeKind::kOperator || list.text != ".cons_array")
      return unsupported("a value is looked for in something that is no list");
    const auto elements = operands_of(list.parent_of_operands);
    const bool one = elements.size() == 1;
    Text result = {"", one ? Level::kComparison : joint == "&&" ? Level::kAnd : Level::kOr};
    for (const pugi::xml_node& element : elements) {
      HALYARD_TRY_ASSIGN(const Text part, translate(element));
      if (!result.text.empty()) result.text += concat(' ', joint, ' ');
      result.text += concat(in(Level::kAtom, value), ' ', comparison, ' ', in(Level::kAtom, part));
      if (result.text.size() > kMostBytes) return too_long();
    }
    if (elements.empty()) return Text{joint == "&&" ? "1" : "0", Level::kAtom};
    return result;
  }

  Result<Text> select(const std::vector<pugi::xml_node>& operands) const {
    std::array<Text, 3> parts;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      HALYARD_TRY_ASSIGN(parts[i], translate(operands[i]));
    }
    return Text{concat("select(", parts[0].text, ", ", parts[1].text, ", ", parts[2].text, ')'),
                Level::kAtom};
  }

  const std::vector<Field>& fields_;
};

}  // namespace

Result<std::string> read_condition(const pugi::xml_node& element,
                                   const std::vector<Field>& fields) {
  const auto trees = operands_of(element);
  if (trees.empty()) return std::string("1");
  if (trees.size() > 1)
    return Error(ErrorCode::kUnsupported, concat("there are ", trees.size(), " trees, not one"));
  HALYARD_TRY_ASSIGN(Text translated, ConditionTranslator(fields).translate(trees.front()));
  // Every name was found above; what is left to refuse is a text that is too long or too deep.
  const auto compiled = base::Expression::compile(
      translated.text, [](std::string_view) { return std::optional<std::uint32_t>(0); });
  if (!compiled) {
    std::string_view why = compiled.error().message();
    if (why.ends_with('.')) why.remove_suffix(1);
    return Error(ErrorCode::kUnsupported, std::string(why));
  }
  return std::move(translated.text);
}

}  // namespace halyard::isa
