// SPDX-License-Identifier: Apache-2.0
#include "backends/hip/hip_backend.h"

#include "backends/stream/stream_driver.h"
#include "runtime/base/text.h"

#include <array>
#include <optional>
#include <string>

namespace halyard::hip {
namespace {

std::string error_name(const base::DynamicLibrary& library, int code) {
  const auto get_name = library.function<const char*(int)>("hipGetErrorName");
  const char* name = get_name ? (*get_name)(code) : nullptr;
  return name != nullptr ? name : "no name";
}

// 50221153 is 5.2.21153: major, two digits of minor, patch.
std::string version_text(int version) {
  return base::concat(version / 10'000'000, '.', version / 100'000 % 100, '.', version % 100'000);
}

}  // namespace

std::unique_ptr<core::Backend> create_hip_backend(const core::BackendSettings& /*settings*/) {
  return create_hip_probe(hip_library_names());
}

std::unique_ptr<core::Backend> create_hip_probe(std::span<const char* const> library_names) {
  return stream::create_stream_probe({"hip", library_names, "hipInit", "hipGetDeviceCount",
                                      "hipDriverGetVersion", std::nullopt, &error_name,
                                      &version_text});
}

std::span<const char* const> hip_library_names() {
  // One soname per ROCm generation.
  static constexpr std::array kNames = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"};
  return kNames;
}

}  // namespace halyard::hip
