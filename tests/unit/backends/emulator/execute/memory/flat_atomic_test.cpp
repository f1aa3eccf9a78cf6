// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/execute/memory/wave_bench.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <string>

namespace halyard::emulator {
namespace {

struct Case {
  const char* name;
  std::uint32_t bits;
  std::uint64_t old;
  std::uint64_t data;
  std::uint64_t compared;
  std::uint64_t result;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.name;
}

void run(const Case& c, const std::string& family, bool returns) {
  WaveBench bench(64, Generation::kGfx9);
  const bool wide = c.bits == 64;
  alignas(8) std::array<std::byte, 16> x{};
  std::memcpy(x.data() + 8, &c.old, 8);
  const std::uint64_t base = bench.add_buffer("x", x);
  bench.set_exec(std::uint64_t{1} << 50);
  bench.set_pair(0, 50, base + 12);
  bench.set_pair(8, 50, c.data);
  bench.set_pair(wide ? 10 : 9, 50, c.compared);
  const std::string name = family + c.name;
  Operation operation;
  operation.name = name;
  operation.source[0] = vector_operand(0, 2);
  operation.source[1] = vector_operand(8, 4);
  operation.immediate = -4;
  operation.returns_old_value = returns;
  operation.destination[0] = vector_operand(12, wide ? 2 : 1);
  ASSERT_TRUE(bench.execute(global_memory_semantics(), operation)) << name;
  ASSERT_FALSE(bench.report()) << bench.report()->what;
  std::uint64_t value = 0;
  std::memcpy(&value, x.data() + 8, c.bits / 8);
  EXPECT_EQ(value, c.result) << name;
  const std::uint64_t returned = wide ? bench.pair(12, 50) : bench.row(12)[50];
  EXPECT_EQ(returned, returns ? c.old : 0) << name;
}

class FlatAtomics : public testing::TestWithParam<Case> {};

TEST_P(FlatAtomics, CombineAndReturnTheOldValueWhereAsked) {
  for (const char* family : {"FLAT_", "GLOBAL_"}) {
    run(GetParam(), family, false);
    run(GetParam(), family, true);
  }
}

constexpr std::uint64_t kMinusOne32 = 0xffffffff;
constexpr std::uint64_t kMinusOne64 = ~std::uint64_t{0};

INSTANTIATE_TEST_SUITE_P(
    Gfx9, FlatAtomics,
    testing::Values(Case{"ATOMIC_SWAP", 32, 1, 2, 0, 2}, Case{"ATOMIC_CMPSWAP", 32, 1, 2, 1, 2},
                    Case{"ATOMIC_CMPSWAP", 32, 1, 2, 3, 1}, Case{"ATOMIC_ADD", 32, 1, 2, 0, 3},
                    Case{"ATOMIC_SUB", 32, 1, 2, 0, kMinusOne32},
                    Case{"ATOMIC_SMIN", 32, 1, kMinusOne32, 0, kMinusOne32},
                    Case{"ATOMIC_UMIN", 32, 1, kMinusOne32, 0, 1},
                    Case{"ATOMIC_SMAX", 32, 1, kMinusOne32, 0, 1},
                    Case{"ATOMIC_UMAX", 32, 1, kMinusOne32, 0, kMinusOne32},
                    Case{"ATOMIC_AND", 32, 6, 3, 0, 2}, Case{"ATOMIC_OR", 32, 6, 3, 0, 7},
                    Case{"ATOMIC_XOR", 32, 6, 3, 0, 5}, Case{"ATOMIC_INC", 32, 6, 6, 0, 0},
                    Case{"ATOMIC_DEC", 32, 0, 6, 0, 6},
                    Case{"ATOMIC_SWAP_X2", 64, 1, 1ull << 40, 0, 1ull << 40},
                    Case{"ATOMIC_CMPSWAP_X2", 64, 1ull << 40, 2, 1ull << 40, 2},
                    Case{"ATOMIC_ADD_X2", 64, 0xffffffff, 1, 0, 1ull << 32},
                    Case{"ATOMIC_SUB_X2", 64, 0, 1, 0, kMinusOne64},
                    Case{"ATOMIC_SMIN_X2", 64, 1, kMinusOne64, 0, kMinusOne64},
                    Case{"ATOMIC_UMAX_X2", 64, 1, kMinusOne64, 0, kMinusOne64},
                    Case{"ATOMIC_INC_X2", 64, 6, 7, 0, 7},
                    Case{"ATOMIC_ADD_F64", 64, std::bit_cast<std::uint64_t>(1.5),
                         std::bit_cast<std::uint64_t>(2.0), 0, std::bit_cast<std::uint64_t>(3.5)},
                    Case{"ATOMIC_MIN_F64", 64, std::bit_cast<std::uint64_t>(1.5),
                         std::bit_cast<std::uint64_t>(-2.0), 0, std::bit_cast<std::uint64_t>(-2.0)},
                    Case{"ATOMIC_PK_ADD_F16", 32, 0x3c003c00, 0x40004000, 0, 0x42004200},
                    Case{"ATOMIC_PK_ADD_BF16", 32, 0x3f803f80, 0x40004000, 0, 0x40404040}));

INSTANTIATE_TEST_SUITE_P(
    Gfx11, FlatAtomics,
    testing::Values(Case{"ATOMIC_SWAP_B32", 32, 1, 2, 0, 2},
                    Case{"ATOMIC_CMPSWAP_B32", 32, 1, 2, 1, 2},
                    Case{"ATOMIC_ADD_U32", 32, 1, 2, 0, 3}, Case{"ATOMIC_SUB_U32", 32, 3, 2, 0, 1},
                    Case{"ATOMIC_CSUB_U32", 32, 1, 2, 0, 0},
                    Case{"ATOMIC_COND_SUB_U32", 32, 1, 2, 0, 1},
                    Case{"ATOMIC_MIN_I32", 32, 1, kMinusOne32, 0, kMinusOne32},
                    Case{"ATOMIC_MAX_U32", 32, 1, kMinusOne32, 0, kMinusOne32},
                    Case{"ATOMIC_AND_B32", 32, 6, 3, 0, 2}, Case{"ATOMIC_INC_U32", 32, 6, 7, 0, 7},
                    Case{"ATOMIC_ADD_U64", 64, 0xffffffff, 1, 0, 1ull << 32},
                    Case{"ATOMIC_CMPSWAP_B64", 64, 1ull << 40, 2, 1ull << 40, 2},
                    Case{"ATOMIC_MAX_I64", 64, 1, kMinusOne64, 0, 1},
                    Case{"ATOMIC_ADD_F32", 32, 0x3fc00000, 0x40000000, 0, 0x40600000},
                    Case{"ATOMIC_MIN_F32", 32, 0x3fc00000, 0xc0000000, 0, 0xc0000000},
                    Case{"ATOMIC_MAX_NUM_F32", 32, 0x7fc00000, 0xc0000000, 0, 0xc0000000}));

Operation add_dword() {
  Operation operation;
  operation.name = "GLOBAL_ATOMIC_ADD_U32";
  operation.source[0] = vector_operand(0);
  operation.source[1] = vector_operand(8);
  operation.source[3] = scalar_operand(2, 2);
  return operation;
}

TEST(FlatAtomic, HistogramOfLanes) {
  WaveBench bench;
  std::array<std::byte, 16> x{};
  bench.wave().set_scalar64(2, bench.add_buffer("x", x));
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    bench.row(0)[lane] = 4 * (lane % 4);
    bench.row(8)[lane] = 1;
  }
  ASSERT_TRUE(bench.execute(global_memory_semantics(), add_dword()));
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(read_dword(x.data() + 4 * i), 8u);
}

TEST(FlatAtomic, ReadOnlyMemoryStops) {
  WaveBench bench;
  std::array<std::byte, 16> x{};
  bench.wave().set_scalar64(2, bench.add_buffer("x", x, false));
  ASSERT_TRUE(bench.execute(global_memory_semantics(), add_dword()));
  ASSERT_TRUE(bench.report());
  EXPECT_EQ(bench.report()->kind, ReportKind::kStoreToConstant);
}

TEST(FlatAtomic, FlatReachesTheLds) {
  WaveBench bench;
  bench.use_lds(8);
  bench.set_exec(3);
  for (std::uint32_t lane = 0; lane < 2; ++lane) {
    bench.set_pair(0, lane, std::uint64_t{kSharedAperture} << 32 | 4);
    bench.row(8)[lane] = 5;
  }
  Operation operation;
  operation.name = "FLAT_ATOMIC_ADD_U32";
  operation.source[0] = vector_operand(0, 2);
  operation.source[1] = vector_operand(8);
  ASSERT_TRUE(bench.execute(global_memory_semantics(), operation));
  EXPECT_EQ(read_dword(bench.lds().data() + 4), 10u);
}

}  // namespace
}  // namespace halyard::emulator
