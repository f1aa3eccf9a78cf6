// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <memory>
#include <string>
#include <string_view>

namespace halyard::store {

// Where an export is written: all of it appears at finish(), or nothing. One thread at a time.
class ExportWriter {
 public:
  // What is written and not finished goes.
  virtual ~ExportWriter() = default;

  // `name` is one that entry_name_fault() has nothing against.
  virtual base::Status add(const std::string& name, std::string_view bytes) = 0;
  // Errors: kPermissionDenied where the path exists by now.
  virtual base::Status finish() = 0;
};

// A folder, or an archive for a name that ends as one. Errors: kPermissionDenied where `path`
// exists; kIoError.
base::Result<std::unique_ptr<ExportWriter>> create_export(const std::string& path);
base::Result<std::unique_ptr<ExportWriter>> create_archive(const std::string& path);
base::Result<std::unique_ptr<ExportWriter>> create_folder(const std::string& path);

}  // namespace halyard::store
