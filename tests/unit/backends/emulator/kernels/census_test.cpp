// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/program/semantics.h"
#include "tests/unit/backends/emulator/kernels/emulated_kernels.h"

#include <gtest/gtest.h>

#include <iomanip>
#include <iostream>
#include <map>
#include <set>
#include <string>

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
  for (const std::string& file : files) {
    count_object(kernels.object(file), file, variant.target.generation, &census);
  }
  return census;
}

}  // namespace

TEST(InstructionCensus, EachInstructionOfTheKernelsIsExecuted) {
  std::map<std::string, std::map<std::string, std::size_t>> table;
  for (const Variant& variant : testing::variants()) {
    const Census census = census_of(variant);
    std::size_t total = 0;
    for (const auto& [name, count] : census.counts) {
      table[name][variant.name] = count;
      total += count;
    }
    std::cout << variant.name << ": " << census.counts.size() << " instructions, " << total
              << " places\n";
    for (const auto& [name, where] : census.unknown)
      ADD_FAILURE() << variant.name << " does not execute " << name << ": " << where;
    EXPECT_GT(census.counts.size(), 250U) << variant.name;
  }
  for (auto& [name, counts] : table) {
    std::cout << std::left << std::setw(36) << name << std::right;
    for (const Variant& variant : testing::variants())
      std::cout << std::setw(8) << counts[variant.name];
    std::cout << '\n';
  }
}

}  // namespace halyard::emulator
