// SPDX-License-Identifier: Apache-2.0
#include "halyard/operation.h"

#include "runtime/api/boundary.h"
#include "runtime/api/handles.h"
#include "runtime/api/operation_arguments.h"
#include "runtime/selection/prepare.h"

#include <string>
#include <utility>

namespace {

using halyard::api::guard;
using halyard::api::operation_handle;
using halyard::api::OperationHandle;
using halyard::api::require_not_null;
namespace api = halyard::api;
namespace base = halyard::base;
namespace core = halyard::core;
namespace dispatch = halyard::dispatch;
namespace selection = halyard::selection;

base::Result<std::span<const std::int64_t>> read_axes(const dispatch::Operation& operation,
                                                      std::uint32_t count,
                                                      const std::int64_t* axes) {
  if (count != 0) HALYARD_TRY(require_not_null(axes, "axes"));
  const std::span<const std::int64_t> values(axes, count);
  HALYARD_TRY(operation.check_axes(values));
  return values;
}

}  // namespace

extern "C" halyard_status halyard_operation_prepare(halyard_device* device,
                                                    const halyard_operation_desc* desc,
                                                    halyard_operation** out_operation) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(out_operation, "out_operation"));
    *out_operation = nullptr;
    HALYARD_TRY(require_not_null(device, "device"));
    HALYARD_TRY_ASSIGN(const auto request, api::read_operation_desc(desc));
    selection::Instance& instance = api::device_handle(device).instance();
    HALYARD_TRY_ASSIGN(auto operation,
                       selection::prepare(instance, api::core_device(device), request));
    *out_operation =
        new OperationHandle(base::Ref<selection::Instance>::share(&instance), std::move(operation));
    return base::ok();
  });
}

extern "C" void halyard_operation_retain(halyard_operation* operation) {
  if (operation != nullptr) operation_handle(operation).retain();
}

extern "C" void halyard_operation_release(halyard_operation* operation) {
  if (operation != nullptr) operation_handle(operation).release();
}

extern "C" halyard_status halyard_operation_enqueue(halyard_operation* operation,
                                                    halyard_queue* queue,
                                                    const halyard_launch* launch) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(operation, "operation"));
    HALYARD_TRY(require_not_null(queue, "queue"));
    const dispatch::Operation& prepared = operation_handle(operation).operation();
    api::LaunchArguments arguments;
    HALYARD_TRY(arguments.read(launch, prepared.problem().contract()));
    return prepared.enqueue(*static_cast<core::Queue*>(queue), arguments.launch());
  });
}

extern "C" halyard_status halyard_operation_workspace_bytes(halyard_operation* operation,
                                                            uint32_t axis_count,
                                                            const int64_t* axes,
                                                            uint64_t* out_bytes) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(operation, "operation"));
    HALYARD_TRY(require_not_null(out_bytes, "out_bytes"));
    const dispatch::Operation& prepared = operation_handle(operation).operation();
    HALYARD_TRY_ASSIGN(const auto values, read_axes(prepared, axis_count, axes));
    HALYARD_TRY_ASSIGN(*out_bytes, prepared.workspace_bytes(values));
    return base::ok();
  });
}

extern "C" halyard_status halyard_operation_cost(halyard_operation* operation, uint32_t axis_count,
                                                 const int64_t* axes, uint64_t* out_flops,
                                                 uint64_t* out_bytes) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(operation, "operation"));
    const dispatch::Operation& prepared = operation_handle(operation).operation();
    HALYARD_TRY_ASSIGN(const auto values, read_axes(prepared, axis_count, axes));
    HALYARD_TRY_ASSIGN(const std::int64_t flops, prepared.problem().flops(values));
    HALYARD_TRY_ASSIGN(const std::int64_t bytes, prepared.problem().bytes(values));
    if (out_flops != nullptr) *out_flops = static_cast<std::uint64_t>(flops);
    if (out_bytes != nullptr) *out_bytes = static_cast<std::uint64_t>(bytes);
    return base::ok();
  });
}

extern "C" halyard_status halyard_operation_get_info(halyard_operation* operation,
                                                     halyard_operation_info* out_info) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(operation, "operation"));
    const dispatch::Operation& prepared = operation_handle(operation).operation();
    const dispatch::KernelChoice& choice = prepared.choice();
    halyard_operation_info info = HALYARD_OPERATION_INFO_INIT;
    info.is_reference = prepared.is_reference() ? 1 : 0;
    info.contract = prepared.problem().contract().name().c_str();
    info.kernel_name = choice.kernel_name.c_str();
    info.kernel_id = choice.kernel_id.c_str();
    info.target = choice.target.c_str();
    info.state = choice.state.c_str();
    return api::write_struct(out_info, info, sizeof(halyard_operation_info), "out_info");
  });
}

extern "C" const char* halyard_operation_explanation(halyard_operation* operation) {
  return operation == nullptr
             ? ""
             : operation_handle(operation).operation().choice().explanation.c_str();
}

extern "C" halyard_status halyard_operation_explain(halyard_device* device,
                                                    const halyard_operation_desc* desc,
                                                    size_t capacity, char* out_text,
                                                    size_t* out_size) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(device, "device"));
    HALYARD_TRY_ASSIGN(const auto request, api::read_operation_desc(desc));
    HALYARD_TRY_ASSIGN(const std::string text,
                       selection::explain(api::device_handle(device).instance(),
                                          api::core_device(device), request));
    return api::write_text(text, capacity, out_text, out_size);
  });
}

extern "C" halyard_status halyard_operation_refresh(halyard_operation* operation,
                                                    uint32_t* out_changed) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(operation, "operation"));
    if (out_changed != nullptr) *out_changed = 0;
    OperationHandle& handle = operation_handle(operation);
    HALYARD_TRY_ASSIGN(
        const bool changed,
        selection::refresh(handle.instance(), handle.operation().device(), handle.operation()));
    if (out_changed != nullptr) *out_changed = changed ? 1 : 0;
    return base::ok();
  });
}
