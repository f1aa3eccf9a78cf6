// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/stored_kernel.h"

namespace halyard::selection {

base::Result<base::Ref<const StoredKernel>> load_stored_kernel(store::KernelStore& store,
                                                               const store::KernelId& id,
                                                               std::string_view driver) {
  HALYARD_TRY_ASSIGN(auto package, store.get_kernel(id));
  if (!package) return base::Ref<const StoredKernel>();
  HALYARD_TRY_ASSIGN(auto records, store.find_builds(id));
  store::BuiltKernel kernel{std::move(*package), {}, {}};
  for (store::BuildRecord& record : records) {
    store::BuildInputs& inputs = record.inputs;
    if (!inputs.driver.empty() && inputs.driver != driver) continue;
    kernel.builds.push_back({std::move(inputs.target),
                             std::move(inputs.types),
                             std::move(inputs.parameters),
                             {},
                             record.blob,
                             std::move(inputs.toolchain),
                             std::move(inputs.flags),
                             {}});
  }
  return base::Ref<const StoredKernel>(base::make_ref<StoredKernel>(std::move(kernel)));
}

}  // namespace halyard::selection
