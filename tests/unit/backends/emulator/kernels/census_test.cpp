// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/program/semantics.h"
#include "capability-descriptors/object/amdgpu_object.h"
#include "tests/unit/backends/emulator/emulator_fixture.h"
#include "tests/unit/backends/emulator/kernels/emulated_kernels.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::emulator {

using testing::EmulatedKernels;
using testing::Variant;

namespace {

// How often each instruction stands in the code of a variant, and which of them stop a wave.
struct Census {
  std::map<std::string, std::size_t> counts;
  std::map<std::string, std::string> unknown;  // by name: where the first is
};

// Whether an operation does what its instruction says: one that is not executed here has been
// given another handler than its semantics.
bool is_executed(const Operation& operation, const SemanticContext& context) {
  if (operation.name.empty()) return false;
  Operation copy = operation;
  return choose_handler(copy, context) == operation.handler;
}

std::string name_of(const Operation& operation) {
  return operation.name.empty() ? "no instruction" : std::string(operation.name);
}

// A place counts as executed where one of the kernels that share the code does.
void count_object(const LoadedObject& object, const std::string& file, Generation generation,
                  Census* census) {
  std::set<std::uint32_t> executed;
  std::map<std::uint32_t, std::string> places;
  for (const LoadedKernel& kernel : object.kernels()) {
    const SemanticContext context{generation, kernel.lanes};
    for (const Operation& operation : kernel.program->operations()) {
      if (kernel.program->encoding(operation).empty()) continue;  // runs off the end
      if (is_executed(operation, context)) executed.insert(operation.address);
      const std::string name = name_of(operation);
      if (!places.emplace(operation.address, name).second) continue;
      ++census->counts[name];
      if (operation.second_half != nullptr) {
        ++census->counts[std::string(operation.second_half->name)];
      }
    }
  }
  for (const auto& [address, name] : places) {
    if (executed.contains(address)) continue;
    census->unknown.emplace(name, file + ", code offset " + std::to_string(address));
  }
}

Census census_of(const Variant& variant) {
  Census census;
  EmulatedKernels kernels(variant);
  std::set<std::string> files;
  for (const testing::KernelCase& test : testing::cases_of(variant))
    files.insert(test.file);
  if (variant.name == variant.target.processor) files.insert("fold");
  for (const std::string& file : files)
    count_object(kernels.object(file), file, variant.target.generation, &census);
  return census;
}

// By processor, what is bundled; other files of the folder are passed over.
std::map<std::string, Census> bundled_census() {
  std::map<std::string, Census> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(HALYARD_BUNDLED_DATA)) {
    if (!entry.is_regular_file()) continue;
    const std::string path = entry.path().string();
    const std::vector<std::byte> bytes = testing::file_bytes(path);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (!text.starts_with("\x7f"
                          "ELF"))
      continue;
    const auto object = object::parse_amdgpu_object(text, path);
    if (!object) continue;
    for (const Variant& variant : testing::variants()) {
      if (variant.name != object->target.processor) continue;
      count_object(*testing::load_object(variant.name, path), path, variant.target.generation,
                   &found[variant.name]);
    }
  }
  return found;
}

void expect_known(const std::string& variant, const Census& census) {
  std::size_t places = 0;
  for (const auto& [name, count] : census.counts)
    places += count;
  std::cout << variant << ": " << census.counts.size() << " instructions, " << places
            << " places\n";
  for (const auto& [name, where] : census.unknown)
    ADD_FAILURE() << variant << " does not execute " << name << ": " << where;
}

}  // namespace

TEST(InstructionCensus, EachInstructionOfTheTestsKernelsIsExecuted) {
  std::map<std::string, std::map<std::string, std::size_t>> table;
  for (const Variant& variant : testing::variants()) {
    const Census census = census_of(variant);
    for (const auto& [name, count] : census.counts)
      table[name][variant.name] = count;
    expect_known(variant.name, census);
    EXPECT_GT(census.counts.size(), 250U) << variant.name;
  }
  for (auto& [name, counts] : table) {
    std::cout << std::left << std::setw(36) << name << std::right;
    for (const Variant& variant : testing::variants())
      std::cout << std::setw(8) << counts[variant.name];
    std::cout << '\n';
  }
}

TEST(InstructionCensus, EachInstructionOfTheBundledKernelsIsExecuted) {
  const std::map<std::string, Census> found = bundled_census();
  for (const auto& [processor, census] : found) {
    expect_known(processor, census);
    EXPECT_GT(census.counts.size(), 100U) << processor;
  }
  EXPECT_EQ(found.size(), 3U);
}

}  // namespace halyard::emulator
