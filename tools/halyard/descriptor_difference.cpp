// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/descriptor_difference.h"

#include "tools/halyard/command.h"
#include "tools/halyard/descriptor_catalog.h"
#include "tools/halyard/document.h"
#include "tools/halyard/table_printer.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <iostream>

namespace halyard::command_line {
namespace {

namespace json = boost::json;

struct Sides {
  std::string left;
  std::string right;
};

std::string known(const json::object& difference, const char* side) {
  const std::string text = text_of(difference, side);
  return text.empty() ? "unknown" : text;
}

void print_capabilities(const json::array& differences, const Sides& sides,
                        const std::string& indent) {
  if (differences.empty()) return;
  TablePrinter table({"capability", ">" + sides.left, ">" + sides.right, "unit"});
  for (const json::value& value : differences) {
    const json::object& difference = value.as_object();
    table.add_row({text_of(difference, "key"), known(difference, "left"),
                   known(difference, "right"), text_of(difference, "unit")});
  }
  table.print(std::cout, indent);
}

// "amd/gfx1100 only" or "both, with other facts".
std::string where_text(const json::object& difference, const Sides& sides) {
  const std::string in = text_of(difference, "in");
  if (in == "both") return "both, otherwise";
  return (in == "left" ? sides.left : sides.right) + " only";
}

void print_descriptors(const json::object& document, const Sides& sides) {
  print_capabilities(array_of(document, "capabilities"), sides, "");
  for (const json::value& value : array_of(document, "matrix_operations")) {
    const json::object& difference = value.as_object();
    std::cout << text_of(difference, "operation") << ": " << where_text(difference, sides) << '\n';
  }
  for (const json::value& value : array_of(document, "products")) {
    const json::object& difference = value.as_object();
    std::cout << text_of(difference, "product") << ": " << where_text(difference, sides) << '\n';
    print_capabilities(array_of(difference, "capabilities"), sides, "  ");
  }
}

void print_names(const json::array& names, const std::string& side) {
  if (names.empty()) return;
  std::cout << names.size() << " instructions of " << side << " only:\n  " << join(names, " ")
            << '\n';
}

void print_instruction_sets(const json::object& document, const Sides& sides) {
  print_names(array_of(document, "only_left"), sides.left);
  print_names(array_of(document, "only_right"), sides.right);
  const json::array& opcodes = array_of(document, "opcodes");
  if (opcodes.empty()) return;
  TablePrinter table({"instruction", "encoding", "form", ">" + sides.left, ">" + sides.right});
  for (const json::value& value : opcodes) {
    const json::object& difference = value.as_object();
    table.add_row({text_of(difference, "instruction"), text_of(difference, "encoding"),
                   text_of(difference, "condition"), text_of(difference, "left"),
                   text_of(difference, "right")});
  }
  std::cout << opcodes.size() << " opcodes differ:\n";
  table.print(std::cout);
}

bool is_equal(const json::object& document) {
  for (const char* const member :
       {"capabilities", "matrix_operations", "products", "only_left", "only_right", "opcodes"}) {
    if (!array_of(document, member).empty()) return false;
  }
  return true;
}

}  // namespace

int compare_descriptors(const std::string& left, const std::string& right, bool as_json) {
  const DescriptorCatalog catalog = DescriptorCatalog::open();
  const std::string text =
      read_document(halyard_descriptor_diff, catalog.get(), left.c_str(), right.c_str());
  if (as_json) {
    std::cout << text << '\n';
    return kDone;
  }
  const json::object document = parse_document(text, "The comparison");
  const Sides sides = {text_of(document, "left"), text_of(document, "right")};
  if (is_equal(document)) {
    std::cout << sides.left << " and " << sides.right << " say the same.\n";
  } else if (text_of(document, "kind") == "descriptor") {
    print_descriptors(document, sides);
  } else {
    print_instruction_sets(document, sides);
  }
  return kDone;
}

}  // namespace halyard::command_line
