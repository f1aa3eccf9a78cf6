// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/descriptor_json.h"
#include "runtime/base/canonical_json.h"
#include "runtime/base/text.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cmath>

namespace halyard::descriptors {
namespace {

namespace json = boost::json;
using base::line_json;

json::string text_of(std::string_view text) {
  return json::string(text.data(), text.size());
}

json::array texts_of(const std::vector<std::string>& texts) {
  json::array array;
  for (const std::string& text : texts)
    array.push_back(text_of(text));
  return array;
}

void add_text(json::object& object, std::string_view key, const std::string& text) {
  if (!text.empty()) object.emplace(json::string_view(key.data(), key.size()), text_of(text));
}

// Whole numbers without fraction or exponent, as far as a double holds them exactly.
json::value number_of(double number) {
  constexpr double kExact = 0x1p53;
  if (number == std::floor(number) && std::fabs(number) <= kExact) {
    return static_cast<std::int64_t>(number);
  }
  return number;
}

json::object to_json(const Capability& capability) {
  json::object object;
  switch (capability.kind) {
    case CapabilityKind::kFlag:
      object["value"] = capability.number != 0;
      break;
    case CapabilityKind::kNumber:
      object["value"] = number_of(capability.number);
      object["unit"] = text_of(capability.unit);
      break;
    case CapabilityKind::kText:
      object["value"] = text_of(capability.text);
      break;
  }
  object["origin"] = text_of(capability_origin_name(capability.origin));
  add_text(object, "source", capability.source);
  return object;
}

json::object to_json(const DescriptorSource& source) {
  json::object object;
  object["title"] = text_of(source.title);
  add_text(object, "url", source.url);
  add_text(object, "sha256", source.sha256);
  add_text(object, "date", source.date);
  add_text(object, "licence", source.licence);
  return object;
}

void add_layout(json::object& object, std::string_view key, const LaneLayout& layout) {
  if (layout.items == 0) return;
  json::object inner;
  inner["items"] = layout.items;
  add_text(inner, "row", layout.row);
  add_text(inner, "column", layout.column);
  add_text(inner, "block", layout.block);
  object.emplace(json::string_view(key.data(), key.size()), std::move(inner));
}

json::object to_json(const MatrixOperation& operation) {
  json::object object;
  object["instruction"] = text_of(operation.instruction);
  object["m"] = operation.m;
  object["n"] = operation.n;
  object["k"] = operation.k;
  if (operation.blocks != 1) object["blocks"] = operation.blocks;
  object["a_type"] = text_of(operation.a_type);
  object["b_type"] = text_of(operation.b_type);
  object["c_type"] = text_of(operation.c_type);
  if (operation.sparse) object["sparse"] = true;
  object["lanes"] = operation.lanes;
  if (operation.cycles) object["cycles"] = number_of(*operation.cycles);
  if (operation.operations_per_unit_clock) {
    object["operations_per_unit_clock"] = number_of(*operation.operations_per_unit_clock);
  }
  add_layout(object, "a", operation.a);
  add_layout(object, "b", operation.b);
  add_layout(object, "d", operation.d);
  object["origin"] = text_of(capability_origin_name(operation.origin));
  add_text(object, "source", operation.source);
  return object;
}

json::object to_json(const Note& note) {
  json::object object;
  object["topic"] = text_of(note.topic);
  object["text"] = text_of(note.text);
  add_text(object, "source", note.source);
  return object;
}

// Writes members over lines, one fact a line.
class DocumentWriter {
 public:
  void member(std::string_view name, const json::value& value) {
    begin_member(name);
    out_ += line_json(value);
  }

  // An array with one element a line.
  template <typename T>
  void lines(std::string_view name, const std::vector<T>& values) {
    if (values.empty()) return;
    begin_member(name);
    open('[');
    for (const T& value : values) {
      begin_element();
      out_ += line_json(to_json(value));
    }
    close(']');
  }

  void capabilities(const CapabilitySet& set) {
    begin_member("capabilities");
    open('{');
    for (const auto& [key, value] : set.all())
      member(key, to_json(value));
    close('}');
  }

  void products(const std::vector<Product>& products) {
    if (products.empty()) return;
    begin_member("products");
    open('[');
    for (const Product& product : products) {
      begin_element();
      open('{');
      member("name", text_of(product.name));
      if (!product.aliases.empty()) member("aliases", texts_of(product.aliases));
      if (!product.pci_ids.empty()) member("pci_ids", texts_of(product.pci_ids));
      capabilities(product.capabilities);
      close('}');
    }
    close(']');
  }

  void open(char bracket) {
    out_.push_back(bracket);
    ++depth_;
    first_ = true;
  }

  void close(char bracket) {
    --depth_;
    if (!first_) break_line();
    out_.push_back(bracket);
    first_ = false;
  }

  std::string take() && {
    out_.push_back('\n');
    return std::move(out_);
  }

 private:
  void begin_element() {
    if (!first_) out_.push_back(',');
    first_ = false;
    break_line();
  }

  void begin_member(std::string_view name) {
    begin_element();
    out_ += line_json(text_of(name));
    out_ += ": ";
  }

  void break_line() { out_.append("\n").append(2 * depth_, ' '); }

  std::string out_;
  std::size_t depth_ = 0;
  bool first_ = true;
};

}  // namespace

std::string write_descriptor(const Descriptor& descriptor) {
  DocumentWriter writer;
  writer.open('{');
  writer.member("format", text_of(kDescriptorFormat));
  writer.member("id", text_of(descriptor.id));
  writer.member("kind", text_of(descriptor_kind_name(descriptor.kind)));
  if (!descriptor.version.empty()) writer.member("version", text_of(descriptor.version));
  writer.member("name", text_of(descriptor.name));
  writer.member("vendor", text_of(descriptor.vendor));
  if (!descriptor.aliases.empty()) writer.member("aliases", texts_of(descriptor.aliases));
  if (!descriptor.targets.empty()) writer.member("targets", texts_of(descriptor.targets));
  if (!descriptor.instruction_set.empty()) {
    writer.member("instruction_set", text_of(descriptor.instruction_set));
  }
  writer.lines("sources", descriptor.sources);
  writer.capabilities(descriptor.capabilities);
  writer.lines("matrix_operations", descriptor.matrix_operations);
  writer.products(descriptor.products);
  writer.lines("notes", descriptor.notes);
  if (!descriptor.missing.empty()) writer.member("missing", texts_of(descriptor.missing));
  writer.close('}');
  return std::move(writer).take();
}

}  // namespace halyard::descriptors
