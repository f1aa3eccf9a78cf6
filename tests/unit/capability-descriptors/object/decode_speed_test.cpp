// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/instruction_decoder.h"
#include "capability-descriptors/object/amdgpu_object.h"
#include "tests/unit/capability-descriptors/isa/shipped_instruction_set.h"
#include "tests/unit/capability-descriptors/object/compiled_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <ctime>

namespace halyard::object {
namespace {

double processor_seconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// The code of all compiled kernels of a target, one after another.
std::vector<std::uint32_t> code_of(std::string_view target) {
  std::vector<std::uint32_t> words;
  for (const std::string_view file : testing::kKernelFiles) {
    const std::string bytes = testing::kernel_bytes(file, target);
    const auto object = parse_amdgpu_object(bytes, file);
    for (const ElfSection& section : object->elf.sections) {
      if (section.name != ".text") continue;
      const std::size_t before = words.size();
      words.resize(before + section.bytes.size() / 4);
      std::memcpy(words.data() + before, section.bytes.data(), (words.size() - before) * 4);
    }
  }
  // What fills the space between kernels would flatter the figure.
  std::erase_if(words, [](std::uint32_t word) { return word == 0xbf9f0000 || word == 0xbf800000; });
  return words;
}

TEST(DecodeSpeed, TwentyMillionInstructionsASecondOnOneCore) {
  for (const auto& [target, architecture] :
       {std::pair("gfx1100", "rdna3"), std::pair("gfx1201", "rdna4"),
        std::pair("gfx942", "cdna3")}) {
    const auto decoder =
        isa::InstructionDecoder::create(isa::testing::shipped_instruction_set(architecture));
    ASSERT_TRUE(decoder);
    const std::vector<std::uint32_t> words = code_of(target);
    double best = 0;
    for (int run = 0; run < 5; ++run) {
      std::size_t count = 0;
      const double start = processor_seconds();
      for (int repeat = 0; repeat < 200; ++repeat) {
        for (std::size_t word = 0; word < words.size(); ++count) {
          isa::DecodedInstruction decoded;
          const bool known = decoder->decode(std::span(words).subspan(word), &decoded);
          word += known ? decoded.size_bytes / 4 : 1;
        }
      }
      best = std::max(best, static_cast<double>(count) / (processor_seconds() - start));
    }
    RecordProperty(target, std::to_string(best / 1e6) + " million instructions a second");
    EXPECT_GE(best, 20e6) << target;
  }
}

}  // namespace
}  // namespace halyard::object
