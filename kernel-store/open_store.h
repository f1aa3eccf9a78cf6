// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_store.h"
#include "runtime/base/result.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace halyard::store {

// Opens a store. `url` is a path or "sqlite:<path>", "memory:" (forgotten at the end of the
// process), or "postgresql://…" (kUnsupported). An SQLite store is touched at its first use.
// Errors: kInvalidArgument for an unknown scheme.
base::Result<std::unique_ptr<KernelStore>> open_store(std::string_view url);

// The user's own store, $XDG_DATA_HOME/halyard/store.sqlite, given the two variables; without
// either a store in memory that says why.
std::unique_ptr<KernelStore> open_default_store(const std::optional<std::string>& xdg_data_home,
                                                const std::optional<std::string>& home);

}  // namespace halyard::store
