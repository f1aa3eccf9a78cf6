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
#include <utility>
#include <vector>

namespace halyard::isa::testing {

inline std::string shipped_text(const std::string& file) {
  std::ifstream stream(std::string(HALYARD_INSTRUCTION_SETS) + '/' + file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The table of an architecture of AMD ("rdna4") as it stands in its file.
inline std::string shipped_table_text(std::string_view architecture) {
  return shipped_text(std::string(architecture) + ".instruction_set.json");
}
inline InstructionSet shipped_table(std::string_view architecture) {
  auto set = parse_instruction_set(shipped_table_text(architecture), architecture);
  if (set) return std::move(*set);
  ADD_FAILURE() << set.error().message();
  return {};
}

inline std::vector<Correction> shipped_corrections() {
  auto corrections = parse_corrections(shipped_text("corrections.json"), "corrections.json");
  if (corrections) return std::move(*corrections);
  ADD_FAILURE() << corrections.error().message();
  return {};
}

// The instructions of an architecture as they are used: with the corrections.
inline InstructionSet shipped_instruction_set(std::string_view architecture) {
  InstructionSet set = shipped_table(architecture);
  const auto applied = apply_corrections(shipped_corrections(), set);
  EXPECT_TRUE(applied) << applied.error().message();
  return set;
}

}  // namespace halyard::isa::testing
