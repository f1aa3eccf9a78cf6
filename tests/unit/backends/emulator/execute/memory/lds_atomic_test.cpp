// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/execute/memory/wave_bench.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <string>

namespace halyard::emulator {
namespace {

struct Case {
  std::string name;  // without "_RTN"
  std::uint64_t old;
  std::uint64_t data;
  std::uint64_t second;
  std::uint64_t result;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.name;
}

bool is_wide(const std::string& name) {
  return name.substr(name.size() - 2) == "64";
}

// Inserts "_RTN" before the type.
std::string returning(const std::string& name) {
  const std::size_t type = name.rfind('_');
  return name.substr(0, type) + "_RTN" + name.substr(type);
}

std::uint64_t read(const std::byte* from, bool wide) {
  std::uint64_t value = 0;
  std::memcpy(&value, from, wide ? 8 : 4);
  return value;
}

void run(const Case& c, bool returns) {
  WaveBench bench;
  const bool wide = is_wide(c.name);
  bench.use_lds(64);
  std::memcpy(bench.lds().data() + 8, &c.old, 8);
  bench.set_exec(4);
  bench.row(0)[2] = 8;
  bench.set_pair(8, 2, c.data);
  bench.set_pair(10, 2, c.second);
  Operation operation;
  const std::string name = returns ? returning(c.name) : c.name;
  operation.name = name;
  operation.source[0] = vector_operand(0);
  operation.source[1] = vector_operand(8, wide ? 2 : 1);
  operation.source[2] = vector_operand(10, wide ? 2 : 1);
  if (returns) operation.destination[0] = vector_operand(12, wide ? 2 : 1);
  ASSERT_TRUE(bench.execute(lds_semantics(), operation)) << name;
  ASSERT_FALSE(bench.report()) << bench.report()->what;
  EXPECT_EQ(read(bench.lds().data() + 8, wide), c.result) << name;
  const std::uint64_t returned = wide ? bench.pair(12, 2) : bench.row(12)[2];
  EXPECT_EQ(returned, returns ? c.old : 0) << name;
}

class LdsAtomics : public testing::TestWithParam<Case> {};

TEST_P(LdsAtomics, CombineAndReturnTheOldValue) {
  if (GetParam().name != "DS_WRAP_B32") run(GetParam(), false);
  run(GetParam(), true);
}

std::uint64_t f32(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
std::uint64_t f64(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

constexpr std::uint64_t kNan = 0x7fc00000;
constexpr std::uint64_t kMinusOne32 = 0xffffffff;
constexpr std::uint64_t kMinusOne64 = ~std::uint64_t{0};

INSTANTIATE_TEST_SUITE_P(
    Words, LdsAtomics,
    testing::Values(Case{"DS_ADD_U32", 0xfffffffe, 3, 0, 1},
                    Case{"DS_SUB_U32", 1, 3, 0, 0xfffffffe}, Case{"DS_RSUB_U32", 1, 3, 0, 2},
                    Case{"DS_INC_U32", 4, 5, 0, 5}, Case{"DS_INC_U32", 5, 5, 0, 0},
                    Case{"DS_DEC_U32", 0, 5, 0, 5}, Case{"DS_DEC_U32", 6, 5, 0, 5},
                    Case{"DS_DEC_U32", 5, 5, 0, 4},
                    Case{"DS_MIN_I32", 1, kMinusOne32, 0, kMinusOne32},
                    Case{"DS_MAX_I32", 1, kMinusOne32, 0, 1},
                    Case{"DS_MIN_U32", 1, kMinusOne32, 0, 1},
                    Case{"DS_MAX_U32", 1, kMinusOne32, 0, kMinusOne32},
                    Case{"DS_AND_B32", 6, 3, 0, 2}, Case{"DS_OR_B32", 6, 3, 0, 7},
                    Case{"DS_XOR_B32", 6, 3, 0, 5}, Case{"DS_MSKOR_B32", 0xff, 0x0f, 0x03, 0xf3},
                    // gfx9 compares with its first data, gfx11 with its second.
                    Case{"DS_CMPST_B32", 5, 5, 9, 9}, Case{"DS_CMPST_B32", 5, 9, 5, 5},
                    Case{"DS_CMPSTORE_B32", 5, 9, 5, 9}, Case{"DS_CMPSTORE_B32", 5, 5, 9, 5},
                    Case{"DS_CMPSTORE_F32", f32(0.0F), 7, f32(-0.0F), 7},
                    Case{"DS_CMPST_F32", f32(-0.0F), f32(0.0F), 7, 7},
                    Case{"DS_WRAP_B32", 7, 5, 2, 2}, Case{"DS_WRAP_B32", 3, 5, 2, 5},
                    Case{"DS_SUB_CLAMP_U32", 3, 5, 0, 0}, Case{"DS_SUB_CLAMP_U32", 5, 3, 0, 2},
                    Case{"DS_COND_SUB_U32", 3, 5, 0, 3}, Case{"DS_COND_SUB_U32", 5, 3, 0, 2}));

INSTANTIATE_TEST_SUITE_P(
    Floats, LdsAtomics,
    testing::Values(Case{"DS_ADD_F32", f32(1.5F), f32(2.25F), 0, f32(3.75F)},
                    Case{"DS_MIN_F32", f32(1.5F), f32(-2.0F), 0, f32(-2.0F)},
                    Case{"DS_MIN_F32", f32(1.5F), kNan, 0, f32(1.5F)},
                    Case{"DS_MAX_F32", f32(1.5F), f32(-2.0F), 0, f32(1.5F)},
                    Case{"DS_MIN_NUM_F32", f32(0.0F), f32(-0.0F), 0, f32(-0.0F)},
                    Case{"DS_MIN_NUM_F32", kNan, f32(1.0F), 0, f32(1.0F)},
                    Case{"DS_MAX_NUM_F32", f32(-0.0F), f32(0.0F), 0, f32(0.0F)},
                    Case{"DS_MAX_NUM_F32", f32(0.0F), f32(-0.0F), 0, f32(0.0F)},
                    Case{"DS_MAX_NUM_F32", f32(1.0F), kNan, 0, f32(1.0F)},
                    Case{"DS_PK_ADD_F16", 0x3c004000, 0x40003c00, 0, 0x42004200},
                    Case{"DS_PK_ADD_BF16", 0x3f804000, 0x40003f80, 0, 0x40404040},
                    Case{"DS_ADD_F64", f64(1.5), f64(2.25), 0, f64(3.75)},
                    Case{"DS_MIN_F64", f64(1.5), f64(-2.0), 0, f64(-2.0)},
                    Case{"DS_MAX_F64", f64(1.5), f64(-2.0), 0, f64(1.5)},
                    Case{"DS_MIN_NUM_F64", f64(0.0), f64(-0.0), 0, f64(-0.0)},
                    Case{"DS_MAX_NUM_F64", f64(1.5), f64(-2.0), 0, f64(1.5)}));

INSTANTIATE_TEST_SUITE_P(
    DoubleWords, LdsAtomics,
    testing::Values(
        Case{"DS_ADD_U64", 0xffffffff, 1, 0, 0x100000000}, Case{"DS_SUB_U64", 0, 1, 0, kMinusOne64},
        Case{"DS_RSUB_U64", 1, 3, 0, 2}, Case{"DS_INC_U64", 4, 5, 0, 5},
        Case{"DS_DEC_U64", 0, 5, 0, 5}, Case{"DS_MIN_I64", 1, kMinusOne64, 0, kMinusOne64},
        Case{"DS_MAX_I64", 1, kMinusOne64, 0, 1}, Case{"DS_MIN_U64", 1, kMinusOne64, 0, 1},
        Case{"DS_MAX_U64", 1, kMinusOne64, 0, kMinusOne64}, Case{"DS_AND_B64", 6, 3, 0, 2},
        Case{"DS_OR_B64", 6, 3, 0, 7}, Case{"DS_XOR_B64", 6, 3, 0, 5},
        Case{"DS_MSKOR_B64", 0xff, 0x0f, 0x03, 0xf3}, Case{"DS_CMPST_B64", 5, 5, 9, 9},
        Case{"DS_CMPSTORE_B64", 5, 9, 5, 9}, Case{"DS_CMPSTORE_F64", f64(0.0), 7, f64(-0.0), 7}));

Operation add_dword() {
  Operation operation;
  operation.name = "DS_ADD_RTN_U32";
  operation.source[0] = vector_operand(0);
  operation.source[1] = vector_operand(8);
  operation.destination[0] = vector_operand(9);
  return operation;
}

TEST(LdsAtomic, LanesFollowOneAnotherOnOnePlace) {
  WaveBench bench;
  bench.use_lds(4);
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    bench.row(8)[lane] = lane + 1;
  ASSERT_TRUE(bench.execute(lds_semantics(), add_dword()));
  EXPECT_EQ(read_dword(bench.lds().data()), 32u * 33 / 2);
  EXPECT_EQ(bench.row(9)[0], 0u);
  EXPECT_EQ(bench.row(9)[3], 6u);
}

TEST(LdsAtomic, DoubleWordsAreAlignedToAllOfTheirBytes) {
  WaveBench bench;
  bench.use_lds(64);
  bench.set_exec(1);
  bench.row(0)[0] = 4;
  Operation operation = add_dword();
  operation.name = "DS_ADD_RTN_U64";
  ASSERT_TRUE(bench.execute(lds_semantics(), operation));
  ASSERT_TRUE(bench.report());
  EXPECT_EQ(bench.report()->kind, ReportKind::kMisaligned);
}

TEST(LdsAtomic, ObserverSeesLoadAndStore) {
  WaveBench bench;
  AccessLog log;
  bench.workgroup().observer = &log;
  bench.use_lds(4);
  ASSERT_TRUE(bench.execute(lds_semantics(), add_dword()));
  ASSERT_EQ(log.entries.size(), 1u);
  EXPECT_TRUE(log.entries[0].is_load && log.entries[0].is_store && log.entries[0].is_atomic);
  EXPECT_EQ(log.entries[0].segment, MemorySegment::kLds);
}

TEST(LdsAtomic, ExchangeOfOneAndOfTwoPlaces) {
  WaveBench bench;
  bench.use_lds(1024);
  bench.set_exec(1);
  write_dword(bench.lds().data() + 4, 11);
  write_dword(bench.lds().data() + 8, 22);
  bench.row(8)[0] = 33;
  bench.row(9)[0] = 44;
  Operation operation;
  operation.name = "DS_STOREXCHG_2ADDR_RTN_B32";
  operation.source[0] = vector_operand(0);
  operation.source[1] = vector_operand(8);
  operation.source[2] = vector_operand(9);
  operation.destination[0] = vector_operand(8, 2);  // over the data
  operation.offset0 = 1;
  operation.offset1 = 2;
  ASSERT_TRUE(bench.execute(lds_semantics(), operation));
  EXPECT_EQ(read_dword(bench.lds().data() + 4), 33u);
  EXPECT_EQ(read_dword(bench.lds().data() + 8), 44u);
  EXPECT_EQ(bench.row(8)[0], 11u);
  EXPECT_EQ(bench.row(9)[0], 22u);
  operation.name = "DS_WRXCHG_RTN_B32";
  operation.immediate = 4;
  operation.destination[0] = vector_operand(12);
  ASSERT_TRUE(bench.execute(lds_semantics(), operation));
  EXPECT_EQ(bench.row(12)[0], 33u);
  EXPECT_EQ(read_dword(bench.lds().data() + 4), 11u);
}

}  // namespace
}  // namespace halyard::emulator
