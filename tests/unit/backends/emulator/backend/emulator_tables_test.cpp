// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/emulator_tables.h"

#include "backends/emulator/emulator_targets.h"

#include <gtest/gtest.h>

#include <string>

namespace halyard::emulator {
namespace {

TEST(EmulatorTables, AreMadeOnce) {
  EmulatorTables tables(emulated_targets()[0], HALYARD_TEST_DATA_DIRECTORY);
  const auto first = tables.get();
  ASSERT_TRUE(first) << first.error().message();
  EXPECT_EQ((*first)->set().id, "amd/rdna3");
  EXPECT_EQ(*tables.get(), *first);
}

TEST(EmulatorTables, FingerprintIsOfTheTarget) {
  const EmulatorTables first(emulated_targets()[0], HALYARD_TEST_DATA_DIRECTORY);
  const EmulatorTables second(emulated_targets()[1], HALYARD_TEST_DATA_DIRECTORY);
  const auto one = first.fingerprint();
  const auto other = second.fingerprint();
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->size(), 16U);
  EXPECT_NE(*one, *other);
}

TEST(EmulatorTables, WhatIsMissingIsNamed) {
  EmulatorTables tables({"gfx9999", "amd/none", Generation::kGfx12}, HALYARD_TEST_DATA_DIRECTORY);
  const auto fingerprint = tables.fingerprint();
  ASSERT_FALSE(fingerprint);
  EXPECT_EQ(fingerprint.error().code(), base::ErrorCode::kNotFound);
  EXPECT_EQ(fingerprint.error().message(),
            std::string("The data directory ") + HALYARD_TEST_DATA_DIRECTORY +
                " has no instruction set \"amd/none\", which gfx9999 needs.");
  EXPECT_FALSE(tables.get());
}

}  // namespace
}  // namespace halyard::emulator
