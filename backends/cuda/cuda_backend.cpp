// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/cuda_backend.h"

#include "backends/stream/stream_driver.h"
#include "runtime/base/text.h"

#include <array>
#include <string>

namespace halyard::cuda {
namespace {

// CUDA_ERROR_STUB_LIBRARY.
constexpr int kStubCode = 34;

std::string error_name(const base::DynamicLibrary& library, int code) {
  const auto get_name = library.function<int(int, const char**)>("cuGetErrorName");
  const char* name = nullptr;
  if (!get_name || (*get_name)(code, &name) != 0 || name == nullptr) {
    return code == kStubCode ? "CUDA_ERROR_STUB_LIBRARY" : "no name";
  }
  return name;
}

// 12040 is 12.4.
std::string version_text(int version) {
  return base::concat(version / 1000, '.', version % 1000 / 10);
}

}  // namespace

std::unique_ptr<core::Backend> create_cuda_backend(const core::BackendSettings& /*settings*/) {
  return create_cuda_probe(cuda_library_names());
}

std::unique_ptr<core::Backend> create_cuda_probe(std::span<const char* const> library_names) {
  return stream::create_stream_probe({"cuda", library_names, "cuInit", "cuDeviceGetCount",
                                      "cuDriverGetVersion", kStubCode, &error_name, &version_text});
}

std::span<const char* const> cuda_library_names() {
  // The toolkit's stub has only the unversioned name; it is tried last, so that it can be named.
  static constexpr std::array kNames = {"libcuda.so.1", "libcuda.so"};
  return kNames;
}

}  // namespace halyard::cuda
