// SPDX-License-Identifier: Apache-2.0
#include "halyard/status.h"

#include "runtime/api/boundary.h"

#include <cstdio>
#include <string>

namespace halyard::base {
namespace {

std::string& last_message() {
  thread_local std::string message;
  return message;
}

}  // namespace

halyard_status report_failure(halyard_status status, const char* message) noexcept {
  try {
    last_message() = message;
  } catch (...) {
    last_message().clear();
  }
  return status;
}

halyard_status report_failure(const Error& error) noexcept {
  return report_failure(static_cast<halyard_status>(error.code()), error.message().c_str());
}

}  // namespace halyard::base

namespace halyard::api {

base::Status write_text(std::string_view text, std::size_t capacity, char* out_text,
                        std::size_t* out_size) {
  HALYARD_TRY(require_not_null(out_size, "out_size"));
  *out_size = text.size() + 1;
  if (capacity == 0) return base::ok();
  HALYARD_TRY(require_not_null(out_text, "out_text"));
  const std::size_t length = std::min(text.size(), capacity - 1);
  std::memcpy(out_text, text.data(), length);
  out_text[length] = '\0';
  return base::ok();
}

}  // namespace halyard::api

extern "C" const char* halyard_status_name(halyard_status status) {
  switch (status) {
    case HALYARD_STATUS_OK:
      return "OK";
    case HALYARD_STATUS_INVALID_ARGUMENT:
      return "INVALID_ARGUMENT";
    case HALYARD_STATUS_NOT_FOUND:
      return "NOT_FOUND";
    case HALYARD_STATUS_OUT_OF_MEMORY:
      return "OUT_OF_MEMORY";
    case HALYARD_STATUS_NO_KERNEL:
      return "NO_KERNEL";
    case HALYARD_STATUS_UNSUPPORTED:
      return "UNSUPPORTED";
    case HALYARD_STATUS_OUTSIDE_GUARDS:
      return "OUTSIDE_GUARDS";
    case HALYARD_STATUS_DEADLINE_EXCEEDED:
      return "DEADLINE_EXCEEDED";
    case HALYARD_STATUS_DEVICE_LOST:
      return "DEVICE_LOST";
    case HALYARD_STATUS_UNAVAILABLE:
      return "UNAVAILABLE";
    case HALYARD_STATUS_CORRUPT_DATA:
      return "CORRUPT_DATA";
    case HALYARD_STATUS_PERMISSION_DENIED:
      return "PERMISSION_DENIED";
    case HALYARD_STATUS_IO_ERROR:
      return "IO_ERROR";
    case HALYARD_STATUS_INTERNAL:
      return "INTERNAL";
    case HALYARD_STATUS_KERNEL_FAULT:
      return "KERNEL_FAULT";
    case HALYARD_STATUS_FORCE_32_BIT:
      break;
  }
  return "UNKNOWN";
}

extern "C" const char* halyard_last_error_message(void) {
  return halyard::base::last_message().c_str();
}

extern "C" halyard_status halyard_last_error_set(halyard_status status, const char* message) {
  return halyard::base::report_failure(status, message == nullptr ? "" : message);
}
