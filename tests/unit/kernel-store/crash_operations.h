// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_store.h"
#include "tests/unit/kernel-store/fault_vfs.h"

#include <functional>
#include <string>
#include <vector>

namespace halyard::store::testing {

// One use of a store that a crash can meet.
struct CrashOperation {
  std::string name;
  // The disk that it begins with, which holds `path` or nothing.
  std::function<FaultDisk(FaultVfs&, const std::string& path, bool has_shared_memory)> begin;
  std::function<base::Status(KernelStore&)> run;
};

std::vector<CrashOperation> crash_operations();

// All rows of the file, without times, after SQLite's own check of it; "damaged: ..." when it has
// something to say. Opens and closes the file.
std::string contents_of(const std::string& path);

// Blobs that nothing names, and names of blobs that are not there.
std::int64_t orphans_in(const std::string& path);

}  // namespace halyard::store::testing
