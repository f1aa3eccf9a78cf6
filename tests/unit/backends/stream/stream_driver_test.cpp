// SPDX-License-Identifier: Apache-2.0
#include "backends/stream/stream_driver.h"

#include <gtest/gtest.h>

#include <array>

namespace halyard::stream {
namespace {

std::string error_name(const base::DynamicLibrary& /*library*/, int code) {
  return "ERROR_" + std::to_string(code);
}

std::string version_text(int version) {
  return std::to_string(version);
}

base::Error enumerate_failure(const StreamDriver& driver) {
  auto devices = create_stream_probe(driver)->enumerate();
  EXPECT_FALSE(devices);
  return devices.error();
}

TEST(StreamDriver, MissingLibraryIsNamed) {
  static constexpr std::array names = {"libno_such_driver.so.1"};
  const auto error = enumerate_failure(
      {"x", names, "init", "count", "version", std::nullopt, &error_name, &version_text});
  EXPECT_EQ(base::ErrorCode::kUnavailable, error.code());
  EXPECT_NE(error.message().find("libno_such_driver.so.1"), std::string::npos) << error.message();
}

TEST(StreamDriver, StubOfTheToolkitIsRecognised) {
  static constexpr std::array names = {HALYARD_STUB_DRIVER};
  const auto error =
      enumerate_failure({"x", names, "cuInit", "count", "version", 34, &error_name, &version_text});
  EXPECT_NE(error.message().find("is the toolkit's stub, not the driver: cuInit answers 34 "
                                 "(ERROR_34)."),
            std::string::npos)
      << error.message();
}

TEST(StreamDriver, FailingInitIsExplained) {
  static constexpr std::array names = {HALYARD_STUB_DRIVER};
  const auto error = enumerate_failure(
      {"x", names, "cuInit", "count", "version", std::nullopt, &error_name, &version_text});
  EXPECT_NE(error.message().find("answers 34 (ERROR_34)."), std::string::npos) << error.message();
}

TEST(StreamDriver, MissingSymbolIsNamed) {
  static constexpr std::array names = {HALYARD_STUB_DRIVER};
  const auto error = enumerate_failure(
      {"x", names, "no_such_init", "count", "version", 34, &error_name, &version_text});
  EXPECT_NE(error.message().find("no_such_init"), std::string::npos) << error.message();
}

}  // namespace
}  // namespace halyard::stream
