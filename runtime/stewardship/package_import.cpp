// SPDX-License-Identifier: Apache-2.0
#include "runtime/stewardship/package_import.h"

#include "kernel-store/exchange/entry_name.h"
#include "kernel-store/exchange/import.h"
#include "kernel-store/kernel_package.h"
#include "runtime/base/text.h"
#include "runtime/base/utf8.h"
#include "runtime/stewardship/state_order.h"

#include <utility>

namespace halyard::stewardship {
namespace {

using base::concat;
using base::Result;

Result<store::ExchangeReport> import_package(const StewardedStore& stewarded,
                                             const std::string& directory) {
  const std::string preludes = stewarded.bundle().data_directory() + "/prelude";
  HALYARD_TRY_ASSIGN(const store::KernelPackage package,
                     store::load_kernel_package(directory, [&](const std::string& name) {
                       return store::load_prelude_digest(preludes, name);
                     }));
  store::KernelStore& store = stewarded.store();
  store::ExchangeReport report;
  report.offered.kernels = 1;
  HALYARD_TRY_ASSIGN(const auto present, store.get_kernel(package.id));
  HALYARD_TRY(store.put_kernel(package));
  if (!present) report.added.kernels = 1;
  for (const std::string& target : package.record.targets) {
    ++report.offered.states;
    store::StateChange change;
    change.kernel = package.id;
    change.target = target;
    change.who = this_person();
    change.why = concat("Imported from ",
                        base::is_utf8(directory) ? directory : store::shown_name(directory), ".");
    const auto appended = store.append_state(change);
    if (!appended && appended.error().code() == base::ErrorCode::kPermissionDenied) {
      report.note(appended.error().message());
      continue;
    }
    HALYARD_TRY(appended);
    if (*appended) ++report.added.states;
  }
  report.note(concat("Kernel ", package.record.name, " is ", store::digest_text(package.id), "."));
  return report;
}

}  // namespace

Result<store::ExchangeReport> import_path(const StewardedStore& stewarded,
                                          const std::string& path) {
  if (!store::is_export(path)) return import_package(stewarded, path);
  HALYARD_TRY_ASSIGN(const store::TrustList trust, stewarded.trust());
  return store::import_store(stewarded.store(), path, trust, unix_now_ms());
}

}  // namespace halyard::stewardship
