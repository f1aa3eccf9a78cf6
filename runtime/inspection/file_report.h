// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/inspection/catalog.h"

#include <string>

namespace halyard::services {

// The "halyard.descriptor_check/1" document of a file: what import_file() would store, with counts,
// what the file names and does not define, and what a reader would look for and not find. Nothing
// is stored, and nothing is corrected.
// Errors: those of read_descriptor_file.
base::Result<std::string> check_file(const std::string& path);

// Puts what a file holds into the catalog's folder of imports, corrected as the shipped corrections
// say, and gives the "halyard.descriptor_import/1" document: as check_file(), and where each
// document lies.
// Errors: those of read_descriptor_file and store_documents, and then nothing has changed.
base::Result<std::string> import_file(const Catalog& catalog, const std::string& path);

}  // namespace halyard::services
