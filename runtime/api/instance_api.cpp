// SPDX-License-Identifier: Apache-2.0
#include "halyard/instance.h"

#include "runtime/api/boundary.h"
#include "runtime/api/handles.h"
#include "runtime/backend_table.h"
#include "runtime/selection/report.h"

#include <string>

namespace {

using halyard::api::guard;
using halyard::api::require_not_null;
using halyard::selection::Instance;
namespace base = halyard::base;

base::Result<halyard::selection::InstanceOptions> read_options(const halyard_instance_desc& desc) {
  halyard::selection::InstanceOptions options;
  if (desc.store_url != nullptr) options.store_url = desc.store_url;
  if (desc.data_directory != nullptr) options.data_directory = desc.data_directory;
  if (desc.log_level > HALYARD_LOG_LEVEL_DEBUG) {
    return halyard::api::invalid_argument(base::concat("Log level (", desc.log_level, ") is above ",
                                                       static_cast<int>(HALYARD_LOG_LEVEL_DEBUG),
                                                       "."));
  }
  // The public levels are those of the log, one higher: 0 means as configured.
  if (desc.log_level != HALYARD_LOG_LEVEL_DEFAULT) {
    options.log_level = static_cast<base::LogLevel>(desc.log_level - 1);
  }
  if (desc.log_callback != nullptr) {
    options.log_callback = [callback = desc.log_callback, user_data = desc.log_user_data](
                               base::LogLevel level, std::string_view sentence) {
      const auto public_level =
          static_cast<halyard_log_level>(static_cast<std::uint32_t>(level) + 1);
      callback(user_data, public_level, std::string(sentence).c_str());
    };
  }
  return options;
}

}  // namespace

extern "C" halyard_status halyard_instance_create(const halyard_instance_desc* desc,
                                                  halyard_instance** out_instance) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(out_instance, "out_instance"));
    *out_instance = nullptr;
    halyard_instance_desc read = HALYARD_INSTANCE_DESC_INIT;
    if (desc != nullptr) {
      HALYARD_TRY_ASSIGN(read,
                         halyard::api::read_struct(desc, sizeof(halyard_instance_desc), "desc"));
    }
    HALYARD_TRY_ASSIGN(auto options, read_options(read));
    HALYARD_TRY_ASSIGN(auto instance,
                       Instance::create(std::move(options), halyard::backend_table()));
    *out_instance = instance.detach();
    return base::ok();
  });
}

extern "C" void halyard_instance_retain(halyard_instance* instance) {
  if (instance != nullptr) static_cast<Instance*>(instance)->retain();
}

extern "C" void halyard_instance_release(halyard_instance* instance) {
  if (instance != nullptr) static_cast<Instance*>(instance)->release();
}

extern "C" halyard_status halyard_instance_report(halyard_instance* instance, size_t capacity,
                                                  char* out_text, size_t* out_size) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(instance, "instance"));
    const std::string text = halyard::selection::report_json(*static_cast<Instance*>(instance));
    return halyard::api::write_text(text, capacity, out_text, out_size);
  });
}
