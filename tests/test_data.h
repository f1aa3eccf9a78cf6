// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string_view>

namespace halyard::testing {

// The folder that HALYARD_TEST_DATA names, or nothing when the variable is not set; then
// `left_out`, a sentence on what this test does not cover without it, is printed and repeated by
// tools/test.sh. A variable that names no folder fails the test.
inline std::optional<std::filesystem::path> test_data(std::string_view left_out) {
  const char* const value = std::getenv("HALYARD_TEST_DATA");
  if (value == nullptr || *value == '\0') {
    std::cout << "[ LEFT OUT ] " << left_out << " (HALYARD_TEST_DATA is not set.)\n";
    return std::nullopt;
  }
  std::filesystem::path folder(value);
  if (!std::filesystem::is_directory(folder)) {
    ADD_FAILURE() << "HALYARD_TEST_DATA names \"" << value << "\", which is no folder.";
    return std::nullopt;
  }
  return folder;
}

}  // namespace halyard::testing
