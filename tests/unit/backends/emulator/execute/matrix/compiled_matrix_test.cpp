// SPDX-License-Identifier: Apache-2.0
// Matrix instructions as a compiler encodes them, against the same operation built by hand: what
// modifiers, constants and accumulation registers become when a program is decoded.
#include "tests/unit/backends/emulator/emulator_fixture.h"
#include "tests/unit/backends/emulator/execute/memory/wave_bench.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <string>

namespace halyard::emulator {
namespace {

constexpr std::uint32_t kInputs = 68;  // dwords of a lane: A, B, C and one more
constexpr std::uint32_t kOutputs = 32;
constexpr std::uint32_t kA = 0;
constexpr std::uint32_t kB = 16;
constexpr std::uint32_t kC = 32;
constexpr std::uint32_t kMore = 64;

struct Case {
  const char* processor;
  const char* kernel;
  const char* instruction;
  std::uint32_t results;  // dwords of D
  std::uint8_t negate = 0;
  std::uint8_t op_sel = 0;
  bool clamp = false;
  std::uint8_t cbsz = 0;
  std::uint8_t abid = 0;
  std::uint8_t blgp = 0;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.processor << " " << c.kernel;
}

Generation generation_of(const std::string& processor) {
  if (processor.starts_with("gfx9")) return Generation::kGfx9;
  return processor.starts_with("gfx11") ? Generation::kGfx11 : Generation::kGfx12;
}

// D lies over C.
Operation operation_of(const Case& c) {
  const std::string name = c.instruction;
  const bool is_sparse = name.find("SMFMAC") != name.npos || name.find("SWMMAC") != name.npos;
  Operation operation;
  operation.name = c.instruction;
  operation.family = isa::EncodingFamily::kVop3p;
  operation.destination[0] = vector_operand(kC, c.results);
  operation.source[0] = vector_operand(kA);
  operation.source[1] = vector_operand(kB);
  operation.source[2] = vector_operand(is_sparse ? kMore : kC, c.results);
  if (std::string(c.kernel) == "constant")
    operation.source[2] = constant_operand(std::bit_cast<std::uint32_t>(4.0F));
  operation.negate = c.negate;
  operation.op_sel = c.op_sel;
  operation.op_sel_hi = 7;
  operation.clamp = c.clamp;
  operation.cbsz = c.cbsz;
  operation.abid = c.abid;
  operation.blgp = c.blgp;
  return operation;
}

class CompiledMatrix : public ::testing::TestWithParam<Case> {};

TEST_P(CompiledMatrix, DecodesToTheOperation) {
  const Case& c = GetParam();
  const std::uint32_t lanes = generation_of(c.processor) == Generation::kGfx9 ? 64 : 32;
  std::mt19937 random(5);
  std::vector<std::uint32_t> in(std::size_t{kInputs} * lanes);
  // Most random bits are ordinary numbers of each format.
  for (std::uint32_t& dword : in)
    dword = static_cast<std::uint32_t>(random()) & 0xbfffbfff;
  std::vector<std::uint32_t> out(std::size_t{kOutputs} * lanes);

  WaveBench bench(lanes, generation_of(c.processor));
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    for (std::uint32_t i = 0; i <= kMore; ++i)
      bench.row(i)[lane] = in[std::size_t{kInputs} * lane + i];
  }
  const bool is_dot = std::string(c.kernel).starts_with("dot");
  ASSERT_TRUE(bench.execute(is_dot ? dot_semantics() : matrix_semantics(), operation_of(c)));

