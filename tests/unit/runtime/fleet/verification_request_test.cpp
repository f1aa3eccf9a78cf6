// SPDX-License-Identifier: Apache-2.0
#include "runtime/fleet/verification_request.h"

#include "tests/unit/kernel-store/store_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::fleet {
namespace {

using ::testing::HasSubstr;

TEST(VerificationRequest, NamesTheKernel) {
  const store::KernelId kernel = store::testing::make_package().id;
  const auto read = parse_verification_request(verification_request_json(kernel));
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(*read, kernel);
}

TEST(VerificationRequest, OtherDocumentsAreRefusedWithThePlace) {
  const auto message = [](const char* document) {
    const auto read = parse_verification_request(document);
    EXPECT_FALSE(read) << document;
    if (read) return std::string();
    EXPECT_EQ(read.error().code(), base::ErrorCode::kCorruptData);
    return read.error().message();
  };
  EXPECT_THAT(message("{}"), HasSubstr("/format"));
  EXPECT_THAT(message(R"({"format":"halyard.verification-request/1"})"), HasSubstr("/kernel"));
  EXPECT_THAT(message(R"({"format":"halyard.verification-request/1","kernel":"../x"})"),
              HasSubstr("/kernel is not 64 lower-case hexadecimal digits"));
  EXPECT_THAT(message(R"({"format":"halyard.verification-request/1","kernel":"","run":"x"})"),
              HasSubstr("run"));
  EXPECT_THAT(message("[]"), HasSubstr("request"));
}

}  // namespace
}  // namespace halyard::fleet
