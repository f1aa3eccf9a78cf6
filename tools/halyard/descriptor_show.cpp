// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/descriptor_show.h"

#include "tools/halyard/command.h"
#include "tools/halyard/descriptor_catalog.h"
#include "tools/halyard/document.h"
#include "tools/halyard/live_descriptor.h"
#include "tools/halyard/table_printer.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <iostream>

namespace halyard::command_line {
namespace {

namespace json = boost::json;

void print_fact(const char* name, const std::string& text) {
  constexpr std::size_t kNameWidth = 17;
  if (text.empty()) return;
  std::string title = name;
  title.resize(kNameWidth, ' ');
  std::cout << title << text << '\n';
}

void print_capabilities(const json::object& capabilities, const std::string& indent) {
  if (capabilities.empty()) return;
  TablePrinter table({"capability", ">value", "unit", "origin"});
  for (const auto& [key, value] : capabilities) {
    const json::object& capability = value.as_object();
    table.add_row({std::string(key), text_of(capability, "value"), text_of(capability, "unit"),
                   text_of(capability, "origin")});
  }
  table.print(std::cout, indent);
}

void print_matrix_operations(const json::array& operations) {
  if (operations.empty()) return;
  TablePrinter table({"matrix operation", "m x n x k", "types", ">lanes", ">cycles",
                      ">operations/clock", "origin"});
  for (const json::value& value : operations) {
    const json::object& operation = value.as_object();
    const std::string sparse = text_of(operation, "sparse") == "true" ? ", A sparse" : "";
    table.add_row(
        {text_of(operation, "instruction"),
         text_of(operation, "m") + "x" + text_of(operation, "n") + "x" + text_of(operation, "k"),
         text_of(operation, "a_type") + " " + text_of(operation, "b_type") + " " +
             text_of(operation, "c_type") + sparse,
         text_of(operation, "lanes"), text_of(operation, "cycles"),
         text_of(operation, "operations_per_unit_clock"), text_of(operation, "origin")});
  }
  std::cout << '\n';
  table.print(std::cout);
}

void print_products(const json::array& products) {
  for (const json::value& value : products) {
    const json::object& product = value.as_object();
    std::cout << '\n' << text_of(product, "name");
    const std::string aliases = join(array_of(product, "aliases"), ", ");
    const std::string pci_ids = join(array_of(product, "pci_ids"), ", ");
    if (!aliases.empty()) std::cout << " (" << aliases << ")";
    if (!pci_ids.empty()) std::cout << ", PCI " << pci_ids;
    std::cout << '\n';
    print_capabilities(object_of(product, "capabilities"), "  ");
  }
}

void print_sources(const json::array& sources) {
  for (const json::value& value : sources) {
    const json::object& source = value.as_object();
    std::string text = text_of(source, "title");
    for (const char* const member : {"date", "licence", "url"}) {
      const std::string more = text_of(source, member);
      if (!more.empty()) text += ", " + more;
    }
    print_fact("source", text);
  }
}

void print_descriptor(const json::object& descriptor) {
  std::cout << text_of(descriptor, "id") << ": " << text_of(descriptor, "name") << '\n';
  print_fact("kind", text_of(descriptor, "kind"));
  print_fact("version", text_of(descriptor, "version"));
  print_fact("vendor", text_of(descriptor, "vendor"));
  print_fact("also called", join(array_of(descriptor, "aliases"), ", "));
  print_fact("targets", join(array_of(descriptor, "targets"), ", "));
  print_fact("instruction set", text_of(descriptor, "instruction_set"));
  print_fact("not known", join(array_of(descriptor, "missing"), ", "));
  print_sources(array_of(descriptor, "sources"));
  std::cout << '\n';
  print_capabilities(object_of(descriptor, "capabilities"), "");
  print_matrix_operations(array_of(descriptor, "matrix_operations"));
  if (text_of(descriptor, "kind") != "product") print_products(array_of(descriptor, "products"));
  for (const json::value& value : array_of(descriptor, "notes")) {
    const json::object& note = value.as_object();
    std::cout << '\n' << text_of(note, "topic") << ": " << text_of(note, "text") << '\n';
  }
}

void print_instruction_set(const json::object& set) {
  std::cout << text_of(set, "id") << ": " << text_of(set, "architecture") << '\n';
  print_fact("basis", text_of(set, "basis"));
  print_fact("note", text_of(set, "note"));
  print_sources(array_of(set, "sources"));
  print_fact("corrections", join(array_of(set, "corrections"), ", "));
  for (const char* const table :
       {"encodings", "instructions", "data_formats", "operand_types", "unresolved"}) {
    std::string name = table;
    if (const std::size_t gap = name.find('_'); gap != std::string::npos) name[gap] = ' ';
    print_fact(name.c_str(), std::to_string(array_of(set, table).size()));
  }
}

std::string value_text(const json::object& document) {
  return text_of(document, "known") == "true" ? text_of(document, "value") : "unknown";
}

}  // namespace

int show_descriptor(const std::string& id, bool as_json) {
  std::string text;
  if (names_device(id)) {
    text = json::serialize(live_descriptor(id));
  } else {
    const DescriptorCatalog catalog = DescriptorCatalog::open();
    text = read_document(halyard_descriptor_show, catalog.get(), id.c_str());
  }
  if (as_json) {
    std::cout << text << (text.ends_with('\n') ? "" : "\n");
    return kDone;
  }
  const json::object document = parse_document(text, "Descriptor " + id);
  if (text_of(document, "format").starts_with("halyard.instruction_set/")) {
    print_instruction_set(document);
  } else {
    print_descriptor(document);
  }
  return kDone;
}

int show_facts(const std::string& id, const FactsOptions& options, bool as_json) {
  if (names_device(id)) {
    throw UsageError("--for-model takes a descriptor and no device (" + id +
                     "); halyard descriptor list has them.");
  }
  const DescriptorCatalog catalog = DescriptorCatalog::open();
  halyard_descriptor_facts_desc desc = HALYARD_DESCRIPTOR_FACTS_DESC_INIT;
  desc.contract = options.contract.empty() ? nullptr : options.contract.c_str();
  desc.token_budget = options.token_budget;
  const halyard_descriptor_facts_desc* const given = &desc;
  const std::string text =
      read_document(halyard_descriptor_facts, catalog.get(), id.c_str(), given);
  if (as_json) {
    print_document({{"format", "halyard.descriptor_facts/1"},
                    {"id", id},
                    {"contract", options.contract},
                    {"text", text}});
    return kDone;
  }
  std::cout << text;
  return kDone;
}

int query_descriptor(const std::string& id, const std::string& key, bool as_json) {
  std::string text;
  if (names_device(id)) {
    text = json::serialize(live_value(id, key));
  } else {
    const DescriptorCatalog catalog = DescriptorCatalog::open();
    text = read_document(halyard_descriptor_query, catalog.get(), id.c_str(), key.c_str());
  }
  std::cout << (as_json ? text : value_text(parse_document(text, "The value"))) << '\n';
  return kDone;
}

}  // namespace halyard::command_line
