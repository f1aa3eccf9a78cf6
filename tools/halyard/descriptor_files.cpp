// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/descriptor_files.h"

#include "tools/halyard/command.h"
#include "tools/halyard/descriptor_catalog.h"
#include "tools/halyard/document.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <iostream>

namespace halyard::command_line {
namespace {

namespace json = boost::json;

// "46 encodings, 1269 instructions, …"
std::string counts_text(const json::object& counts) {
  std::string text;
  for (const auto& [name, value] : counts) {
    std::string words(name);
    for (char& character : words) {
      if (character == '_') character = ' ';
    }
    text += (text.empty() ? "" : ", ") + text_of(counts, std::string(name)) + " " + words;
  }
  return text;
}

void print_line(const char* name, const std::string& text) {
  constexpr std::size_t kNameWidth = 14;
  if (text.empty()) return;
  std::string title = name;
  title.resize(kNameWidth, ' ');
  std::cout << "  " << title << text << '\n';
}

// "AMD RDNA 4, imported, schema 1.1.1 of 2026-02-20"
std::string origin_text(const json::object& report) {
  std::string text = text_of(report, "name");
  const auto add = [&](const char* words, const std::string& value) {
    if (!value.empty()) text += words + value;
  };
  add(", ", text_of(report, "basis"));
  add(", schema ", text_of(report, "schema_version"));
  add(" of ", text_of(report, "date"));
  return text;
}

void print_report(const json::object& report) {
  std::cout << text_of(report, "id") << ": " << origin_text(report) << '\n';
  print_line("from", text_of(report, "source"));
  print_line("counts", counts_text(object_of(report, "counts")));
  print_line("note", text_of(report, "note"));
  print_line("corrections", join(array_of(report, "corrections"), ", "));
  print_line("not known", join(array_of(report, "missing"), ", "));
  print_line("stored in", text_of(report, "path"));
  const json::array& unresolved = array_of(report, "unresolved");
  if (unresolved.empty()) return;
  print_line("not resolved", std::to_string(unresolved.size()));
  for (const json::value& value : unresolved) {
    const json::object& entry = value.as_object();
    std::cout << "    " << text_of(entry, "path") << ": " << text_of(entry, "what") << '\n';
  }
}

int print_reports(const std::string& text, bool as_json) {
  if (as_json) {
    std::cout << text << '\n';
    return kDone;
  }
  const json::object document = parse_document(text, "The report on the file");
  std::cout << text_of(document, "file") << " is " << text_of(document, "file_kind") << ".\n";
  for (const json::value& value : array_of(document, "documents"))
    print_report(value.as_object());
  return kDone;
}

}  // namespace

int import_file(const std::string& path, bool as_json) {
  const DescriptorCatalog catalog = DescriptorCatalog::open();
  return print_reports(read_document(halyard_descriptor_import, catalog.get(), path.c_str()),
                       as_json);
}

int check_file(const std::string& path, bool as_json) {
  return print_reports(read_document(halyard_descriptor_check, path.c_str()), as_json);
}

}  // namespace halyard::command_line
