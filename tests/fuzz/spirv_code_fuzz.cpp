// SPDX-License-Identifier: Apache-2.0
// SPIR-V modules: as a whole, and by our own reader without the validator before it.

#include "runtime/verification/conformance/spirv_code.h"
#include "runtime/verification/conformance/spirv_module.h"
#include "tests/fuzz/fuzz_target.h"

#include <cstring>
#include <vector>

namespace fuzz = halyard::fuzz;
namespace verification = halyard::verification;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  verification::SpirvExpectation expected;
  expected.kernel = "fuzz";
  expected.target = "spirv-1.5";
  expected.constants = {{0, 64}};
  verification::CodeStage stage;
  stage.entry = "main";
  stage.block = {64, 1, 1};
  stage.bindings = {0, 1, 2};
  stage.push_bytes = 16;
  expected.stages.push_back(stage);
  static_cast<void>(verification::check_spirv_code(fuzz::text_of(data, size), expected));

  std::vector<std::uint32_t> words(size / 4);
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * 4);
  std::size_t fault_word = 0;
  static_cast<void>(verification::read_spirv_module(words, expected.constants, &fault_word));
  fuzz::require(fault_word <= words.size(), "A fault lies past the end.");
  return 0;
}
