// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace halyard::object::testing {

inline constexpr std::array<std::string_view, 3> kTargets = {"gfx1100", "gfx1201", "gfx942"};
inline constexpr std::array<std::string_view, 5> kKernelFiles = {"arithmetic", "control", "matrix",
                                                                 "memory", "reduction"};

// The code object that was made of kernels/<file>.hip for a target.
inline std::string kernel_path(std::string_view file, std::string_view target) {
  return std::string(HALYARD_TEST_KERNELS) + "/" + std::string(file) + "." + std::string(target) +
         ".hsaco";
}

inline std::string kernel_bytes(std::string_view file, std::string_view target) {
  const std::string path = kernel_path(file, target);
  std::ifstream stream(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  EXPECT_FALSE(bytes.empty()) << path;
  return bytes;
}

}  // namespace halyard::object::testing
