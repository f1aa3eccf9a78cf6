// SPDX-License-Identifier: Apache-2.0
#include "halyard/device.h"

#include "runtime/api/boundary.h"
#include "runtime/api/handles.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace {

using halyard::api::guard;
using halyard::api::require_not_null;
using halyard::selection::Instance;
namespace base = halyard::base;

using halyard::api::DeviceHandle;

halyard_disagreement written(const halyard::descriptors::Disagreement& said) {
  halyard_disagreement out = HALYARD_DISAGREEMENT_INIT;
  out.kind = static_cast<std::uint32_t>(said.live.kind);
  out.key = said.key.c_str();
  out.unit = said.live.unit.c_str();
  out.live_number = said.live.number;
  out.documented_number = said.documented.number;
  out.live_text = said.live.text.c_str();
  out.documented_text = said.documented.text.c_str();
  out.source = said.documented.source.c_str();
  return out;
}

}  // namespace

extern "C" halyard_status halyard_instance_devices(halyard_instance* instance, uint32_t capacity,
                                                   halyard_device** out_devices,
                                                   uint32_t* out_count) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(instance, "instance"));
    HALYARD_TRY(require_not_null(out_count, "out_count"));
    if (capacity != 0) HALYARD_TRY(require_not_null(out_devices, "out_devices"));
    auto shared = base::Ref<Instance>::share(static_cast<Instance*>(instance));
    const auto devices = shared->backends().devices();
    std::vector<base::Ref<DeviceHandle>> handles(std::min<std::size_t>(devices.size(), capacity));
    for (std::size_t i = 0; i < handles.size(); ++i)
      handles[i] = base::make_ref<DeviceHandle>(shared, devices[i]);
    // Nothing fails from here on.
    for (std::size_t i = 0; i < handles.size(); ++i)
      out_devices[i] = handles[i].detach();
    *out_count = static_cast<std::uint32_t>(devices.size());
    return base::ok();
  });
}

extern "C" halyard_status halyard_device_get(halyard_instance* instance, const char* id,
                                             halyard_device** out_device) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(out_device, "out_device"));
    *out_device = nullptr;
    HALYARD_TRY(require_not_null(instance, "instance"));
    auto shared = base::Ref<Instance>::share(static_cast<Instance*>(instance));
    HALYARD_TRY_ASSIGN(auto device, shared->backends().device(id != nullptr ? id : "default"));
    *out_device = new DeviceHandle(std::move(shared), std::move(device));
    return base::ok();
  });
}

extern "C" void halyard_device_retain(halyard_device* device) {
  if (device != nullptr) static_cast<DeviceHandle*>(device)->retain();
}

extern "C" void halyard_device_release(halyard_device* device) {
  if (device != nullptr) static_cast<DeviceHandle*>(device)->release();
}

extern "C" halyard_status halyard_device_get_instance(halyard_device* device,
                                                      halyard_instance** out_instance) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(out_instance, "out_instance"));
    *out_instance = nullptr;
    HALYARD_TRY(require_not_null(device, "device"));
    *out_instance =
        base::Ref<Instance>::share(&halyard::api::device_handle(device).instance()).detach();
    return base::ok();
  });
}

extern "C" halyard_status halyard_device_get_info(halyard_device* device,
                                                  halyard_device_info* out_info) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(device, "device"));
    const halyard::core::DeviceInfo& info = halyard::api::core_device(device).info();
    halyard_device_info out = HALYARD_DEVICE_INFO_INIT;
    out.kind = static_cast<std::uint32_t>(info.kind);
    out.id = info.id.c_str();
    out.name = info.name.c_str();
    out.vendor = info.vendor.c_str();
    out.backend = info.backend.c_str();
    out.driver = info.driver.c_str();
    out.physical_id = info.physical_id.c_str();
    out.target = info.targets.empty() ? "" : info.targets.front().c_str();
    out.targets = halyard::api::core_device(device).targets_text().c_str();
    out.driver_id = info.driver_id.c_str();
    out.fingerprint = info.fingerprint.c_str();
    return halyard::api::write_struct(out_info, out, sizeof(halyard_device_info), "out_info");
  });
}

extern "C" halyard_status halyard_device_get_capability(halyard_device* device, const char* key,
                                                        halyard_capability* out_capability) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(device, "device"));
    HALYARD_TRY(require_not_null(key, "key"));
    const auto known = halyard::core::capability_key_from_name(key);
    const halyard::core::Capability* found =
        halyard::api::core_device(device).capabilities().find(key);
    if (!known && found == nullptr) {
      return base::Error(base::ErrorCode::kNotFound,
                         base::concat("There is no capability key \"", key, "\"",
                                      halyard::descriptors::nearest_capability_clause(key), "."));
    }
    halyard_capability out = HALYARD_CAPABILITY_INIT;
    out.text = "";
    if (known) {
      out.kind = static_cast<std::uint32_t>(halyard::core::capability_key_info(*known).kind);
      out.unit = halyard::core::capability_key_info(*known).unit.data();
    }
    if (found != nullptr) {
      out.known = 1;
      out.kind = static_cast<std::uint32_t>(found->kind);
      out.origin = static_cast<std::uint32_t>(found->origin);
      out.number = found->number;
      out.text = found->text.c_str();
      out.unit = found->unit.c_str();
    }
    return halyard::api::write_struct(out_capability, out, sizeof(halyard_capability),
                                      "out_capability");
  });
}

extern "C" const char* halyard_device_descriptor_id(halyard_device* device) {
  return device == nullptr ? "" : halyard::api::core_device(device).descriptor_id().c_str();
}

extern "C" halyard_status halyard_device_disagreements(halyard_device* device, uint32_t capacity,
                                                       halyard_disagreement* out_disagreements,
                                                       uint32_t* out_count) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(device, "device"));
    HALYARD_TRY(require_not_null(out_count, "out_count"));
    if (capacity != 0) HALYARD_TRY(require_not_null(out_disagreements, "out_disagreements"));
    const auto& all = halyard::api::core_device(device).disagreements();
    // The caller's structs may be of another version, so that they lie at its own distance.
    auto* place = reinterpret_cast<std::byte*>(out_disagreements);
    for (std::size_t i = 0; i < all.size() && i < capacity; ++i) {
      auto* const out = reinterpret_cast<halyard_disagreement*>(place);
      HALYARD_TRY(halyard::api::write_struct(out, written(all[i]), sizeof(halyard_disagreement),
                                             "out_disagreements"));
      place += out->struct_size;
    }
    *out_count = static_cast<std::uint32_t>(all.size());
    return base::ok();
  });
}
