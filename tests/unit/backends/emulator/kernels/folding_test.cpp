// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/kernels/case_data.h"
#include "tests/unit/backends/emulator/kernels/emulated_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace halyard::emulator {

using testing::EmulatedKernels;
using testing::KernelCase;
using testing::Variant;

namespace {

// What an operation gives for some operands, by LLVM's constant folding.
struct FoldedRow {
  std::array<std::uint64_t, 3> operands{};
  std::uint64_t result = 0;
  std::string text;
};

// Rows by the kernel that executes them: "fadd_f32_up".
std::map<std::string, std::vector<FoldedRow>> folded_rows() {
  std::map<std::string, std::vector<FoldedRow>> rows;
  std::ifstream stream(HALYARD_FOLD_ROWS);
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::string operation;
    std::string mode;
    words >> operation >> mode;
    FoldedRow row;
    row.text = line;
    std::size_t at = 0;
    for (std::string word; words >> word && word != "=";)
      row.operands.at(at++) = std::stoull(word, nullptr, 16);
    words >> std::hex >> row.result;
    rows[operation + "_" + mode].push_back(row);
  }
  return rows;
}

bool ends_with_any(const std::string& name, std::initializer_list<const char*> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](const char* ending) { return name.ends_with(ending); });
}

// The bits of a NaN are not defined, only that it is one.
bool is_nan(const std::string& operation, std::uint64_t bits) {
  if (operation.starts_with("fcmp") || operation.starts_with("class")) return false;
  if (ends_with_any(operation, {"_f32", "_float", "_legacy"})) {
    return std::isnan(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  if (ends_with_any(operation, {"_f64", "_double"})) return std::isnan(std::bit_cast<double>(bits));
  if (ends_with_any(operation, {"_f16", "_half"})) return (bits & 0x7fff) > 0x7c00;
  if (operation.ends_with("_bfloat")) return (bits & 0x7fff) > 0x7f80;
  return false;
}

bool is_same(const std::string& operation, std::uint64_t found, std::uint64_t expected) {
  if (found == expected) return true;
  if (operation.ends_with("_v2f16")) {
    return is_same("_f16", found & 0xffff, expected & 0xffff) &&
           is_same("_f16", found >> 16, expected >> 16);
  }
  return is_nan(operation, found) && is_nan(operation, expected);
}

// Each item in a lane of its own; or, for scalar instructions, in a workgroup of its own; or in a
// lane that branches by it.
enum class Spread : std::uint8_t { kLanes, kWorkgroups, kBranches };

std::string prefix_of(Spread spread) {
  switch (spread) {
    case Spread::kWorkgroups:
      return "uniform_";
    case Spread::kBranches:
      return "branch_";
    default:
      return "";
  }
}

bool has_kernel(const std::string& kernel, Spread spread) {
  return spread != Spread::kBranches || kernel.starts_with("fcmp_") ||
         kernel.starts_with("icmp_") || kernel.starts_with("class_");
}

KernelCase launch_of(const std::string& kernel, const std::vector<FoldedRow>& rows, Spread spread) {
  const bool is_uniform = spread == Spread::kWorkgroups;
  const std::size_t groups = is_uniform ? rows.size() : (rows.size() + 63) / 64;
  KernelCase test{"fold",
                  prefix_of(spread) + kernel,
                  {static_cast<std::uint32_t>(groups), 1, 1},
                  {64, 1, 1},
                  {}};
  for (std::size_t operand = 0; operand < 3; ++operand) {
    std::vector<std::uint64_t> items(groups * 64, 1);
    for (std::size_t i = 0; i < rows.size(); ++i)
      items[i] = rows[i].operands[operand];
    test.arguments.push_back(testing::input(items));
  }
  test.arguments.push_back(testing::output(groups * 64 * sizeof(std::uint64_t)));
  return test;
}

// The rows that a target executes otherwise than they are folded, one sentence each.
std::vector<std::string> wrong_rows(EmulatedKernels* kernels, const std::string& kernel,
                                    const std::vector<FoldedRow>& rows, Spread spread) {
  const std::string operation = kernel.substr(0, kernel.rfind('_'));
  const KernelCase test = launch_of(kernel, rows, spread);
  const EmulatedKernels::Outcome outcome = kernels->run(test, {});
  if (!outcome.failure.empty()) return {test.kernel + ": " + outcome.failure};
  // The last lane of a workgroup has what all have.
  const std::size_t step = spread == Spread::kWorkgroups ? 64 : 1;
  std::vector<std::string> wrong;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::uint64_t found = 0;
    std::memcpy(&found, &outcome.memory[3][((i + 1) * step - 1) * sizeof found], sizeof found);
    if (is_same(operation, found, rows[i].result)) continue;
    std::ostringstream sentence;
    sentence << test.kernel << ": " << rows[i].text << ", and the kernel gives " << std::hex
             << found;
    wrong.push_back(sentence.str());
  }
  return wrong;
}

void expect_rows_as_folded(const Variant& variant, Spread spread, std::size_t least) {
  EmulatedKernels kernels(variant);
  std::size_t count = 0;
  for (const auto& [kernel, rows] : folded_rows()) {
    if (!has_kernel(kernel, spread)) continue;
    count += rows.size();
    for (const std::string& sentence : wrong_rows(&kernels, kernel, rows, spread))
      ADD_FAILURE() << sentence;
  }
  std::cout << count << " rows\n";
  EXPECT_GT(count, least);
}

class FoldedRowsTest : public ::testing::TestWithParam<Variant> {};

std::vector<Variant> folded_variants() {
  std::vector<Variant> kept;
  for (const Variant& variant : testing::variants())
    if (variant.name == variant.target.processor) kept.push_back(variant);
  return kept;
}

}  // namespace

TEST_P(FoldedRowsTest, AreWhatVectorInstructionsGive) {
  expect_rows_as_folded(GetParam(), Spread::kLanes, 4000);
}

TEST_P(FoldedRowsTest, AreWhatScalarInstructionsGive) {
  expect_rows_as_folded(GetParam(), Spread::kWorkgroups, 4000);
}

TEST_P(FoldedRowsTest, AreHowLanesBranch) {
  expect_rows_as_folded(GetParam(), Spread::kBranches, 800);
}

TEST_P(FoldedRowsTest, ARowWithAnotherResultIsFound) {
  EmulatedKernels kernels(GetParam());
  std::vector<FoldedRow> rows = folded_rows()["fma_f32_up"];
  ASSERT_GT(rows.size(), 3U);
  rows[3].result ^= 1;
  EXPECT_EQ(wrong_rows(&kernels, "fma_f32_up", rows, Spread::kLanes).size(), 1U);
  EXPECT_EQ(wrong_rows(&kernels, "fma_f32_up", rows, Spread::kWorkgroups).size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Targets, FoldedRowsTest, ::testing::ValuesIn(folded_variants()),
                         [](const auto& param) { return param.param.name; });

}  // namespace halyard::emulator
