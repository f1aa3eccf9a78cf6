// SPDX-License-Identifier: Apache-2.0
#include "halyard/services/store.h"

#include "kernel-store/exchange/export.h"
#include "kernel-store/exchange/sync.h"
#include "runtime/stewardship/handles.h"
#include "runtime/stewardship/kernel_list.h"
#include "runtime/stewardship/package_import.h"
#include "runtime/stewardship/state_order.h"
#include "runtime/stewardship/store_documents.h"

#include <chrono>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace base = halyard::base;
namespace store = halyard::store;
namespace stewardship = halyard::stewardship;
using stewardship::make_document;
using stewardship::optional_text;

base::Result<stewardship::StateAction> action_of(std::uint32_t action) {
  switch (action) {
    case HALYARD_STATE_ACTION_PROMOTE:
      return stewardship::StateAction::kPromote;
    case HALYARD_STATE_ACTION_QUARANTINE:
      return stewardship::StateAction::kQuarantine;
    case HALYARD_STATE_ACTION_RETIRE:
      return stewardship::StateAction::kRetire;
    case HALYARD_STATE_ACTION_ROLL_BACK:
      return stewardship::StateAction::kRollBack;
    default:
      return base::invalid_argument(base::concat("There is no state action number ", action, "."));
  }
}

constexpr std::size_t kMaxNameBytes = 256;
constexpr std::size_t kMaxReasonBytes = 4096;

base::Result<stewardship::StateOrder> order_of(const halyard_state_desc& desc) {
  HALYARD_TRY(base::require_not_null(desc.kernel, "desc.kernel"));
  HALYARD_TRY(base::require_not_null(desc.target, "desc.target"));
  stewardship::StateOrder order;
  HALYARD_TRY_ASSIGN(order.action, action_of(desc.action));
  order.kernel = desc.kernel;
  order.target = desc.target;
  if (desc.first_driver != nullptr || desc.last_driver != nullptr) {
    order.drivers.emplace();
    HALYARD_TRY_ASSIGN(
        order.drivers->first,
        stewardship::kept_text(desc.first_driver, kMaxNameBytes, "desc.first_driver"));
    HALYARD_TRY_ASSIGN(order.drivers->last,
                       stewardship::kept_text(desc.last_driver, kMaxNameBytes, "desc.last_driver"));
  }
  HALYARD_TRY_ASSIGN(order.where,
                     stewardship::texts_of(desc.where, desc.where_count, "desc.where"));
  if (desc.share_percent != 0) order.share_percent = desc.share_percent;
  order.evidence = optional_text(desc.evidence);
  HALYARD_TRY_ASSIGN(order.who, stewardship::kept_text(desc.who, kMaxNameBytes, "desc.who"));
  HALYARD_TRY_ASSIGN(order.why, stewardship::kept_text(desc.why, kMaxReasonBytes, "desc.why"));
  HALYARD_TRY_ASSIGN(order.approval_expires_ms,
                     stewardship::days_from_now_ms(desc.approval_days, "desc.approval_days"));
  return order;
}

base::Result<store::ExportSelection> selection_of(const halyard_store& opened,
                                                  const halyard_export_desc& desc) {
  store::ExportSelection selection;
  HALYARD_TRY_ASSIGN(const std::vector<std::string> names,
                     stewardship::texts_of(desc.kernels, desc.kernel_count, "desc.kernels"));
  for (const std::string& name : names) {
    HALYARD_TRY_ASSIGN(const auto kernel, stewardship::find_kernel(opened.stewarded, name));
    selection.kernels.push_back(kernel.id);
  }
  selection.contract = optional_text(desc.contract).value_or("");
  selection.target = optional_text(desc.target).value_or("");
  return selection;
}

