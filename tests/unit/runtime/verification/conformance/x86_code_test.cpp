// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/x86_code.h"

#include "tests/unit/runtime/verification/conformance/test_bytes.h"

#include <cstdio>
#include <map>
#include <memory>

namespace halyard::verification {
namespace {

using testing::bundled_builds;
using testing::file_bytes;

// Address to bytes of each instruction, as the disassembler of LLVM finds them.
std::map<std::uint64_t, std::string> listed_instructions(const std::filesystem::path& path) {
  const std::string command =
      std::string(HALYARD_LLVM_OBJDUMP) + " -d '" + path.string() + "' 2>/dev/null";
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::map<std::uint64_t, std::string> out;
  char line[512];
  while (pipe && std::fgets(line, sizeof(line), pipe.get()) != nullptr) {
    char* end = nullptr;
    const std::uint64_t address = std::strtoull(line, &end, 16);
    if (end == line || *end != ':') continue;
    std::string bytes;
    for (const char* at = end + 1; at[0] == ' ' && std::isxdigit(at[1]) != 0; at += 3)
      bytes += static_cast<char>(std::strtoul(std::string(at + 1, 2).c_str(), nullptr, 16));
    out.emplace(address, bytes);
  }
  return out;
}

TEST(X86Code, LengthsAreThoseOfTheDisassembler) {
  std::size_t count = 0;
  std::size_t wrong = 0;
  constexpr std::size_t kStep = 7;  // every build takes the disassembler many seconds
  const auto builds = bundled_builds(".so");
  for (std::size_t i = 0; i < builds.size(); i += kStep) {
    const auto& path = builds[i];
    for (const auto& [address, bytes] : listed_instructions(path)) {
      const auto decoded = decode_x86(bytes);
      ++count;
      if (decoded && decoded->size_bytes == bytes.size() && decoded->forbidden.empty()) continue;
      if (++wrong <= 10) {
        ADD_FAILURE() << path << " at " << address << ": " << (decoded ? decoded->size_bytes : 0)
                      << " of " << bytes.size();
      }
    }
  }
  EXPECT_GT(count, 10000U);
  EXPECT_EQ(wrong, 0U);
}

std::string forbidden(std::string_view bytes) {
  const auto decoded = decode_x86(bytes);
  return decoded ? std::string(decoded->forbidden) : "not decoded";
}

TEST(X86Code, RequestsOfTheSystemAreNamed) {
  EXPECT_EQ(forbidden("\x0f\x05"), "syscall");
  EXPECT_EQ(forbidden("\x48\x0f\x05"), "syscall");  // with prefixes that change nothing
  EXPECT_EQ(forbidden("\x66\xf3\x0f\x05"), "syscall");
  EXPECT_EQ(forbidden("\x0f\x34"), "sysenter");
  EXPECT_EQ(forbidden("\xcd\x80"), "int");
  EXPECT_EQ(forbidden("\xf4"), "hlt");
  EXPECT_EQ(forbidden("\x0f\x01\xef"), "wrpkru");
  EXPECT_EQ(forbidden("\xf3\x48\x0f\xae\xd0"), "wrfsbase");
  EXPECT_EQ(forbidden("\xec"), "port input or output");
  EXPECT_EQ(forbidden("\xff\x2f"), "a far jump");
  EXPECT_EQ(forbidden(std::string_view("\xb8\x0f\x05\x00\x00", 5)), "");  // mov $0x50f, %eax
  EXPECT_EQ(forbidden("\x0f"), "not decoded");
  EXPECT_EQ(forbidden("\xe8\x01\x02"), "not decoded");
}

TEST(X86Code, ChangesOfTheThreadsStateAreNamed) {
  EXPECT_EQ(forbidden("\x0f\xae\x14\x24"), "ldmxcsr");
  EXPECT_EQ(forbidden("\x41\x0f\xae\x13"), "ldmxcsr");
  EXPECT_EQ(forbidden("\xc5\xf8\xae\x14\x24"), "vldmxcsr");
  EXPECT_EQ(forbidden("\xc4\xc1\x78\xae\x13"), "vldmxcsr");
  EXPECT_EQ(forbidden("\x0f\xae\x0f"), "fxrstor");
  EXPECT_EQ(forbidden("\x0f\xae\x2f"), "xrstor");
  EXPECT_EQ(forbidden("\xd9\x2c\x24"), "fldcw");
  EXPECT_EQ(forbidden("\xd9\x27"), "fldenv");
  EXPECT_EQ(forbidden("\xdd\x27"), "frstor");
  EXPECT_EQ(forbidden("\xdb\xe3"), "fninit");
  EXPECT_EQ(forbidden("\xfd"), "std");
  EXPECT_EQ(forbidden("\x9d"), "popf");
}

TEST(X86Code, WhatReadsTheThreadsStateIsAllowed) {
  EXPECT_EQ(forbidden("\x0f\xae\x1c\x24"), "");      // stmxcsr
  EXPECT_EQ(forbidden("\xc5\xf8\xae\x1c\x24"), "");  // vstmxcsr
  EXPECT_EQ(forbidden("\xd9\x3c\x24"), "");          // fnstcw
  EXPECT_EQ(forbidden("\x0f\xae\xe8"), "");          // lfence
  EXPECT_EQ(forbidden("\x0f\xae\xf8"), "");          // sfence
  EXPECT_EQ(forbidden("\xd9\xe8"), "");              // fld1
  EXPECT_EQ(forbidden("\xdd\xd8"), "");              // fstp %st(0)
  EXPECT_EQ(forbidden("\x9c"), "");                  // pushf
  EXPECT_EQ(forbidden("\xfc"), "");                  // cld
}

TEST(X86Code, BranchesHaveTheirDistance) {
  const auto call = decode_x86(std::string_view("\xe8\x10\x00\x00\x00", 5));
  ASSERT_TRUE(call);
  EXPECT_EQ(call->distance, 16);
  EXPECT_FALSE(call->is_end);
  const auto jump = decode_x86("\xeb\xfe");
  ASSERT_TRUE(jump);
  EXPECT_EQ(jump->distance, -2);
  EXPECT_TRUE(jump->is_end);
  const auto back = decode_x86("\xc3");
  ASSERT_TRUE(back);
  EXPECT_FALSE(back->distance);
  EXPECT_TRUE(back->is_end);
}

}  // namespace
}  // namespace halyard::verification
