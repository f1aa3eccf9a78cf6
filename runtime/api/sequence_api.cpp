// SPDX-License-Identifier: Apache-2.0
#include "halyard/sequence.h"

#include "runtime/api/boundary.h"
#include "runtime/api/handles.h"
#include "runtime/api/operation_arguments.h"
#include "runtime/dispatch/sequence.h"

namespace {

using halyard::api::guard;
using halyard::api::require_not_null;
using halyard::dispatch::Sequence;
namespace api = halyard::api;
namespace base = halyard::base;

}  // namespace

extern "C" halyard_status halyard_sequence_create(halyard_device* device,
                                                  halyard_sequence** out_sequence) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(out_sequence, "out_sequence"));
    *out_sequence = nullptr;
    HALYARD_TRY(require_not_null(device, "device"));
    *out_sequence = new Sequence(api::core_device(device));
    return base::ok();
  });
}

extern "C" void halyard_sequence_retain(halyard_sequence* sequence) {
  if (sequence != nullptr) static_cast<Sequence*>(sequence)->retain();
}

extern "C" void halyard_sequence_release(halyard_sequence* sequence) {
  if (sequence != nullptr) static_cast<Sequence*>(sequence)->release();
}

extern "C" halyard_status halyard_sequence_add(halyard_sequence* sequence,
                                               halyard_operation* operation,
                                               const halyard_launch* launch, uint32_t* out_index) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(sequence, "sequence"));
    HALYARD_TRY(require_not_null(operation, "operation"));
    auto& prepared = api::operation_handle(operation).operation();
    api::LaunchArguments arguments;
    HALYARD_TRY(arguments.read(launch, prepared.problem().contract()));
    HALYARD_TRY_ASSIGN(const std::uint32_t index,
                       static_cast<Sequence*>(sequence)->add(prepared, arguments.launch()));
    if (out_index != nullptr) *out_index = index;
    return base::ok();
  });
}

extern "C" halyard_status halyard_sequence_update(halyard_sequence* sequence, uint32_t index,
                                                  const halyard_launch* launch) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(sequence, "sequence"));
    auto& target = *static_cast<Sequence*>(sequence);
    HALYARD_TRY_ASSIGN(const auto* operation, target.operation(index));
    api::LaunchArguments arguments;
    HALYARD_TRY(arguments.read(launch, operation->problem().contract()));
    return target.update(index, arguments.launch());
  });
}

extern "C" halyard_status halyard_sequence_enqueue(halyard_sequence* sequence,
                                                   halyard_queue* queue) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(sequence, "sequence"));
    HALYARD_TRY(require_not_null(queue, "queue"));
    return static_cast<Sequence*>(sequence)->enqueue(*static_cast<halyard::core::Queue*>(queue));
  });
}
