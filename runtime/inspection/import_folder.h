// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/inspection/catalog.h"

#include <chrono>
#include <string>
#include <vector>

namespace halyard::services {

// A document that was put into a folder.
struct StoredDocument {
  std::string id;
  std::string path;
  bool replaced = false;  // there was one with this id
};

// Puts documents into `folder`, where DescriptorCatalog finds them: each is written and flushed
// beside its place before the first takes its place, so that a full disk leaves all of the old
// ones, and a process that is killed leaves of each the old or the new. Another process that
// imports into the folder is waited for.
// Errors: kInvalidArgument for an id that is no name of a file; kCorruptData for a document that
// the catalog would not read; kUnavailable where the other import does not end in `patience`; those
// of base::StagedFile.
base::Result<std::vector<StoredDocument>> store_documents(
    const std::string& folder, const std::vector<const Subject*>& documents,
    std::chrono::milliseconds patience = std::chrono::seconds(10));

}  // namespace halyard::services
