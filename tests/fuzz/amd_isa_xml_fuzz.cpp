// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/amd_isa_xml.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/instruction_set_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto set = halyard::isa::read_amd_isa_xml(halyard::fuzz::text_of(data, size), "fuzz.xml");
  if (set) halyard::fuzz::check_instruction_set(*set);
  return 0;
}
