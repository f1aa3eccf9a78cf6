// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/import.h"

#include "kernel-store/exchange/admission.h"
#include "kernel-store/exchange/entry_name.h"
#include "kernel-store/exchange/import_entries.h"
#include "kernel-store/exchange/staged_export.h"
#include "kernel-store/trust/public_key.h"
#include "runtime/base/text.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <utility>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

constexpr auto kArchiveEndings =
    std::to_array<std::string_view>({".tar", ".tar.gz", ".tgz", ".tar.zst"});

// Whether a trusted key vouches for all that the export holds; else why not, as a note.
bool is_vouched_for(const StagedExport& staged, const TrustList& trust, std::int64_t now_ms,
                    ExchangeReport& report) {
  if (!staged.signer()) return false;
  const TrustedKey* const key = trust.find(*staged.signer());
  const auto refuse = [&](std::string_view why) {
    report.note(concat("The export is signed by key ", public_key_text(*staged.signer()), ", ", why,
                       ", so its signature adds nothing."));
    return false;
  };
  if (key == nullptr) return refuse("which is not trusted");
  if (now_ms < key->not_before_ms) return refuse("which is not trusted yet");
  if (key->expires_ms != 0 && now_ms >= key->expires_ms) {
    return refuse("the trust in which has ended");
  }
  if (!key->may(KernelState::kVerified)) return refuse("which may not say verified");
  report.signer = key->label;
  return true;
}

Status check_writable(KernelStore& store) {
  HALYARD_TRY_ASSIGN(const StoreCondition condition, store.condition());
  if (condition.mode != StoreCondition::Mode::kReadOnly) return base::ok();
  return Error(
      ErrorCode::kPermissionDenied,
      concat("The store ", store.url(), " takes no records: it is read-only. ", condition.reason));
}

}  // namespace

bool is_archive_name(std::string_view path) {
  return std::any_of(kArchiveEndings.begin(), kArchiveEndings.end(),
                     [&](std::string_view end) { return path.ends_with(end); });
}

bool is_export(const std::string& path) {
  const bool is_archive = is_archive_name(path);
  struct stat facts = {};
  if (::stat(path.c_str(), &facts) != 0) return is_archive;
  if (!S_ISDIR(facts.st_mode)) return is_archive;
  return ::stat(concat(path, '/', kManifestName).c_str(), &facts) == 0;
}

Result<ExchangeReport> import_entries(KernelStore& store, EntrySource& source,
                                      const std::string& path, const TrustList& trust,
                                      std::int64_t now_ms) {
  HALYARD_TRY_ASSIGN(const StagedExport staged, StagedExport::read(source, path));
  // All before the first is stored.
  for (const ManifestKernel& entry : staged.manifest().kernels)
    HALYARD_TRY(staged.kernel(entry));
  ExchangeReport report;
  const bool vouched = is_vouched_for(staged, trust, now_ms, report);
  Admission admission(store, trust, now_ms, vouched, report);
  const BlobSource blobs = [&](const Digest& blob) -> Result<std::optional<std::string>> {
    HALYARD_TRY_ASSIGN(std::string bytes, staged.object(blob));
    return std::optional<std::string>(std::move(bytes));
  };
  for (const ManifestKernel& entry : staged.manifest().kernels) {
    HALYARD_TRY_ASSIGN(const ArrivingKernel kernel, staged.kernel(entry));
    HALYARD_TRY(admission.admit(kernel, blobs));
  }
  return report;
}

Result<ExchangeReport> import_store(KernelStore& store, const std::string& path,
                                    const TrustList& trust, std::int64_t now_ms) {
  HALYARD_TRY(check_writable(store));
  HALYARD_TRY_ASSIGN(const std::unique_ptr<EntrySource> source, open_entries(path));
  return import_entries(store, *source, path, trust, now_ms);
}

}  // namespace halyard::store
