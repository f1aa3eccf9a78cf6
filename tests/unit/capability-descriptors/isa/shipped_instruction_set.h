// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/correction.h"
#include "capability-descriptors/isa/instruction_set.h"
#include "capability-descriptors/isa/instruction_set_json.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace halyard::isa::testing {

inline std::string shipped_text(const std::string& file) {
  std::ifstream stream(std::string(HALYARD_INSTRUCTION_SETS) + '/' + file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The instructions of an architecture of AMD ("rdna4"), as they are used: with the corrections.
inline InstructionSet shipped_instruction_set(std::string_view architecture) {
  const std::string file = std::string(architecture) + ".instruction_set.json";
  auto set = parse_instruction_set(shipped_text(file), file);
  if (!set) {
    ADD_FAILURE() << set.error().message();
    return {};
  }
  const auto corrections = parse_corrections(shipped_text("corrections.json"), "corrections.json");
  if (!corrections) {
    ADD_FAILURE() << corrections.error().message();
    return {};
  }
  const auto applied = apply_corrections(*corrections, *set);
  EXPECT_TRUE(applied) << applied.error().message();
  return std::move(*set);
}

}  // namespace halyard::isa::testing
