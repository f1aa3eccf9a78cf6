// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/execute/memory/wave_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace halyard::emulator {
namespace {

using testing::HasSubstr;

Operation load(const char* name, std::uint32_t dwords = 1) {
  Operation operation;
  operation.name = name;
  operation.destination[0] = scalar_operand(20, dwords);
  operation.source[0] = scalar_operand(4, 2);
  return operation;
}

std::array<std::byte, 64> counted() {
  std::array<std::byte, 64> bytes{};
  for (std::uint32_t i = 0; i < 16; ++i)
    write_dword(bytes.data() + 4 * i, 0x100 + i);
  return bytes;
}

TEST(ScalarMemory, EachWidthFillsAsManyScalars) {
  const std::pair<const char*, std::uint32_t> cases[] = {
      {"S_LOAD_DWORD", 1},     {"S_LOAD_DWORDX2", 2}, {"S_LOAD_DWORDX4", 4}, {"S_LOAD_DWORDX8", 8},
      {"S_LOAD_DWORDX16", 16}, {"S_LOAD_B32", 1},     {"S_LOAD_B64", 2},     {"S_LOAD_B96", 3},
      {"S_LOAD_B128", 4},      {"S_LOAD_B256", 8},    {"S_LOAD_B512", 16}};
  for (const auto& [name, dwords] : cases) {
    WaveBench bench;
    std::array<std::byte, 64> bytes = counted();
    bench.wave().set_scalar64(4, bench.add_buffer("kernarg segment", bytes, false));
    ASSERT_TRUE(bench.execute(scalar_memory_semantics(), load(name, dwords))) << name;
    ASSERT_FALSE(bench.report()) << name;
    for (std::uint32_t i = 0; i < 16; ++i)
      EXPECT_EQ(bench.wave().scalar[20 + i], i < dwords ? 0x100 + i : 0) << name << ", " << i;
  }
}

TEST(ScalarMemory, NarrowLoadsAreWidened) {
  const std::pair<const char*, std::uint32_t> cases[] = {{"S_LOAD_U8", 0x000000fe},
                                                         {"S_LOAD_I8", 0xfffffffe},
                                                         {"S_LOAD_U16", 0x0000fdfe},
                                                         {"S_LOAD_I16", 0xfffffdfe}};
  for (const auto& [name, expected] : cases) {
    WaveBench bench(32, Generation::kGfx12);
    std::array<std::byte, 4> bytes = {std::byte{0}, std::byte{0}, std::byte{0xfe}, std::byte{0xfd}};
    bench.wave().set_scalar64(4, bench.add_buffer("x", bytes));
    bench.wave().scalar[20] = 0xdeadbeef;
    Operation operation = load(name);
    operation.immediate = 2;
    ASSERT_TRUE(bench.execute(scalar_memory_semantics(), operation)) << name;
    ASSERT_FALSE(bench.report()) << name;
    EXPECT_EQ(bench.wave().scalar[20], expected) << name;
  }
}

TEST(ScalarMemory, OffsetsAreAdded) {
  WaveBench bench;
  std::array<std::byte, 64> bytes = counted();
  const std::uint64_t base = bench.add_buffer("x", bytes);
  bench.wave().set_scalar64(4, base + 32);
  Operation operation = load("S_LOAD_B32");
  operation.immediate = -16;
  operation.source[4] = scalar_operand(9);
  bench.wave().scalar[9] = 8;
  ASSERT_TRUE(bench.execute(scalar_memory_semantics(), operation));
  EXPECT_EQ(bench.wave().scalar[20], 0x106u);
  operation.source[4] = constant_operand(12);
  ASSERT_TRUE(bench.execute(scalar_memory_semantics(), operation));
  EXPECT_EQ(bench.wave().scalar[20], 0x107u);
}

TEST(ScalarMemory, LoadBehindTheEndStops) {
  WaveBench bench;
  std::array<std::byte, 64> bytes = counted();
  bench.wave().set_scalar64(4, bench.add_buffer("kernarg segment", bytes, false));
  Operation operation = load("S_LOAD_B64", 2);
  operation.immediate = 60;
  ASSERT_TRUE(bench.execute(scalar_memory_semantics(), operation));
  ASSERT_TRUE(bench.report());
  EXPECT_EQ(bench.report()->kind, ReportKind::kOutOfBounds);
  EXPECT_FALSE(bench.report()->lane);
  EXPECT_EQ(bench.report()->buffer, "kernarg segment");
  EXPECT_EQ(bench.report()->distance_bytes, 4);
  EXPECT_EQ(bench.wave().scalar[20], 0u);
}

TEST(ScalarMemory, MisalignedLoadStops) {
  WaveBench bench;
  std::array<std::byte, 64> bytes = counted();
  bench.wave().set_scalar64(4, bench.add_buffer("x", bytes));
  Operation operation = load("S_LOAD_B32");
  operation.immediate = 2;
  ASSERT_TRUE(bench.execute(scalar_memory_semantics(), operation));
  ASSERT_TRUE(bench.report());
  EXPECT_EQ(bench.report()->kind, ReportKind::kMisaligned);
}

TEST(ScalarMemory, ObserverSeesAConstantAccess) {
  WaveBench bench;
  AccessLog log;
  bench.workgroup().observer = &log;
  std::array<std::byte, 64> bytes = counted();
  const std::uint64_t base = bench.add_buffer("x", bytes);
  bench.wave().set_scalar64(4, base);
  ASSERT_TRUE(bench.execute(scalar_memory_semantics(), load("S_LOAD_B128", 4)));
  ASSERT_EQ(log.entries.size(), 1u);
  EXPECT_EQ(log.entries[0].segment, MemorySegment::kConstant);
  EXPECT_EQ(log.entries[0].bytes, 16u);
  EXPECT_EQ(log.entries[0].lanes, 1u);
  EXPECT_TRUE(log.entries[0].is_load);
  EXPECT_EQ(log.entries[0].addresses[0], base);
  EXPECT_EQ(log.entries[0].host[0], bytes.data());
}

TEST(ScalarMemory, BufferLoadStaysWithinItsDescriptor) {
  WaveBench bench;
  std::array<std::byte, 64> bytes = counted();
  const std::uint64_t base = bench.add_buffer("x", bytes);
  bench.wave().set_scalar64(4, base);
  bench.wave().scalar[6] = 16;
  Operation operation = load("S_BUFFER_LOAD_B32");
  operation.immediate = 12;
  ASSERT_TRUE(bench.execute(scalar_memory_semantics(), operation));
  ASSERT_FALSE(bench.report()) << bench.report()->what;
  EXPECT_EQ(bench.wave().scalar[20], 0x103u);
  operation.immediate = 16;
  ASSERT_TRUE(bench.execute(scalar_memory_semantics(), operation));
  ASSERT_TRUE(bench.report());
  EXPECT_EQ(bench.report()->kind, ReportKind::kOutOfBounds);
  EXPECT_THAT(bench.report()->what, HasSubstr("not within the 16 bytes"));
}

TEST(ScalarMemory, BufferLoadCountsRecordsByTheirStride) {
  WaveBench bench;
  std::array<std::byte, 64> bytes = counted();
  const std::uint64_t base = bench.add_buffer("x", bytes);
  bench.wave().set_scalar64(4, base | std::uint64_t{8} << 48);
  bench.wave().scalar[6] = 2;
  Operation operation = load("S_BUFFER_LOAD_B64", 2);
  operation.immediate = 8;
  ASSERT_TRUE(bench.execute(scalar_memory_semantics(), operation));
  ASSERT_FALSE(bench.report());
  operation.immediate = 12;
  ASSERT_TRUE(bench.execute(scalar_memory_semantics(), operation));
  EXPECT_TRUE(bench.report());
}

TEST(ScalarMemory, CachesAreNotThereAndThePrefetchReachesNothing) {
  WaveBench bench;
  for (const char* name : {"S_DCACHE_INV", "S_DCACHE_WB", "S_GL1_INV", "S_PREFETCH_DATA",
                           "S_PREFETCH_INST_PC_REL", "S_BUFFER_PREFETCH_DATA"}) {
    Operation operation;
    operation.name = name;
    EXPECT_TRUE(bench.execute(scalar_memory_semantics(), operation)) << name;
  }
  EXPECT_FALSE(bench.report());
}

TEST(ScalarMemory, ClockCountsInstructions) {
  WaveBench bench;
  bench.wave().executed = 0x100000002;
  ASSERT_TRUE(bench.execute(scalar_memory_semantics(), load("S_MEMTIME", 2)));
  EXPECT_EQ(bench.wave().scalar64(20), 0x100000002u);
}

}  // namespace
}  // namespace halyard::emulator
