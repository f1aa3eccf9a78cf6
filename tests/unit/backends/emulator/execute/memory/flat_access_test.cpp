// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/execute/memory/wave_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

namespace halyard::emulator {
namespace {

using testing::HasSubstr;

struct Case {
  const char* name;
  std::uint32_t bytes;
  std::vector<std::uint32_t> registers;  // after the load, from bytes 0x81, 0x82, …
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.name;
}

constexpr std::uint32_t kOld = 0x11223344;

class FlatLoads : public testing::TestWithParam<Case> {};

// Every lane's bytes start at its number times 16.
void run_load(WaveBench& bench, const Case& c, const std::string& family, std::uint64_t exec) {
  std::vector<std::byte> x(std::size_t{16} * bench.lanes());
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<std::byte>(0x81 + i % 16);
  const std::uint64_t base = bench.add_buffer("x", x);
  Operation operation;
  const std::string name = family + c.name;
  operation.name = name;
  operation.destination[0] = vector_operand(8, 4);
  operation.source[0] = vector_operand(0, 2);
  operation.immediate = -16;
  for (std::uint32_t lane = 0; lane < bench.lanes(); ++lane) {
    bench.set_pair(0, lane, base + 16 + std::uint64_t{16} * lane);
    for (std::uint32_t i = 0; i < 4; ++i)
      bench.row(8 + i)[lane] = kOld;
  }
  bench.set_exec(exec);
  ASSERT_TRUE(bench.execute(global_memory_semantics(), operation)) << name;
  ASSERT_FALSE(bench.report()) << bench.report()->what;
  for (std::uint32_t lane = 0; lane < bench.lanes(); ++lane) {
    const bool is_active = (exec >> lane & 1) != 0;
    for (std::uint32_t i = 0; i < 4; ++i) {
      const bool is_loaded = is_active && i < c.registers.size();
      EXPECT_EQ(bench.row(8 + i)[lane], is_loaded ? c.registers[i] : kOld)
          << name << ", lane " << lane << ", register " << i;
    }
  }
}

TEST_P(FlatLoads, FillsTheRegistersOfActiveLanes) {
  for (const char* family : {"GLOBAL_", "FLAT_"}) {
    WaveBench narrow(32);
    run_load(narrow, GetParam(), family, 0xffffffff);
    WaveBench partial(32);
    run_load(partial, GetParam(), family, 0x80010002);
    WaveBench wide(64, Generation::kGfx9);
    run_load(wide, GetParam(), family, ~std::uint64_t{0});
    WaveBench wide_partial(64, Generation::kGfx9);
    run_load(wide_partial, GetParam(), family, 0x8000000100000000);
  }
}

INSTANTIATE_TEST_SUITE_P(
    AllWidths, FlatLoads,
    testing::Values(
        Case{"LOAD_UBYTE", 1, {0x81}}, Case{"LOAD_SBYTE", 1, {0xffffff81}},
        Case{"LOAD_USHORT", 2, {0x8281}}, Case{"LOAD_SSHORT", 2, {0xffff8281}},
        Case{"LOAD_UBYTE_D16", 1, {0x11220081}}, Case{"LOAD_UBYTE_D16_HI", 1, {0x00813344}},
        Case{"LOAD_SBYTE_D16", 1, {0x1122ff81}}, Case{"LOAD_SBYTE_D16_HI", 1, {0xff813344}},
        Case{"LOAD_SHORT_D16", 2, {0x11228281}}, Case{"LOAD_SHORT_D16_HI", 2, {0x82813344}},
        Case{"LOAD_DWORD", 4, {0x84838281}}, Case{"LOAD_DWORDX2", 8, {0x84838281, 0x88878685}},
        Case{"LOAD_DWORDX3", 12, {0x84838281, 0x88878685, 0x8c8b8a89}},
        Case{"LOAD_DWORDX4", 16, {0x84838281, 0x88878685, 0x8c8b8a89, 0x908f8e8d}},
        Case{"LOAD_U8", 1, {0x81}}, Case{"LOAD_I8", 1, {0xffffff81}}, Case{"LOAD_U16", 2, {0x8281}},
        Case{"LOAD_I16", 2, {0xffff8281}}, Case{"LOAD_D16_U8", 1, {0x11220081}},
        Case{"LOAD_D16_HI_U8", 1, {0x00813344}}, Case{"LOAD_D16_I8", 1, {0x1122ff81}},
        Case{"LOAD_D16_HI_I8", 1, {0xff813344}}, Case{"LOAD_D16_B16", 2, {0x11228281}},
        Case{"LOAD_D16_HI_B16", 2, {0x82813344}}, Case{"LOAD_B32", 4, {0x84838281}},
        Case{"LOAD_B64", 8, {0x84838281, 0x88878685}},
        Case{"LOAD_B96", 12, {0x84838281, 0x88878685, 0x8c8b8a89}},
        Case{"LOAD_B128", 16, {0x84838281, 0x88878685, 0x8c8b8a89, 0x908f8e8d}}));

struct StoreCase {
  const char* name;
  std::vector<int> bytes;  // what lies there then, of registers 0x04030201, 0x08070605, …
};

std::ostream& operator<<(std::ostream& out, const StoreCase& c) {
  return out << c.name;
}

class FlatStores : public testing::TestWithParam<StoreCase> {};

void run_store(WaveBench& bench, const StoreCase& c, std::uint64_t exec) {
  std::vector<std::byte> x(std::size_t{16} * bench.lanes(), std::byte{0xee});
  const std::uint64_t base = bench.add_buffer("x", x);
  Operation operation;
  const std::string name = std::string("GLOBAL_") + c.name;
  operation.name = name;
  operation.source[0] = vector_operand(0);
  operation.source[1] = vector_operand(8, 4);
  operation.source[3] = scalar_operand(2, 2);
  bench.wave().set_scalar64(2, base);
  for (std::uint32_t lane = 0; lane < bench.lanes(); ++lane) {
    bench.row(0)[lane] = 16 * lane;
    for (std::uint32_t i = 0; i < 4; ++i)
      bench.row(8 + i)[lane] = 0x04030201 + 0x04040404 * i;
  }
  bench.set_exec(exec);
  ASSERT_TRUE(bench.execute(global_memory_semantics(), operation)) << name;
  ASSERT_FALSE(bench.report()) << bench.report()->what;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool is_stored = (exec >> i / 16 & 1) != 0 && i % 16 < c.bytes.size();
    EXPECT_EQ(static_cast<int>(x[i]), is_stored ? c.bytes[i % 16] : 0xee) << name << ", byte " << i;
  }
}

TEST_P(FlatStores, WritesTheBytesOfActiveLanes) {
  WaveBench narrow(32);
  run_store(narrow, GetParam(), 0xffffffff);
  WaveBench partial(32);
  run_store(partial, GetParam(), 0x80010002);
  WaveBench wide(64, Generation::kGfx9);
  run_store(wide, GetParam(), ~std::uint64_t{0});
}

INSTANTIATE_TEST_SUITE_P(
    AllWidths, FlatStores,
    testing::Values(
        StoreCase{"STORE_BYTE", {1}}, StoreCase{"STORE_BYTE_D16_HI", {3}},
        StoreCase{"STORE_SHORT", {1, 2}}, StoreCase{"STORE_SHORT_D16_HI", {3, 4}},
        StoreCase{"STORE_DWORD", {1, 2, 3, 4}},
        StoreCase{"STORE_DWORDX2", {1, 2, 3, 4, 5, 6, 7, 8}},
        StoreCase{"STORE_DWORDX3", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
        StoreCase{"STORE_DWORDX4", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
        StoreCase{"STORE_B8", {1}}, StoreCase{"STORE_D16_HI_B8", {3}},
        StoreCase{"STORE_B16", {1, 2}}, StoreCase{"STORE_D16_HI_B16", {3, 4}},
        StoreCase{"STORE_B32", {1, 2, 3, 4}}, StoreCase{"STORE_B64", {1, 2, 3, 4, 5, 6, 7, 8}},
        StoreCase{"STORE_B96", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
        StoreCase{"STORE_B128", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}}));

Operation flat_load() {
  Operation operation;
  operation.name = "FLAT_LOAD_B32";
  operation.destination[0] = vector_operand(8);
  operation.source[0] = vector_operand(0, 2);
  return operation;
}

TEST(FlatAccess, DenseLanesAreCopiedAtOnce) {
  WaveBench bench(32);
  std::array<std::byte, 128> x{};
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    write_dword(x.data() + 4 * lane, 100 + lane);
  const std::uint64_t base = bench.add_buffer("x", x);
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    bench.set_pair(0, lane, base + 4 * lane);
  ASSERT_TRUE(bench.execute(global_memory_semantics(), flat_load()));
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(bench.row(8)[lane], 100 + lane);
}

TEST(FlatAccess, AperturesReachTheLdsAndTheScratchOfTheLane) {
  WaveBench bench(32);
  AccessLog log;
  bench.workgroup().observer = &log;
  bench.use_lds(64);
  bench.use_scratch(16);
  std::array<std::byte, 4> x{};
  write_dword(x.data(), 1);
  write_dword(bench.lds().data() + 60, 2);
  write_dword(bench.scratch().data() + 16 * 2 + 12, 3);
  bench.set_pair(0, 0, bench.add_buffer("x", x));
  bench.set_pair(0, 1, std::uint64_t{kSharedAperture} << 32 | 60);
  bench.set_pair(0, 2, std::uint64_t{kPrivateAperture} << 32 | 12);
  bench.set_exec(7);
  ASSERT_TRUE(bench.execute(global_memory_semantics(), flat_load()));
  ASSERT_FALSE(bench.report()) << bench.report()->what;
  EXPECT_EQ(bench.row(8)[0], 1u);
  EXPECT_EQ(bench.row(8)[1], 2u);
  EXPECT_EQ(bench.row(8)[2], 3u);
  ASSERT_EQ(log.entries.size(), 3u);
  EXPECT_EQ(log.entries[0].segment, MemorySegment::kGlobal);
  EXPECT_EQ(log.entries[1].segment, MemorySegment::kLds);
  EXPECT_EQ(log.entries[1].lanes, 2u);
  EXPECT_EQ(log.entries[1].addresses[1], 60u);
  EXPECT_EQ(log.entries[2].segment, MemorySegment::kScratch);
}

TEST(FlatAccess, ApertureBehindTheLdsStops) {
  WaveBench bench(32);
  bench.use_lds(64);
  bench.set_pair(0, 0, std::uint64_t{kSharedAperture} << 32 | 64);
  bench.set_exec(1);
  ASSERT_TRUE(bench.execute(global_memory_semantics(), flat_load()));
  ASSERT_TRUE(bench.report());
  EXPECT_EQ(bench.report()->buffer, "LDS");
  EXPECT_EQ(bench.report()->distance_bytes, 4);
}

TEST(FlatAccess, GlobalDoesNotReachTheLds) {
  WaveBench bench(32);
  bench.use_lds(64);
  Operation operation = flat_load();
  operation.name = "GLOBAL_LOAD_B32";
  bench.set_pair(0, 0, std::uint64_t{kSharedAperture} << 32);
  bench.set_exec(1);
  ASSERT_TRUE(bench.execute(global_memory_semantics(), operation));
  EXPECT_TRUE(bench.report());
}

Operation scratch_operation(const char* name) {
  Operation operation;
  operation.name = name;
  operation.destination[0] = vector_operand(8);
  operation.source[1] = vector_operand(9);
  return operation;
}

TEST(FlatAccess, ScratchOfEachLaneIsItsOwn) {
  WaveBench bench(32);
  bench.use_scratch(32);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    bench.row(0)[lane] = 4 * (lane % 4);
    bench.row(9)[lane] = 1000 + lane;
  }
  Operation store = scratch_operation("SCRATCH_STORE_B32");
  store.source[0] = vector_operand(0);
  store.source[3] = scalar_operand(5);
  store.immediate = -4;
  bench.wave().scalar[5] = 20;
  ASSERT_TRUE(bench.execute(global_memory_semantics(), store));
  ASSERT_FALSE(bench.report()) << bench.report()->what;
  EXPECT_EQ(read_dword(bench.scratch().data() + 32 * 5 + 20), 1005u);
  Operation load = scratch_operation("SCRATCH_LOAD_B32");
  load.immediate = 16;
  ASSERT_TRUE(bench.execute(global_memory_semantics(), load));
  EXPECT_EQ(bench.row(8)[4], 1004u) << "without registers the offset is the address";
  EXPECT_EQ(bench.row(8)[5], 0u);
}

TEST(FlatAccess, ScratchEndsForEachLane) {
  WaveBench bench(32);
  bench.use_scratch(32);
  Operation load = scratch_operation("SCRATCH_LOAD_B32");
  load.immediate = 32;
  ASSERT_TRUE(bench.execute(global_memory_semantics(), load));
  ASSERT_TRUE(bench.report());
  EXPECT_EQ(bench.report()->buffer, "scratch");
  EXPECT_THAT(bench.report()->what, HasSubstr("ends 4 bytes behind its end (32 bytes)."));
}

TEST(FlatAccess, ScratchBeforeItsStartStops) {
  WaveBench bench(32);
  bench.use_scratch(32);
  Operation load = scratch_operation("SCRATCH_LOAD_B32");
  load.immediate = -4;
  ASSERT_TRUE(bench.execute(global_memory_semantics(), load));
  ASSERT_TRUE(bench.report());
  EXPECT_EQ(bench.report()->distance_bytes, -4);
}

TEST(FlatAccess, LoadToLdsGoesByTheLane) {
  WaveBench bench(64, Generation::kGfx9);
  bench.use_lds(512);
  std::array<std::byte, 256> x{};
  for (std::uint32_t lane = 0; lane < 64; ++lane)
    write_dword(x.data() + 4 * lane, 7 * lane);
  const std::uint64_t base = bench.add_buffer("x", x);
  for (std::uint32_t lane = 0; lane < 64; ++lane)
    bench.set_pair(0, lane, base + 4 * (63 - lane));
  bench.wave().scalar[kM0Index] = 128;
  Operation operation;
  operation.name = "GLOBAL_LOAD_LDS_DWORD";
  operation.source[0] = vector_operand(0, 2);
  bench.set_exec(0xff);
  ASSERT_TRUE(bench.execute(global_memory_semantics(), operation));
  ASSERT_FALSE(bench.report()) << bench.report()->what;
  EXPECT_EQ(read_dword(bench.lds().data() + 128), 7u * 63);
  EXPECT_EQ(read_dword(bench.lds().data() + 128 + 28), 7u * 56);
  EXPECT_EQ(read_dword(bench.lds().data() + 128 + 32), 0u);
}

TEST(FlatAccess, CachesAreNotThere) {
  WaveBench bench;
  for (const char* name : {"GLOBAL_INV", "GLOBAL_WB", "GLOBAL_WBINV"}) {
    Operation operation;
    operation.name = name;
    EXPECT_TRUE(bench.execute(global_memory_semantics(), operation)) << name;
  }
  for (const char* name :
       {"BUFFER_GL0_INV", "BUFFER_GL1_INV", "BUFFER_INV", "BUFFER_WBL2", "BUFFER_WBINVL1"}) {
    Operation operation;
    operation.name = name;
    EXPECT_TRUE(bench.execute(buffer_memory_semantics(), operation)) << name;
  }
}

TEST(FlatAccess, OperationsWithoutTheirOperandsAreNotExecuted) {
  WaveBench bench;
  Operation load;
  load.name = "GLOBAL_LOAD_B32";
  EXPECT_FALSE(bench.execute(global_memory_semantics(), load));
  load.destination[0] = vector_operand(0);
  EXPECT_FALSE(bench.execute(global_memory_semantics(), load));
  Operation store;
  store.name = "FLAT_STORE_B64";
  store.source[0] = vector_operand(0, 2);
  EXPECT_FALSE(bench.execute(global_memory_semantics(), store));
}

}  // namespace
}  // namespace halyard::emulator
