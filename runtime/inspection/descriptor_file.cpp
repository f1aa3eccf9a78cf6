// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/descriptor_file.h"

#include "capability-descriptors/descriptor_json.h"
#include "capability-descriptors/isa/instruction_set_json.h"
#include "capability-descriptors/isa/isa_file.h"
#include "capability-descriptors/isa/spirv_grammar.h"
#include "capability-descriptors/lane_layout.h"
#include "capability-descriptors/vulkan_report.h"
#include "runtime/base/file.h"
#include "runtime/base/text.h"

#include <cstddef>
#include <string_view>
#include <utility>

namespace halyard::services {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using descriptors::Descriptor;

constexpr std::size_t kLargestFileBytes = std::size_t{256} << 20;

std::string file_name_of(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

Result<std::vector<FileDocument>> read_vendor_file(const std::string& path) {
  HALYARD_TRY_ASSIGN(std::vector<isa::InstructionSet> sets, isa::read_isa_file(path));
  std::vector<FileDocument> documents;
  for (isa::InstructionSet& set : sets) {
    std::string source = set.sources.empty() ? file_name_of(path) : set.sources.front().title;
    documents.push_back({Subject(std::move(set)), std::move(source)});
  }
  return documents;
}

template <typename Content>
Result<Subject> subject_of(Result<Content> content) {
  if (!content) return std::move(content.error());
  return Subject(std::move(*content));
}

Result<Descriptor> read_descriptor(std::string_view text, std::string_view source) {
  HALYARD_TRY_ASSIGN(Descriptor descriptor, descriptors::parse_descriptor(text, source));
  HALYARD_TRY(descriptors::check_lane_layouts(descriptor));
  return descriptor;
}

Result<Subject> read_document(FileKind kind, std::string_view text, std::string_view source) {
  switch (kind) {
    case FileKind::kInstructionSet:
      return subject_of(isa::parse_instruction_set(text, source));
    case FileKind::kDescriptor:
      return subject_of(read_descriptor(text, source));
    case FileKind::kVulkanReport:
      return subject_of(descriptors::read_vulkan_report(text, source));
    case FileKind::kVulkanProfile:
      return subject_of(descriptors::read_vulkan_profile(text, source));
    case FileKind::kSpirvGrammar:
      return subject_of(isa::read_spirv_grammar(text, source));
    case FileKind::kAmdIsaXml:
    case FileKind::kZip:
      break;
  }
  return Error(ErrorCode::kUnsupported,
               concat("The file ", source, " is ", file_kind_name(kind), ", which is not read."));
}

}  // namespace

Result<DescriptorFile> read_descriptor_file(const std::string& path) {
  HALYARD_TRY_ASSIGN(const std::string bytes, base::read_text_file(path, kLargestFileBytes));
  const std::string name = file_name_of(path);
  DescriptorFile file;
  HALYARD_TRY_ASSIGN(file.kind, tell_file_kind(bytes, name));
  if (file.kind == FileKind::kAmdIsaXml || file.kind == FileKind::kZip) {
    HALYARD_TRY_ASSIGN(file.documents, read_vendor_file(path));
    return file;
  }
  HALYARD_TRY_ASSIGN(Subject subject, read_document(file.kind, bytes, name));
  file.documents.push_back({std::move(subject), name});
  return file;
}

}  // namespace halyard::services
