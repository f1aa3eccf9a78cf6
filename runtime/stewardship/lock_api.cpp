// SPDX-License-Identifier: Apache-2.0
#include "halyard/services/lock.h"

#include "runtime/base/file.h"
#include "runtime/stewardship/handles.h"
#include "runtime/stewardship/kernel_lock.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace base = halyard::base;
namespace store = halyard::store;
namespace stewardship = halyard::stewardship;

base::Result<stewardship::LockScope> scope_of(const halyard_lock_desc* given) {
  stewardship::LockScope scope;
  if (given == nullptr) return scope;
  HALYARD_TRY_ASSIGN(const halyard_lock_desc desc,
                     base::read_struct(given, sizeof(halyard_lock_desc), "desc"));
  HALYARD_TRY(stewardship::require_zero(desc.reserved, "desc.reserved"));
  HALYARD_TRY_ASSIGN(scope.contracts,
                     stewardship::texts_of(desc.contracts, desc.contract_count, "desc.contracts"));
  HALYARD_TRY_ASSIGN(scope.targets,
                     stewardship::texts_of(desc.targets, desc.target_count, "desc.targets"));
  return scope;
}

bool is_broken(const stewardship::CheckedPin& checked) {
  return checked.standing != stewardship::PinStanding::kPresent &&
         checked.standing != stewardship::PinStanding::kMoved;
}

}  // namespace

extern "C" halyard_status halyard_lock_write(halyard_store* opened, const char* path,
                                             const halyard_lock_desc* desc,
                                             halyard_document** out_lock) {
  return base::guard([&]() -> base::Status {
    if (out_lock != nullptr) *out_lock = nullptr;
    HALYARD_TRY(base::require_not_null(opened, "store"));
    HALYARD_TRY(base::require_not_null(path, "path"));
    HALYARD_TRY_ASSIGN(const stewardship::LockScope scope, scope_of(desc));
    HALYARD_TRY_ASSIGN(store::LockFile lock, stewardship::make_lock(opened->stewarded, scope));
    std::string text = store::lock_file_json(std::move(lock));
    HALYARD_TRY(base::write_file_atomic(path, text));
    if (out_lock != nullptr) *out_lock = new halyard_document(std::move(text));
    return base::ok();
  });
}

extern "C" halyard_status halyard_lock_check(halyard_store* opened, const char* path,
                                             halyard_document** out_check, uint32_t* out_broken) {
  return stewardship::make_document(out_check, [&]() -> base::Result<std::string> {
    if (out_broken != nullptr) *out_broken = 0;
    HALYARD_TRY(base::require_not_null(opened, "store"));
    HALYARD_TRY(base::require_not_null(path, "path"));
    HALYARD_TRY_ASSIGN(const store::LockFile lock, store::load_lock_file(path));
    HALYARD_TRY_ASSIGN(const std::vector<stewardship::CheckedPin> checked,
                       stewardship::check_lock(opened->stewarded, lock));
    if (out_broken != nullptr) {
      *out_broken =
          static_cast<std::uint32_t>(std::count_if(checked.begin(), checked.end(), is_broken));
    }
    return stewardship::lock_check_json(path, checked);
  });
}
