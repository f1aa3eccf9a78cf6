// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace halyard::object::testing {

// What a command writes to its standard output; one that ends with a failure fails the test.
inline std::string output_of(const std::string& command) {
  std::string out;
  std::FILE* const stream = popen(command.c_str(), "r");
  if (stream == nullptr) {
    ADD_FAILURE() << command;
    return out;
  }
  std::array<char, 65536> buffer;
  for (std::size_t count = 0; (count = std::fread(buffer.data(), 1, buffer.size(), stream)) != 0;) {
    out.append(buffer.data(), count);
  }
  EXPECT_EQ(pclose(stream), 0) << command;
  return out;
}

inline std::string file_text(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// A folder that is removed with its content.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "halyard-test-XXXXXX").string();
    const char* const made = mkdtemp(name.data());
    EXPECT_NE(made, nullptr) << name;
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace halyard::object::testing
