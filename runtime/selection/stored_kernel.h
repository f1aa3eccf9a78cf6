// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/bundle.h"
#include "kernel-store/kernel_store.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"

#include <string_view>
#include <utility>

namespace halyard::selection {

// A kernel of the store with its binaries, which are blobs there.
struct StoredKernel final : public base::RefCounted {
  explicit StoredKernel(store::BuiltKernel given) : kernel(std::move(given)) {}

  const store::BuiltKernel kernel;
};

// Null when the store has no kernel with the id. Of the builds that a driver made, those of
// `driver` only. Errors: those of the store.
base::Result<base::Ref<const StoredKernel>> load_stored_kernel(store::KernelStore& store,
                                                               const store::KernelId& id,
                                                               std::string_view driver);

}  // namespace halyard::selection
