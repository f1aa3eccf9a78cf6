// SPDX-License-Identifier: Apache-2.0
// PTX, and what is none.

#include "runtime/verification/conformance/ptx_reader.h"
#include "runtime/verification/conformance/ptx_text.h"
#include "tests/fuzz/fuzz_target.h"

namespace fuzz = halyard::fuzz;
namespace verification = halyard::verification;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  verification::PtxExpectation expected;
  expected.kernel = "fuzz";
  expected.target = "ptx-8.0/sm_90a";
  verification::CodeStage stage;
  stage.entry = "saxpy";
  stage.block = {256, 1, 1};
  expected.stages.push_back(stage);
  static_cast<void>(verification::check_ptx_text(text, expected));
  static_cast<void>(verification::read_ptx(text));
  return 0;
}