base::Result<std::string> sync(const halyard_store& opened, const char* url,
                               std::uint32_t direction) {
  if (direction > HALYARD_SYNC_DIRECTION_PUSH) {
    return base::invalid_argument(base::concat("There is no direction number ", direction, "."));
  }
  HALYARD_TRY_ASSIGN(const auto other, stewardship::open_by_url(url));
  HALYARD_TRY_ASSIGN(const store::TrustList trust, opened.stewarded.trust());
  store::KernelStore& own = opened.stewarded.store();
  const std::int64_t now_ms = stewardship::unix_now_ms();
  std::optional<store::ExchangeReport> pulled;
  std::optional<store::ExchangeReport> pushed;
  if (direction != HALYARD_SYNC_DIRECTION_PUSH) {
    HALYARD_TRY_ASSIGN(
        pulled, store::sync_stores(*other, store::SourceTrust::kForeign, own, trust, now_ms));
  }
  if (direction != HALYARD_SYNC_DIRECTION_PULL) {
    HALYARD_TRY_ASSIGN(pushed,
                       store::sync_stores(own, store::SourceTrust::kOwn, *other, trust, now_ms));
  }
  return stewardship::sync_json(pulled ? &*pulled : nullptr, pushed ? &*pushed : nullptr);
}

}  // namespace

extern "C" halyard_status halyard_store_open(const halyard_store_desc* given,
                                             halyard_store** out_store) {
  return base::guard([&]() -> base::Status {
    HALYARD_TRY(base::require_not_null(out_store, "out_store"));
    *out_store = nullptr;
    halyard_store_desc desc = HALYARD_STORE_DESC_INIT;
    if (given != nullptr) {
      HALYARD_TRY_ASSIGN(desc, base::read_struct(given, sizeof(halyard_store_desc), "desc"));
    }
    HALYARD_TRY(stewardship::require_zero(desc.reserved, "desc.reserved"));
    HALYARD_TRY_ASSIGN(stewardship::StewardedStore opened,
                       stewardship::StewardedStore::open({optional_text(desc.url),
                                                          optional_text(desc.data_directory),
                                                          optional_text(desc.trust_file)}));
    *out_store = new halyard_store(std::move(opened));
    return base::ok();
  });
}

extern "C" void halyard_store_retain(halyard_store* opened) {
  if (opened != nullptr) opened->retain();
}

extern "C" void halyard_store_release(halyard_store* opened) {
  if (opened != nullptr) opened->release();
}

extern "C" halyard_status halyard_store_kernels(halyard_store* opened, const char* contract,
                                                halyard_document** out_kernels) {
  return make_document(out_kernels, [&]() -> base::Result<std::string> {
    HALYARD_TRY(base::require_not_null(opened, "store"));
    return stewardship::kernels_json(opened->stewarded, optional_text(contract).value_or(""));
  });
}

extern "C" halyard_status halyard_store_kernel(halyard_store* opened, const char* kernel,
                                               halyard_document** out_kernel) {
  return make_document(out_kernel, [&]() -> base::Result<std::string> {
    HALYARD_TRY(base::require_not_null(opened, "store"));
    HALYARD_TRY(base::require_not_null(kernel, "kernel"));
    return stewardship::kernel_detail_json(opened->stewarded, kernel);
  });
}

extern "C" halyard_status halyard_store_change_state(halyard_store* opened,
                                                     const halyard_state_desc* given,
                                                     halyard_document** out_change) {
  return make_document(out_change, [&]() -> base::Result<std::string> {
    HALYARD_TRY(base::require_not_null(opened, "store"));
    HALYARD_TRY_ASSIGN(const halyard_state_desc desc,
                       base::read_struct(given, sizeof(halyard_state_desc), "desc"));
    HALYARD_TRY_ASSIGN(stewardship::StateOrder order, order_of(desc));
    HALYARD_TRY_ASSIGN(const auto key,
                       stewardship::load_key(desc.key_file, desc.passphrase, desc.passphrase_size));
    order.key = key ? &*key : nullptr;
    HALYARD_TRY_ASSIGN(const stewardship::StateOutcome outcome,
                       stewardship::carry_out(opened->stewarded, order));
    return stewardship::state_change_json(outcome);
  });
}

extern "C" halyard_status halyard_store_history(halyard_store* opened, const char* kernel,
                                                const char* target,
                                                halyard_document** out_history) {
  return make_document(out_history, [&]() -> base::Result<std::string> {
    HALYARD_TRY(base::require_not_null(opened, "store"));
    HALYARD_TRY(base::require_not_null(kernel, "kernel"));
    HALYARD_TRY_ASSIGN(const stewardship::NamedKernel named,
                       stewardship::find_kernel(opened->stewarded, kernel));
    HALYARD_TRY_ASSIGN(const auto history, opened->stewarded.store().states(
                                               named.id, optional_text(target).value_or("")));
    return stewardship::history_json(named, history);
  });
}

