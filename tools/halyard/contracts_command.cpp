// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/contracts_command.h"

#include "halyard/halyard.hpp"

#include "tools/halyard/document.h"
#include "tools/halyard/table_printer.h"

#include <CLI/CLI.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <iostream>
#include <memory>
#include <sstream>

namespace halyard::command_line {
namespace {

namespace json = boost::json;

struct ContractsOptions {
  bool as_json = false;
  std::string name;
};

json::object contract_document(const Instance& instance, const std::string& name) {
  return parse_document(instance.contract(name.c_str()).json(), "Contract " + name);
}

int list_contracts(const ContractsOptions& options) {
  const Instance instance = Instance::create();
  std::istringstream names(instance.contracts());
  json::array list;
  TablePrinter table({"contract", "version", "summary"});
  for (std::string name; std::getline(names, name);) {
    const json::object contract = contract_document(instance, name);
    const std::string version = text_of(contract, "version");
    const std::string summary = text_of(contract, "summary");
    list.push_back(json::object{{"name", name}, {"version", version}, {"summary", summary}});
    table.add_row({name, version, summary});
  }
  if (options.as_json) {
    print_document({{"format", "halyard.contracts/1"}, {"contracts", list}});
  } else {
    table.print(std::cout);
  }
  return kDone;
}

void print_axes(const json::object& contract) {
  TablePrinter table({"axis", "kind", ">min", ">max", "also called"});
  for (const json::value& value : array_of(contract, "axes")) {
    const json::object& axis = value.as_object();
    table.add_row({text_of(axis, "name"), text_of(axis, "kind"), text_of(axis, "min"),
                   text_of(axis, "max"), join(array_of(axis, "aliases"), " ")});
  }
  table.print(std::cout);
}

void print_attributes(const json::object& contract) {
  if (array_of(contract, "attributes").empty()) return;
  TablePrinter table({"attribute", "type", "default", "values"});
  for (const json::value& value : array_of(contract, "attributes")) {
    const json::object& attribute = value.as_object();
    table.add_row({text_of(attribute, "name"), text_of(attribute, "type"),
                   text_of(attribute, "default"), join(array_of(attribute, "values"), " ")});
  }
  std::cout << '\n';
  table.print(std::cout);
}

void print_tensors(const json::object& contract) {
  TablePrinter table({"tensor", "role", "type", "shape", "strides", ">aligned", "remarks"});
  for (const json::value& value : array_of(contract, "tensors")) {
    const json::object& tensor = value.as_object();
    std::string remarks = text_of(tensor, "constant") == "true" ? "constant" : "";
    const auto add = [&](const char* words, const std::string& text) {
      if (!text.empty()) remarks += (remarks.empty() ? "" : ", ") + std::string(words) + text;
    };
    add("may alias ", join(array_of(tensor, "may_alias"), " "));
    add("present where ", text_of(tensor, "present"));
    table.add_row({text_of(tensor, "name"), text_of(tensor, "role"), text_of(tensor, "type"),
                   "[" + join(array_of(tensor, "shape"), ", ") + "]", text_of(tensor, "strides"),
                   text_of(tensor, "alignment_bytes"), remarks});
  }
  for (const json::value& value : array_of(contract, "scalars")) {
    const json::object& scalar = value.as_object();
    table.add_row({text_of(scalar, "name"), "scalar", text_of(scalar, "type"), "", "", "", ""});
  }
  std::cout << '\n';
  table.print(std::cout);
}

int show_contract(const ContractsOptions& options) {
  const Instance instance = Instance::create();
  const Contract handle = instance.contract(options.name.c_str());
  if (options.as_json) {
    std::cout << handle.json() << '\n';
    return kDone;
  }
  const json::object contract = parse_document(handle.json(), "Contract " + options.name);
  std::cout << text_of(contract, "name") << ' ' << text_of(contract, "version") << ": "
            << text_of(contract, "summary") << "\n\n";
  print_axes(contract);
  print_attributes(contract);
  print_tensors(contract);
  TablePrinter facts({"rule", "meaning"});
  std::string types;
  for (const json::value& value : array_of(contract, "types"))
    types += (types.empty() ? "" : ", ") + pairs_text(value.as_object());
  facts.add_row({"types", types});
  const std::string conditions = join(array_of(contract, "where"), ", ");
  if (!conditions.empty()) facts.add_row({"where", conditions});
  facts.add_row({"accumulation", text_of(contract, "accumulation")});
  facts.add_row({"determinism", text_of(contract, "determinism")});
  facts.add_row({"operations", text_of(contract, "flops")});
  facts.add_row({"least bytes", text_of(contract, "bytes")});
  facts.add_row({"tolerance", pairs_text(object_of(contract, "tolerance"))});
  for (const auto& [name, value] : object_of(contract, "rules")) {
    facts.add_row({std::string(name), value.is_string() ? std::string(value.as_string()) : ""});
  }
  std::cout << '\n';
  facts.print(std::cout);
  return kDone;
}

}  // namespace

Action define_contracts(CLI::App& app) {
  const auto options = std::make_shared<ContractsOptions>();
  app.add_flag("--json", options->as_json, "Print JSON (halyard.contracts/1)");
  CLI::App* const show = app.add_subcommand("show", "Show one contract");
  show->add_option("NAME", options->name, "The contract's name")->required();
  show->add_flag("--json", options->as_json, "Print the contract (halyard.contract/1)");
  return [options, show] {
    return show->parsed() ? show_contract(*options) : list_contracts(*options);
  };
}

}  // namespace halyard::command_line
