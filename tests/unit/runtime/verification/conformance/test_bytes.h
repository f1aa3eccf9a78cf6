// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/verification/verdict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::verification::testing {

inline std::string file_bytes(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  EXPECT_FALSE(bytes.empty()) << path;
  return bytes;
}

// The object that was made for these tests.
inline std::string object_bytes(std::string_view name) {
  return file_bytes(std::filesystem::path(HALYARD_TEST_OBJECTS) / name);
}

// The builds of bundled kernels with this extension, each beside its kernel.json.
inline std::vector<std::filesystem::path> bundled_builds(std::string_view extension) {
  std::vector<std::filesystem::path> paths;
  const auto folder = std::filesystem::path(HALYARD_BUNDLED_DATA) / "kernels";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == extension) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// The sentences of findings, one a line.
inline std::string sentences(const std::vector<Finding>& findings) {
  std::string out;
  for (const Finding& finding : findings) {
    EXPECT_EQ(finding.stage, Stage::kConformance);
    EXPECT_EQ(finding.verdict, VerdictClass::kStatic);
    out += finding.sentence + "\n";
  }
  return out;
}

}  // namespace halyard::verification::testing
