// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

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

// With one space for each run of blanks, and none at the ends.
inline std::string with_single_spaces(std::string text) {
  std::replace(text.begin(), text.end(), '\t', ' ');
  for (auto at = text.find("  "); at != std::string::npos; at = text.find("  "))
    text.erase(at, 1);
  if (text.starts_with(' ')) text.erase(0, 1);
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

// What LLVM writes for each row on a target ("gfx1100"); empty where it writes nothing.
inline std::vector<std::string> llvm_texts(std::string_view target,
                                           const std::vector<std::vector<std::uint32_t>>& rows) {
  // A dword between the rows, which shows where LLVM writes nothing for one.
  constexpr std::string_view kMarker = "[0x35 0x12 0x80 0xbf]\n";
  constexpr std::string_view kMarkerText = "s_nop 0x1235";
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "bytes").string();
  std::ofstream bytes(path);
  for (const auto& words : rows) {
    bytes << '[';
    for (const std::uint32_t word : words) {
      for (int shift = 0; shift < 32; shift += 8)
        bytes << (word >> shift & 0xff) << ' ';
    }
    bytes << "]\n" << kMarker;
  }
  bytes.close();
  std::istringstream output(output_of(
      HALYARD_LLVM_MC " --disassemble -triple=amdgcn-amd-amdhsa -mcpu=" + std::string(target) +
      ' ' + path + " 2>/dev/null || true"));
  std::vector<std::string> texts(1);
  for (std::string line; std::getline(output, line);) {
    line = with_single_spaces(line);
    if (line.empty() || line == ".text") continue;
    if (line == kMarkerText) {
      texts.emplace_back();
    } else {
      texts.back() = line;
    }
  }
  texts.pop_back();
  return texts;
}

}  // namespace halyard::object::testing
