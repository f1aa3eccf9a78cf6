// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/host_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::base {
namespace {

TEST(HostBytes, AreFilled) {
  const auto bytes = make_host_bytes(3, std::byte{7});
  ASSERT_TRUE(bytes);
  EXPECT_EQ(*bytes, (HostBytes{std::byte{7}, std::byte{7}, std::byte{7}}));
}

TEST(HostBytes, MoreThanTheMachineHasIsRefusedWithTheSize) {
  for (const std::uint64_t size : {std::uint64_t{1} << 50, UINT64_MAX}) {
    const auto bytes = make_host_bytes(size);
    ASSERT_FALSE(bytes);
    EXPECT_EQ(bytes.error().code(), ErrorCode::kOutOfMemory);
    EXPECT_THAT(bytes.error().message(),
                testing::HasSubstr("has no room for " + std::to_string(size) + " bytes."));
  }
}

}  // namespace
}  // namespace halyard::base
