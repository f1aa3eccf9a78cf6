// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/descriptor_list.h"

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

// "amd/rdna3, derived"
std::string instruction_set_text(const json::object& descriptor) {
  const std::string id = text_of(descriptor, "instruction_set");
  const std::string basis = text_of(descriptor, "basis");
  return basis.empty() ? id : id + ", " + basis;
}

void print_descriptors(const json::object& list) {
  TablePrinter table({"id", "kind", "name", ">products", "instruction set", "origin"});
  for (const json::value& value : array_of(list, "descriptors")) {
    const json::object& entry = value.as_object();
    const std::string error = text_of(entry, "error");
    const std::size_t products = array_of(entry, "products").size();
    table.add_row({text_of(entry, "id"), text_of(entry, "kind"),
                   error.empty() ? text_of(entry, "name") : error,
                   products == 0 ? "" : std::to_string(products), instruction_set_text(entry),
                   text_of(entry, "origin")});
  }
  table.print(std::cout);
}

void print_instruction_sets(const json::object& list) {
  if (array_of(list, "instruction_sets").empty()) return;
  TablePrinter table({"instruction set", "architecture", "basis", ">instructions", "origin"});
  for (const json::value& value : array_of(list, "instruction_sets")) {
    const json::object& entry = value.as_object();
    const std::string error = text_of(entry, "error");
    table.add_row({text_of(entry, "id"), error.empty() ? text_of(entry, "architecture") : error,
                   text_of(entry, "basis"), text_of(entry, "instructions"),
                   text_of(entry, "origin")});
  }
  std::cout << '\n';
  table.print(std::cout);
}

}  // namespace

int list_descriptors(bool as_json) {
  const DescriptorCatalog catalog = DescriptorCatalog::open();
  const std::string text = read_document(halyard_descriptor_catalog_list, catalog.get());
  if (as_json) {
    std::cout << text << '\n';
    return kDone;
  }
  const json::object list = parse_document(text, "The list of descriptors");
  print_descriptors(list);
  print_instruction_sets(list);
  return kDone;
}

}  // namespace halyard::command_line
