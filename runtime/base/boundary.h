// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/status.h"

#include "runtime/base/result.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

// What every entry point of the C interface does alike: no exception leaves, failures become a
// status and this thread's message, structs of other versions are read and written safely.
namespace halyard::base {

// Keeps the message for halyard_last_error_message and gives the status. Each library that has
// entry points defines these two.
halyard_status report_failure(const Error& error) noexcept;
halyard_status report_failure(halyard_status status, const char* message) noexcept;

inline constexpr std::size_t kMaxStructBytes = 65536;

template <typename Body>
halyard_status guard(Body&& body) noexcept {
  try {
    const Status status = std::forward<Body>(body)();
    if (status) [[likely]] {
      return HALYARD_STATUS_OK;
    }
    return report_failure(status.error());
  } catch (const std::bad_alloc&) {
    return report_failure(HALYARD_STATUS_OUT_OF_MEMORY, "The host is out of memory.");
  } catch (const std::exception& exception) {
    return report_failure(HALYARD_STATUS_INTERNAL, exception.what());
  } catch (...) {
    return report_failure(HALYARD_STATUS_INTERNAL, "An unknown exception was thrown.");
  }
}

inline Error invalid_argument(std::string message) {
  return Error(ErrorCode::kInvalidArgument, std::move(message));
}

inline Status require_not_null(const void* pointer, std::string_view what) {
  if (pointer != nullptr) return ok();
  return invalid_argument(concat(what, " is NULL."));
}

// Copies what both sides know of a versioned struct into a zeroed one of ours. Refuses a size
// below `first_version_size`, and bytes past what we know that are not zero.
template <typename Struct>
Result<Struct> read_struct(const Struct* source, std::size_t first_version_size,
                           std::string_view name) {
  static_assert(std::is_trivially_copyable_v<Struct>);
  HALYARD_TRY(require_not_null(source, name));
  const std::size_t size = source->struct_size;
  if (size < first_version_size || size > kMaxStructBytes) {
    return invalid_argument(concat("The struct_size of ", name, " (", size, ") is not between ",
                                   first_version_size, " and ", kMaxStructBytes, "."));
  }
  const auto* bytes = reinterpret_cast<const unsigned char*>(source);
  for (std::size_t i = sizeof(Struct); i < size; ++i) {
    if (bytes[i] != 0) {
      return invalid_argument(concat("Byte ", i, " of ", name,
                                     " is set; this version of Halyard knows the first ",
                                     sizeof(Struct), "."));
    }
  }
  Struct copy{};
  std::memcpy(&copy, source, std::min(size, sizeof(Struct)));
  copy.struct_size = sizeof(Struct);
  return copy;
}

// Fills as much of *out as its struct_size covers, which stays as it is.
template <typename Struct>
Status write_struct(Struct* out, const Struct& value, std::size_t first_version_size,
                    std::string_view name) {
  static_assert(std::is_trivially_copyable_v<Struct>);
  HALYARD_TRY(require_not_null(out, name));
  const std::uint32_t size = out->struct_size;
  if (size < first_version_size) {
    return invalid_argument(
        concat("The struct_size of ", name, " (", size, ") is below ", first_version_size, "."));
  }
  std::memcpy(out, &value, std::min<std::size_t>(size, sizeof(Struct)));
  out->struct_size = size;
  return ok();
}

}  // namespace halyard::base
