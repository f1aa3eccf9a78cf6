// SPDX-License-Identifier: Apache-2.0
#include "runtime/stewardship/promotion_evidence.h"

#include "runtime/base/text.h"

#include <utility>
#include <vector>

namespace halyard::stewardship {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;

constexpr std::size_t kLeastIdDigits = 8;
constexpr std::size_t kShownDigits = 16;

std::string short_id(const store::EvidenceRecord& record) {
  return store::digest_text(store::evidence_id(record)).substr(0, kShownDigits);
}

}  // namespace

Result<store::EvidenceRecord> find_evidence(store::KernelStore& store,
                                            const store::KernelId& kernel,
                                            std::string_view reference) {
  if (reference.size() < kLeastIdDigits) {
    return Error(
        ErrorCode::kInvalidArgument,
        concat("The evidence \"", reference, "\" has fewer than ", kLeastIdDigits, " digits."));
  }
  store::EvidenceQuery query;
  query.kernel = kernel;
  HALYARD_TRY_ASSIGN(std::vector<store::EvidenceRecord> records, store.find_evidence(query));
  store::EvidenceRecord* found = nullptr;
  for (store::EvidenceRecord& record : records) {
    if (!store::digest_text(store::evidence_id(record)).starts_with(reference)) continue;
    if (found != nullptr) {
      return Error(ErrorCode::kInvalidArgument,
                   concat("Several records of evidence begin with ", reference, "."));
    }
    found = &record;
  }
  if (found != nullptr) return std::move(*found);
  return Error(ErrorCode::kNotFound,
               concat("The store has no evidence ", reference, " of kernel ",
                      store::digest_text(kernel).substr(0, kShownDigits), "."));
}

std::optional<std::string> unfit_reason(const store::EvidenceRecord& record,
                                        std::string_view target,
                                        const store::DriverRange& drivers) {
  const std::string subject = concat("Evidence ", short_id(record));
  if (record.target != target) {
    return concat(subject, " is of target ", record.target, ", not of ", target, ".");
  }
  if (record.kind != store::EvidenceKind::kHardware) {
    return concat(subject, " is of kind ", store::evidence_kind_name(record.kind),
                  "; a promotion takes hardware evidence.");
  }
  if (record.verdict != store::Verdict::kPass) {
    return concat(subject, " is of a failure: ", record.message);
  }
  if (!drivers.contains(record.driver)) {
    return concat(subject, " is of driver ", record.driver, ", which is not among ",
                  store::driver_range_text(drivers), ".");
  }
  return std::nullopt;
}

Result<store::EvidenceRecord> promotion_evidence(store::KernelStore& store,
                                                 const store::KernelId& kernel,
                                                 std::string_view target,
                                                 const store::DriverRange& drivers,
                                                 const std::optional<std::string>& asked) {
  if (asked) {
    HALYARD_TRY_ASSIGN(store::EvidenceRecord record, find_evidence(store, kernel, *asked));
    if (auto reason = unfit_reason(record, target, drivers)) {
      return Error(ErrorCode::kPermissionDenied, std::move(*reason));
    }
    return record;
  }
  store::EvidenceQuery query;
  query.kernel = kernel;
  query.target = std::string(target);
  HALYARD_TRY_ASSIGN(std::vector<store::EvidenceRecord> records, store.find_evidence(query));
  std::optional<std::string> best_reason;
  bool is_telling = false;
  for (store::EvidenceRecord& record : records) {
    auto reason = unfit_reason(record, target, drivers);
    if (!reason) return std::move(record);
    // Every kernel that ran has self-tests; why another record does not do tells more.
    const bool tells_more = record.kind != store::EvidenceKind::kSelfTest && !is_telling;
    if (!best_reason || tells_more) best_reason = std::move(reason);
    is_telling = is_telling || tells_more;
  }
  return Error(ErrorCode::kPermissionDenied,
               best_reason ? std::move(*best_reason)
                           : concat("The store has no evidence of kernel ",
                                    store::digest_text(kernel).substr(0, kShownDigits), " on ",
                                    target, "; a promotion takes hardware evidence."));
}

}  // namespace halyard::stewardship
