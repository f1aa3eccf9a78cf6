// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <string_view>

namespace halyard::services {

// What a file that describes devices may be. Its name says nothing.
enum class FileKind {
  kAmdIsaXml,
  kZip,
  kDescriptor,
  kInstructionSet,
  kVulkanReport,   // of vulkan.gpuinfo.org
  kVulkanProfile,  // of the Khronos profiles schema
  kSpirvGrammar,
};

// "AMD's ISA XML", "a zip archive", …
const char* file_kind_name(FileKind kind);

// Tells the kind by the first bytes; of JSON, by its members.
// Errors: kCorruptData, naming the file, for an empty file, JSON that cannot be parsed, and
// anything else.
base::Result<FileKind> tell_file_kind(std::string_view bytes, std::string_view source_name);

}  // namespace halyard::services
