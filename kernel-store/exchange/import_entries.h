// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/exchange/entry_source.h"
#include "kernel-store/exchange/import.h"

#include <cstdint>
#include <string>

namespace halyard::store {

// import_store() of what `source` gives; `path` is for messages.
base::Result<ExchangeReport> import_entries(KernelStore& store, EntrySource& source,
                                            const std::string& path, const TrustList& trust,
                                            std::int64_t now_ms);

}  // namespace halyard::store
