// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/exchange/exchange_report.h"
#include "kernel-store/kernel_store.h"
#include "kernel-store/trust/trust_list.h"
#include "runtime/base/result.h"

#include <cstdint>

namespace halyard::store {

// Whose records a store holds.
enum class SourceTrust : std::uint8_t {
  kForeign,  // Evidence and binaries come along where an approval of a trusted key names them.
  kOwn,      // The caller vouches for them: for the own store, to another one.
};

// Copies what `from` has and `to` lacks, with the checks of import_store() on each record. A record
// that does not pass is left out with a note, and the others go on. For both directions call it
// twice.
base::Result<ExchangeReport> sync_stores(KernelStore& from, SourceTrust source, KernelStore& to,
                                         const TrustList& trust, std::int64_t now_ms);

}  // namespace halyard::store
