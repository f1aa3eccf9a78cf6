// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_store.h"
#include "runtime/base/result.h"

#include <memory>
#include <string>
#include <string_view>

namespace halyard::store {

// Opens a store. `url` is a path or "sqlite:<path>", "memory:" (forgotten at the end of the
// process), or "postgresql://…" (kUnsupported). An SQLite store is touched at its first use.
// Errors: kInvalidArgument for an unknown scheme.
base::Result<std::unique_ptr<KernelStore>> open_store(std::string_view url);

// A store in memory that stands in for one on disk; its condition holds `reason`.
std::unique_ptr<KernelStore> open_memory_store(std::string reason);

}  // namespace halyard::store
