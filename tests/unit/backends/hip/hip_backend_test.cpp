// SPDX-License-Identifier: Apache-2.0
#include "backends/hip/hip_backend.h"

#include "runtime/base/dynamic_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

namespace halyard::hip {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

base::Error failure_with(const char* library) {
  const std::array names = {library};
  const auto devices = create_hip_probe(names)->enumerate();
  EXPECT_FALSE(devices);
  return devices.error();
}

TEST(HipBackend, NewestGenerationOfTheDriverComesFirst) {
  EXPECT_STREQ("libamdhip64.so.7", hip_library_names().front());
}

TEST(HipBackend, MissingLibraryIsNamed) {
  const auto error = failure_with("libno_such_hip.so.1");
  EXPECT_EQ(base::ErrorCode::kUnavailable, error.code());
  EXPECT_THAT(error.message(), HasSubstr("libno_such_hip.so.1"));
}

TEST(HipBackend, MissingSymbolIsNamed) {
  // The driver of another vendor.
  const auto error = failure_with(HALYARD_STUB_DRIVER);
  EXPECT_THAT(error.message(), HasSubstr("hipInit"));
  EXPECT_THAT(error.message(), HasSubstr(HALYARD_STUB_DRIVER));
}

TEST(HipBackend, DriverIsToldWithItsVersionAndOffersNoDevices) {
  const auto error = failure_with(HALYARD_IDLE_DRIVER);
  EXPECT_EQ(base::ErrorCode::kUnsupported, error.code());
  EXPECT_THAT(error.message(), StartsWith("The driver, version 5.2.21153, has 2 devices, but"));
}

TEST(HipBackend, FailingQueryIsNamedWithTheDriversWord) {
  const std::array names = {HALYARD_IDLE_DRIVER};
  const auto library = base::DynamicLibrary::open(names);
  ASSERT_TRUE(library) << library.error().message();
  const auto answer = library->function<void(int)>("fake_answer");
  ASSERT_TRUE(answer);
  (*answer)(100);
  EXPECT_EQ("hipDriverGetVersion of " HALYARD_IDLE_DRIVER " answers 100 (hipErrorNoDevice).",
            failure_with(HALYARD_IDLE_DRIVER).message());
  (*answer)(77);
  EXPECT_THAT(failure_with(HALYARD_IDLE_DRIVER).message(), HasSubstr("answers 77 (no name)."));
  (*answer)(0);
}

}  // namespace
}  // namespace halyard::hip
