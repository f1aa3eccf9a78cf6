// SPDX-License-Identifier: Apache-2.0
#include "runtime/toolchain/resource_use.h"

#include <gtest/gtest.h>

namespace halyard::toolchain {
namespace {

TEST(ResourceUse, WhatIsNoCodeObjectIsNamed) {
  const auto resources = resource_use("nothing", "kernel \"k\"");
  ASSERT_FALSE(resources);
  EXPECT_EQ(resources.error().code(), base::ErrorCode::kCorruptData);
  EXPECT_EQ(resources.error().message().rfind("kernel \"k\"", 0), 0U)
      << resources.error().message();
}

}  // namespace
}  // namespace halyard::toolchain
