// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/exchange/exchange_report.h"
#include "kernel-store/kernel_store.h"
#include "kernel-store/trust/trust_list.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace halyard::store {

// What an export may hold; more is refused before it is read.
inline constexpr std::uint64_t kMaxManifestBytes = std::uint64_t{64} << 20;
inline constexpr std::uint64_t kMaxObjectBytes = std::uint64_t{256} << 20;
inline constexpr std::uint64_t kMaxExportBytes = std::uint64_t{4} << 30;
inline constexpr std::uint64_t kMaxObjects = std::uint64_t{1} << 18;

// Whether a name ends as that of an archive: .tar, .tar.gz, .tgz or .tar.zst.
bool is_archive_name(std::string_view path);
// Whether `path` is an export: an archive by its name, or a folder that holds manifest.json.
bool is_export(const std::string& path);

// Takes over what export_store() wrote. All of it is read, hashed, parsed and checked before the
// first record is stored, so what is refused leaves nothing; what is cut later is completed by
// doing it again. Foreign history is a claim: a state is added only where an approval of a trusted
// key backs it, whose name is then who said so, and never over a quarantine or retirement of this
// store. Evidence and binaries come along where an approval of a trusted key names them, or where
// one that may say verified signed the export; self-tests never do. What else is there is left out
// with a note. Nothing is created but the store's records.
//
// Errors: kCorruptData and kPermissionDenied, one sentence that names the entry; those of the
// store.
base::Result<ExchangeReport> import_store(KernelStore& store, const std::string& path,
                                          const TrustList& trust, std::int64_t now_ms);

}  // namespace halyard::store
