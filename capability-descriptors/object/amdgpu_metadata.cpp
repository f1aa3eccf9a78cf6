// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/object/amdgpu_metadata.h"

#include "capability-descriptors/object/message_pack.h"
#include "runtime/base/json.h"
#include "runtime/base/text.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <limits>
#include <utility>

namespace halyard::object {
namespace {

namespace json = boost::json;

using base::concat;
using base::JsonObject;
using base::Result;

constexpr base::IntegerRange kSize = {0, std::numeric_limits<std::int64_t>::max()};
constexpr base::IntegerRange kCount = {0, std::numeric_limits<std::uint32_t>::max()};

Result<std::uint64_t> size_of(const JsonObject& object, std::string_view name) {
  HALYARD_TRY_ASSIGN(const std::int64_t value, object.optional_integer(name, 0, kSize));
  return static_cast<std::uint64_t>(value);
}

Result<std::uint32_t> count_of(const JsonObject& object, std::string_view name) {
  HALYARD_TRY_ASSIGN(const std::int64_t value, object.optional_integer(name, 0, kCount));
  return static_cast<std::uint32_t>(value);
}

Result<KernelArgument> read_argument(const JsonObject& object) {
  KernelArgument argument;
  HALYARD_TRY_ASSIGN(argument.name, object.optional_string(".name", ""));
  HALYARD_TRY_ASSIGN(argument.type_name, object.optional_string(".type_name", ""));
  HALYARD_TRY_ASSIGN(argument.value_kind, object.required_string(".value_kind"));
  HALYARD_TRY_ASSIGN(argument.address_space, object.optional_string(".address_space", ""));
  HALYARD_TRY_ASSIGN(argument.access, object.optional_string(".access", ""));
  HALYARD_TRY_ASSIGN(argument.offset, size_of(object, ".offset"));
  HALYARD_TRY_ASSIGN(argument.size_bytes, size_of(object, ".size"));
  return argument;
}

Result<std::optional<std::array<std::uint32_t, 3>>> read_workgroup_size(const JsonObject& object) {
  constexpr std::string_view kName = ".reqd_workgroup_size";
  HALYARD_TRY_ASSIGN(const json::array* const sizes, object.optional_array(kName));
  if (sizes == nullptr) return std::optional<std::array<std::uint32_t, 3>>();
  std::array<std::uint32_t, 3> result{};
  if (sizes->size() != result.size()) {
    return object.error(kName, concat("has ", sizes->size(), " elements, not 3"));
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    json::error_code failure;
    result[i] = (*sizes)[i].to_number<std::uint32_t>(failure);
    if (failure) return object.error(kName, concat("has no 32-bit number at ", i));
  }
  return std::optional(result);
}

Result<KernelMetadata> read_kernel(const JsonObject& object) {
  KernelMetadata kernel;
  HALYARD_TRY_ASSIGN(kernel.name, object.required_string(".name"));
  HALYARD_TRY_ASSIGN(kernel.symbol, object.required_string(".symbol"));
  HALYARD_TRY_ASSIGN(kernel.kernarg_segment_bytes, size_of(object, ".kernarg_segment_size"));
  HALYARD_TRY_ASSIGN(kernel.kernarg_segment_alignment, size_of(object, ".kernarg_segment_align"));
  HALYARD_TRY_ASSIGN(kernel.group_segment_bytes, size_of(object, ".group_segment_fixed_size"));
  HALYARD_TRY_ASSIGN(kernel.private_segment_bytes, size_of(object, ".private_segment_fixed_size"));
  HALYARD_TRY_ASSIGN(kernel.wavefront_size, count_of(object, ".wavefront_size"));
  HALYARD_TRY_ASSIGN(kernel.sgpr_count, count_of(object, ".sgpr_count"));
  HALYARD_TRY_ASSIGN(kernel.vgpr_count, count_of(object, ".vgpr_count"));
  HALYARD_TRY_ASSIGN(kernel.agpr_count, count_of(object, ".agpr_count"));
  HALYARD_TRY_ASSIGN(kernel.sgpr_spill_count, count_of(object, ".sgpr_spill_count"));
  HALYARD_TRY_ASSIGN(kernel.vgpr_spill_count, count_of(object, ".vgpr_spill_count"));
  HALYARD_TRY_ASSIGN(kernel.max_flat_workgroup_size, count_of(object, ".max_flat_workgroup_size"));
  HALYARD_TRY_ASSIGN(kernel.required_workgroup_size, read_workgroup_size(object));
  HALYARD_TRY_ASSIGN(kernel.uses_dynamic_stack,
                     object.optional_boolean(".uses_dynamic_stack", false));
  HALYARD_TRY_ASSIGN(const auto arguments, object.optional_objects(".args"));
  for (const JsonObject& argument : arguments) {
    HALYARD_TRY_ASSIGN(KernelArgument read, read_argument(argument));
    kernel.arguments.push_back(std::move(read));
  }
  return kernel;
}

// A text that YAML reads as a text needs no quotes when it looks like a name.
bool is_plain(std::string_view text) {
  if (text.empty() || (text.front() >= '0' && text.front() <= '9')) return false;
  for (const char c : text) {
    const bool name = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!name && c != '_' && c != '.' && c != '$' && c != '-') return false;
  }
  constexpr std::array<std::string_view, 8> kWords = {"true", "false", "null", "yes",
                                                      "no",   "on",    "off",  "y"};
  for (const std::string_view word : kWords) {
    if (text == word) return false;
  }
  return text.front() != '-' && text != ".";
}

void append_quoted(std::string& out, std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      out += "\\x";
      out += kDigits[byte >> 4];
      out += kDigits[byte & 0xf];
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_scalar(std::string& out, const json::value& value) {
  if (value.is_string()) {
    const std::string_view text = value.get_string();
    if (is_plain(text)) {
      out += text;
    } else {
      append_quoted(out, text);
    }
  } else if (value.is_bool()) {
    base::append_text(out, value.get_bool());
  } else if (value.is_int64()) {
    base::append_text(out, value.get_int64());
  } else if (value.is_uint64()) {
    base::append_text(out, value.get_uint64());
  } else if (value.is_double()) {
    base::append_text(out, value.get_double());
  } else {
    out += value.is_array() ? "[]" : value.is_object() ? "{}" : "null";
  }
}

bool has_lines(const json::value& value) {
  return (value.is_array() && !value.get_array().empty()) ||
         (value.is_object() && !value.get_object().empty());
}

// The lines of a map or an array. The first continues a line that has `indent` columns already.
void append_lines(std::string& out, const json::value& value, std::size_t indent) {
  bool first = true;
  const auto start_line = [&] {
    if (!first) out.append(indent, ' ');
    first = false;
  };
  if (value.is_array()) {
    for (const json::value& element : value.get_array()) {
      start_line();
      out += "- ";
      if (has_lines(element)) {
        append_lines(out, element, indent + 2);
        continue;
      }
      append_scalar(out, element);
      out += '\n';
    }
    return;
  }
  for (const auto& member : value.get_object()) {
    start_line();
    append_scalar(out, json::value(member.key()));
    out += ':';
    if (has_lines(member.value())) {
      out += '\n';
      out.append(indent + 2, ' ');
      append_lines(out, member.value(), indent + 2);
      continue;
    }
    out += ' ';
    append_scalar(out, member.value());
    out += '\n';
  }
}

}  // namespace

Result<AmdgpuMetadata> parse_amdgpu_metadata(std::string_view bytes, std::string_view source_name) {
  AmdgpuMetadata metadata;
  HALYARD_TRY_ASSIGN(metadata.document, parse_message_pack(bytes, source_name));
  HALYARD_TRY_ASSIGN(const JsonObject whole, JsonObject::from(metadata.document, source_name));
  HALYARD_TRY_ASSIGN(metadata.target, whole.optional_string("amdhsa.target", ""));
  HALYARD_TRY_ASSIGN(const auto kernels, whole.optional_objects("amdhsa.kernels"));
  for (const JsonObject& object : kernels) {
    HALYARD_TRY_ASSIGN(KernelMetadata kernel, read_kernel(object));
    metadata.kernels.push_back(std::move(kernel));
  }
  return metadata;
}

std::string metadata_text(const json::value& document) {
  std::string out;
  if (has_lines(document)) {
    append_lines(out, document, 0);
  } else {
    append_scalar(out, document);
    out += '\n';
  }
  return out;
}

}  // namespace halyard::object
