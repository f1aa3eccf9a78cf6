// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/inspection/catalog.h"
#include "runtime/inspection/file_kind.h"

#include <string>
#include <vector>

namespace halyard::services {

// One descriptor or instruction set that a file holds, as the file says it.
struct FileDocument {
  Subject subject;
  std::string source;  // the name of the file, or of the entry of an archive
};

struct DescriptorFile {
  FileKind kind = FileKind::kDescriptor;
  std::vector<FileDocument> documents;  // at least one; ids are unique
};

// Reads what describes devices; its content says what it is.
// Errors: those of base::read_file; kCorruptData, naming the file, the place and the limit.
base::Result<DescriptorFile> read_descriptor_file(const std::string& path);

}  // namespace halyard::services