  const auto object = testing::load_object(
      c.processor,
      std::string(HALYARD_MATRIX_OBJECTS "/matrix_instructions.") + c.processor + ".hsaco");
  LaunchDesc desc;
  desc.block = {lanes, 1, 1};
  desc.arguments = {testing::constant_memory("in", in), testing::memory("out", out)};
  const LaunchOutcome outcome = testing::run(*object, c.kernel, desc);
  ASSERT_FALSE(outcome.report) << report_text(*outcome.report);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    for (std::uint32_t i = 0; i < c.results; ++i) {
      ASSERT_EQ(out[std::size_t{kOutputs} * lane + i], bench.row(kC + i)[lane])
          << "lane " << lane << ", register " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Gfx9, CompiledMatrix,
    ::testing::Values(
        Case{"gfx90a", "halves", "V_MFMA_F32_16X16X16F16", 4},
        Case{"gfx90a", "old_brains", "V_MFMA_F32_16X16X8BF16", 4},
        Case{"gfx90a", "bytes", "V_MFMA_I32_16X16X16I8", 4},
        Case{"gfx90a", "doubles", "V_MFMA_F64_16X16X4F64", 8},
        Case{"gfx942", "small_blocks", "V_MFMA_F32_4X4X4_16B_F16", 4, 0, 0, false, 2, 3, 5},
        Case{"gfx942", "large_blocks", "V_MFMA_F32_32X32X4_2B_BF16", 32, 0, 0, false, 1, 1, 3},
        Case{"gfx942", "bytes", "V_MFMA_I32_16X16X32_I8", 4},
        Case{"gfx942", "xf32", "V_MFMA_F32_16X16X8_XF32", 4},
        Case{"gfx942", "float8", "V_MFMA_F32_16X16X32_FP8_BF8", 4},
        Case{"gfx942", "doubles", "V_MFMA_F64_16X16X4_F64", 8, 0, 0, false, 0, 0, 5},
        Case{"gfx942", "constant", "V_MFMA_F32_16X16X16_F16", 4},
        Case{"gfx942", "sparse_halves", "V_SMFMAC_F32_16X16X32_F16", 4, 0, 0, false, 0, 2},
        Case{"gfx942", "sparse_bytes", "V_SMFMAC_I32_16X16X64_I8", 4, 0, 0, false, 0, 1},
        Case{"gfx942", "dot_bytes", "V_DOT4_I32_I8", 1, 0, 0, true},
        Case{"gfx942", "dot_nibbles", "V_DOT8_U32_U4", 1},
        Case{"gfx942", "dot_words", "V_DOT2_I32_I16", 1, 0, 0, true},
        Case{"gfx942", "dot_halves", "V_DOT2_F32_F16", 1, 0, 0, true}));

INSTANTIATE_TEST_SUITE_P(
    Gfx11, CompiledMatrix,
    ::testing::Values(Case{"gfx1100", "halves", "V_WMMA_F32_16X16X16_F16", 8},
                      Case{"gfx1100", "high_halves", "V_WMMA_F16_16X16X16_F16", 8, 0, 4},
                      Case{"gfx1100", "low_brains", "V_WMMA_BF16_16X16X16_BF16", 8},
                      Case{"gfx1100", "bytes", "V_WMMA_I32_16X16X16_IU8", 8, 1, 0, true},
                      Case{"gfx1100", "nibbles", "V_WMMA_I32_16X16X16_IU4", 8, 2},
                      Case{"gfx1100", "dot_bytes", "V_DOT4_I32_IU8", 1, 1, 0, true},
                      Case{"gfx1100", "dot_nibbles", "V_DOT8_I32_IU4", 1, 3},
                      Case{"gfx1100", "dot_halves", "V_DOT2_F32_F16", 1, 0, 0, true},
                      Case{"gfx1100", "dot_brains", "V_DOT2_F32_BF16", 1, 0, 0, true}));

INSTANTIATE_TEST_SUITE_P(
    Gfx12, CompiledMatrix,
    ::testing::Values(Case{"gfx1201", "halves", "V_WMMA_F32_16X16X16_F16", 8},
                      Case{"gfx1201", "packed_halves", "V_WMMA_F16_16X16X16_F16", 4},
                      Case{"gfx1201", "float8", "V_WMMA_F32_16X16X16_FP8_BF8", 8},
                      Case{"gfx1201", "nibbles", "V_WMMA_I32_16X16X32_IU4", 8, 1, 0, true},
                      Case{"gfx1201", "sparse_halves", "V_SWMMAC_F32_16X16X32_F16", 8, 0, 1},
                      Case{"gfx1201", "sparse_bytes", "V_SWMMAC_I32_16X16X32_IU8", 8, 3},
                      Case{"gfx1201", "sparse_nibbles", "V_SWMMAC_I32_16X16X64_IU4", 8, 2, 0, true},
                      Case{"gfx1201", "sparse_float8", "V_SWMMAC_F32_16X16X32_BF8_FP8", 8},
                      Case{"gfx1201", "dot_float8", "V_DOT4_F32_FP8_BF8", 1}));

}  // namespace
}  // namespace halyard::emulator
