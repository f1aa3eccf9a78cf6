// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/shipped_sets.h"

#include "capability-descriptors/isa/correction.h"
#include "capability-descriptors/isa/instruction_set_json.h"
#include "runtime/base/file.h"
#include "tests/fuzz/fuzz_target.h"

#include <algorithm>
#include <filesystem>
#include <string>

namespace halyard::fuzz {
namespace {

const std::string kFolder = HALYARD_INSTRUCTION_SETS;

std::string text_of(const std::string& path) {
  constexpr std::size_t kMostBytes = std::size_t{16} << 20;
  const auto text = base::read_text_file(path, kMostBytes);
  if (!text) require(false, text.error().message());
  return *text;
}

std::vector<isa::InstructionSet> read_sets() {
  constexpr std::string_view kEnd = ".instruction_set.json";
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    const std::string path = entry.path().string();
    if (path.ends_with(kEnd)) paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  const auto corrections = isa::parse_corrections(text_of(kFolder + "/corrections.json"), "c");
  if (!corrections) require(false, corrections.error().message());
  std::vector<isa::InstructionSet> sets;
  for (const std::string& path : paths) {
    auto set = isa::parse_instruction_set(text_of(path), path);
    if (!set) require(false, set.error().message());
    const auto corrected = isa::apply_corrections(*corrections, *set);
    if (!corrected) require(false, corrected.error().message());
    sets.push_back(std::move(*set));
  }
  require(!sets.empty(), "There is no instruction set in " HALYARD_INSTRUCTION_SETS ".");
  return sets;
}

}  // namespace

const std::vector<isa::InstructionSet>& shipped_sets() {
  static const std::vector<isa::InstructionSet> sets = read_sets();
  return sets;
}

}  // namespace halyard::fuzz
