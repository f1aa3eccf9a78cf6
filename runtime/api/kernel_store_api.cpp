// SPDX-License-Identifier: Apache-2.0
#include "halyard/kernel_store.h"

#include "runtime/api/boundary.h"
#include "runtime/api/handles.h"
#include "runtime/selection/kernel_listing.h"

#include <optional>
#include <string>

namespace {

using halyard::api::guard;
using halyard::api::require_not_null;
using halyard::selection::Instance;
namespace base = halyard::base;

}  // namespace

extern "C" uint64_t halyard_instance_store_generation(halyard_instance* instance) {
  return instance == nullptr ? 0 : static_cast<Instance*>(instance)->generation();
}

extern "C" halyard_status halyard_kernel_store_list(halyard_instance* instance,
                                                    const char* contract, size_t capacity,
                                                    char* out_text, size_t* out_size) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(instance, "instance"));
    const auto name = contract != nullptr ? std::optional<std::string>(contract) : std::nullopt;
    HALYARD_TRY_ASSIGN(const std::string text,
                       halyard::selection::kernels_json(*static_cast<Instance*>(instance), name));
    return halyard::api::write_text(text, capacity, out_text, out_size);
  });
}

extern "C" halyard_status halyard_kernel_store_show(halyard_instance* instance, const char* kernel,
                                                    size_t capacity, char* out_text,
                                                    size_t* out_size) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(instance, "instance"));
    HALYARD_TRY(require_not_null(kernel, "kernel"));
    HALYARD_TRY_ASSIGN(const std::string text, halyard::selection::kernel_detail_json(
                                                   *static_cast<Instance*>(instance), kernel));
    return halyard::api::write_text(text, capacity, out_text, out_size);
  });
}
