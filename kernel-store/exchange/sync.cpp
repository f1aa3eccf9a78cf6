// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/sync.h"

#include "kernel-store/exchange/admission.h"
#include "kernel-store/exchange/entry_name.h"
#include "runtime/base/text.h"

#include <utility>

namespace halyard::store {
namespace {

using base::concat;
using base::ErrorCode;
using base::Result;
using base::Status;

bool is_about_the_record(ErrorCode code) {
  return code == ErrorCode::kCorruptData || code == ErrorCode::kInvalidArgument;
}

// What `from` holds of a kernel; nothing when its record is damaged.
Result<std::optional<ArrivingKernel>> load_kernel(KernelStore& from, const KernelId& id) {
  HALYARD_TRY_ASSIGN(std::optional<KernelPackage> package, from.get_kernel(id));
  if (!package || package->id != id) return std::optional<ArrivingKernel>();
  ArrivingKernel kernel;
  kernel.package = std::move(*package);
  HALYARD_TRY_ASSIGN(kernel.builds, from.find_builds(id));
  HALYARD_TRY_ASSIGN(kernel.evidence, from.find_evidence({id, {}, {}, {}, {}, {}}));
  HALYARD_TRY_ASSIGN(kernel.approvals, from.approvals().find_approvals(id));
  HALYARD_TRY_ASSIGN(kernel.history, from.states(id, {}));
  return std::optional<ArrivingKernel>(std::move(kernel));
}

Status sync_kernel(KernelStore& from, const KernelSummary& summary, Admission& admission,
                   ExchangeReport& report) {
  const auto leave_out = [&](std::string_view why) {
    report.note(concat("Kernel \"", shown_name(summary.name), "\" (",
                       digest_text(summary.id).substr(0, 16), ") is left out: ", why));
    return base::ok();
  };
  Result<std::optional<ArrivingKernel>> kernel = load_kernel(from, summary.id);
  if (!kernel) {
    if (!is_about_the_record(kernel.error().code())) return kernel.error();
    return leave_out(kernel.error().message());
  }
  if (!*kernel) return leave_out("its record is damaged.");
  // An approval that does not hold leaves the rest of what is said of its kernel.
  std::erase_if((*kernel)->approvals, [&](const SignedApproval& approval) {
    const Status checked = check_arriving_approval((*kernel)->package, approval);
    if (!checked) report.note(checked.error().message());
    return !checked;
  });
  if (const Status checked = check_arriving(**kernel); !checked) {
    return leave_out(checked.error().message());
  }
  const BlobSource blobs = [&](const Digest& blob) -> Result<std::optional<std::string>> {
    HALYARD_TRY_ASSIGN(const auto bytes, from.get_blob(blob));
    if (!bytes) return std::optional<std::string>();
    return std::optional<std::string>(std::in_place, reinterpret_cast<const char*>(bytes->data()),
                                      bytes->size());
  };
  return admission.admit(**kernel, blobs);
}

}  // namespace

Result<ExchangeReport> sync_stores(KernelStore& from, SourceTrust source, KernelStore& to,
                                   const TrustList& trust, std::int64_t now_ms) {
  HALYARD_TRY_ASSIGN(const std::vector<KernelSummary> kernels, from.list_kernels({}));
  ExchangeReport report;
  Admission admission(to, trust, now_ms, source == SourceTrust::kOwn, report);
  for (const KernelSummary& summary : kernels)
    HALYARD_TRY(sync_kernel(from, summary, admission, report));
  return report;
}

}  // namespace halyard::store
