// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/file_kind.h"

#include "runtime/base/json.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <boost/json/object.hpp>
#include <cstddef>
#include <string>

namespace halyard::services {
namespace {

namespace json = boost::json;
using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;

constexpr std::string_view kZipStart = "PK\x03\x04";
constexpr std::string_view kEmptyZipStart = "PK\x05\x06";
constexpr std::size_t kLargestJsonBytes = std::size_t{64} << 20;

// The text behind a byte order mark of UTF-8 and blanks.
std::string_view skip_blanks(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

// XML in an encoding of two or four bytes a character, which its reader refuses with a better
// sentence than "unknown".
bool is_wide_xml(std::string_view bytes) {
  const std::string_view start = bytes.substr(0, 8);
  const bool marked = start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff");
  return marked ||
         (start.find('<') != std::string_view::npos && start.find('\0') != std::string_view::npos);
}

bool has_all(const json::object& object, std::initializer_list<const char*> names) {
  return std::all_of(names.begin(), names.end(),
                     [&](const char* name) { return object.contains(name); });
}

Result<FileKind> kind_of_format(const json::string& format, std::string_view source_name) {
  if (format.starts_with("halyard.descriptor/")) return FileKind::kDescriptor;
  if (format.starts_with("halyard.instruction_set/")) return FileKind::kInstructionSet;
  return Error(ErrorCode::kCorruptData, concat(source_name, ": /format is \"", std::string(format),
                                               "\", neither a descriptor nor an instruction set."));
}

Result<FileKind> kind_of_json(std::string_view text, std::string_view source_name) {
  HALYARD_TRY_ASSIGN(const json::value document,
                     base::parse_json(text, source_name, {.size_bytes = kLargestJsonBytes}));
  const json::object* const object = document.if_object();
  if (object != nullptr) {
    const json::value* const format = object->if_contains("format");
    if (format != nullptr && format->is_string()) {
      return kind_of_format(format->get_string(), source_name);
    }
    if (has_all(*object, {"instructions", "operand_kinds", "magic_number"})) {
      return FileKind::kSpirvGrammar;
    }
    if (has_all(*object, {"$schema", "profiles", "capabilities"})) {
      return FileKind::kVulkanProfile;
    }
    if (has_all(*object, {"environment", "properties", "queues", "memory"})) {
      return FileKind::kVulkanReport;
    }
  }
  return Error(ErrorCode::kCorruptData,
               concat(source_name,
                      " is JSON, but no descriptor, instruction set, Vulkan report, "
                      "Vulkan profile or SPIR-V grammar."));
}

}  // namespace

const char* file_kind_name(FileKind kind) {
  switch (kind) {
    case FileKind::kAmdIsaXml:
      return "AMD's ISA XML";
    case FileKind::kZip:
      return "a zip archive";
    case FileKind::kDescriptor:
      return "a descriptor";
    case FileKind::kInstructionSet:
      return "an instruction set";
    case FileKind::kVulkanReport:
      return "a report of vulkan.gpuinfo.org";
    case FileKind::kVulkanProfile:
      return "a Khronos Vulkan profile";
    case FileKind::kSpirvGrammar:
      return "a SPIR-V grammar";
  }
  return "unknown";
}

Result<FileKind> tell_file_kind(std::string_view bytes, std::string_view source_name) {
  if (bytes.starts_with(kZipStart) || bytes.starts_with(kEmptyZipStart)) return FileKind::kZip;
  const std::string_view text = skip_blanks(bytes);
  if (text.starts_with('<') || is_wide_xml(bytes)) return FileKind::kAmdIsaXml;
  if (text.starts_with('{') || text.starts_with('[')) return kind_of_json(bytes, source_name);
  if (text.empty()) {
    return Error(ErrorCode::kCorruptData, concat("The file ", source_name, " is empty."));
  }
  return Error(ErrorCode::kCorruptData,
               concat("The file ", source_name, " is neither XML, JSON nor a zip archive."));
}

}  // namespace halyard::services
