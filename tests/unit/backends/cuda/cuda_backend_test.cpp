// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/cuda_backend.h"

#include "runtime/base/dynamic_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

namespace halyard::cuda {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

base::Error failure_with(const char* library) {
  const std::array names = {library};
  const auto devices = create_cuda_probe(names)->enumerate();
  EXPECT_FALSE(devices);
  return devices.error();
}

TEST(CudaBackend, VersionedNameOfTheDriverComesFirst) {
  EXPECT_STREQ("libcuda.so.1", cuda_library_names().front());
}

TEST(CudaBackend, MissingLibraryIsNamed) {
  const auto error = failure_with("libno_such_cuda.so.1");
  EXPECT_EQ(base::ErrorCode::kUnavailable, error.code());
  EXPECT_THAT(error.message(), HasSubstr("libno_such_cuda.so.1"));
}

TEST(CudaBackend, StubOfTheToolkitIsNamed) {
  const auto error = failure_with(HALYARD_STUB_DRIVER);
  EXPECT_EQ(base::ErrorCode::kUnavailable, error.code());
  EXPECT_EQ(HALYARD_STUB_DRIVER
            " is the toolkit's stub, not the driver: cuInit answers 34 (CUDA_ERROR_STUB_LIBRARY).",
            error.message());
}

TEST(CudaBackend, MissingSymbolIsNamed) {
  const auto error = failure_with("libm.so.6");
  EXPECT_THAT(error.message(), HasSubstr("cuInit"));
  EXPECT_THAT(error.message(), HasSubstr("libm.so.6"));
}

TEST(CudaBackend, DriverIsToldWithItsVersionAndOffersNoDevices) {
  const auto error = failure_with(HALYARD_IDLE_DRIVER);
  EXPECT_EQ(base::ErrorCode::kUnsupported, error.code());
  EXPECT_THAT(error.message(), StartsWith("The driver, version 12.4, has 2 devices, but"));
}

TEST(CudaBackend, FailingQueryIsNamedWithTheDriversWord) {
  const std::array names = {HALYARD_IDLE_DRIVER};
  const auto library = base::DynamicLibrary::open(names);
  ASSERT_TRUE(library) << library.error().message();
  const auto answer = library->function<void(int)>("fake_answer");
  ASSERT_TRUE(answer);
  (*answer)(3);
  EXPECT_EQ("cuDriverGetVersion of " HALYARD_IDLE_DRIVER " answers 3 (CUDA_ERROR_NOT_INITIALIZED).",
            failure_with(HALYARD_IDLE_DRIVER).message());
  (*answer)(77);
  EXPECT_THAT(failure_with(HALYARD_IDLE_DRIVER).message(), HasSubstr("answers 77 (no name)."));
  (*answer)(0);
}

}  // namespace
}  // namespace halyard::cuda