extern "C" halyard_status halyard_store_verify(halyard_store* opened, halyard_document** out_report,
                                               uint64_t* out_damaged) {
  return make_document(out_report, [&]() -> base::Result<std::string> {
    if (out_damaged != nullptr) *out_damaged = 0;
    HALYARD_TRY(base::require_not_null(opened, "store"));
    std::vector<store::DamagedRecord> damaged;
    HALYARD_TRY_ASSIGN(const store::VerifiedRecords counts,
                       opened->stewarded.store().upkeep().verify_records(
                           [&](const store::DamagedRecord& record) { damaged.push_back(record); }));
    if (out_damaged != nullptr) *out_damaged = damaged.size();
    return stewardship::verification_json(counts, damaged);
  });
}

extern "C" halyard_status halyard_store_collect(halyard_store* opened,
                                                const halyard_collection_desc* given,
                                                halyard_document** out_report) {
  return make_document(out_report, [&]() -> base::Result<std::string> {
    HALYARD_TRY(base::require_not_null(opened, "store"));
    HALYARD_TRY_ASSIGN(const halyard_collection_desc desc,
                       base::read_struct(given, sizeof(halyard_collection_desc), "desc"));
    constexpr std::uint64_t kMaxAge = std::numeric_limits<std::int32_t>::max();
    if (desc.older_than_s > kMaxAge) {
      return base::invalid_argument(
          base::concat("desc.older_than_s (", desc.older_than_s, ") is more than ", kMaxAge, "."));
    }
    store::CollectBounds bounds;
    if (desc.bounds_blobs != 0) bounds.blob_bytes = desc.blob_bytes;
    bounds.older_than = std::chrono::seconds(desc.older_than_s);
    HALYARD_TRY_ASSIGN(const store::CollectedRecords counts,
                       opened->stewarded.store().upkeep().collect_garbage(bounds));
    return stewardship::collection_json(counts);
  });
}

extern "C" halyard_status halyard_store_export(halyard_store* opened, const char* path,
                                               const halyard_export_desc* given,
                                               halyard_document** out_report) {
  return make_document(out_report, [&]() -> base::Result<std::string> {
    HALYARD_TRY(base::require_not_null(opened, "store"));
    HALYARD_TRY(base::require_not_null(path, "path"));
    halyard_export_desc desc = HALYARD_EXPORT_DESC_INIT;
    if (given != nullptr) {
      HALYARD_TRY_ASSIGN(desc, base::read_struct(given, sizeof(halyard_export_desc), "desc"));
    }
    HALYARD_TRY_ASSIGN(const store::ExportSelection selection, selection_of(*opened, desc));
    HALYARD_TRY_ASSIGN(const auto key,
                       stewardship::load_key(desc.key_file, desc.passphrase, desc.passphrase_size));
    HALYARD_TRY_ASSIGN(
        const store::ExchangeReport report,
        store::export_store(opened->stewarded.store(), selection, path, key ? &*key : nullptr));
    return stewardship::export_json(path, report);
  });
}

extern "C" halyard_status halyard_store_import(halyard_store* opened, const char* path,
                                               halyard_document** out_report) {
  return make_document(out_report, [&]() -> base::Result<std::string> {
    HALYARD_TRY(base::require_not_null(opened, "store"));
    HALYARD_TRY(base::require_not_null(path, "path"));
    HALYARD_TRY_ASSIGN(const store::ExchangeReport report,
                       stewardship::import_path(opened->stewarded, path));
    return stewardship::exchange_json(report);
  });
}

extern "C" halyard_status halyard_store_sync(halyard_store* opened, const char* url,
                                             uint32_t direction, halyard_document** out_report) {
  return make_document(out_report, [&]() -> base::Result<std::string> {
    HALYARD_TRY(base::require_not_null(opened, "store"));
    HALYARD_TRY(base::require_not_null(url, "url"));
    return sync(*opened, url, direction);
  });
}
