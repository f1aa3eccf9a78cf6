// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/execute/memory/wave_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace halyard::emulator {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t kOld = 0x11223344;

struct Case {
  const char* read;
  const char* load;
  std::vector<std::uint32_t> registers;  // after the load, from bytes 0x81, 0x82, …
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.load;
}

class LdsLoads : public testing::TestWithParam<Case> {};

void run_load(WaveBench& bench, const Case& c, const char* name, std::uint64_t exec) {
  bench.use_lds(std::size_t{16} * bench.lanes() + 32);
  for (std::size_t i = 0; i < bench.lds().size(); ++i)
    bench.lds()[i] = static_cast<std::byte>(0x81 + i % 16);
  Operation operation;
  operation.name = name;
  operation.destination[0] = vector_operand(8, 4);
  operation.source[0] = vector_operand(0);
  operation.immediate = 32;
  for (std::uint32_t lane = 0; lane < bench.lanes(); ++lane) {
    bench.row(0)[lane] = 16 * lane;
    for (std::uint32_t i = 0; i < 4; ++i)
      bench.row(8 + i)[lane] = kOld;
  }
  bench.set_exec(exec);
  ASSERT_TRUE(bench.execute(lds_semantics(), operation)) << name;
  ASSERT_FALSE(bench.report()) << bench.report()->what;
  for (std::uint32_t lane = 0; lane < bench.lanes(); ++lane) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      const bool is_loaded = (exec >> lane & 1) != 0 && i < c.registers.size();
      EXPECT_EQ(bench.row(8 + i)[lane], is_loaded ? c.registers[i] : kOld)
          << name << ", lane " << lane << ", register " << i;
    }
  }
}

TEST_P(LdsLoads, FillsTheRegistersOfActiveLanes) {
  WaveBench narrow(32);
  run_load(narrow, GetParam(), GetParam().load, 0xffffffff);
  WaveBench partial(32);
  run_load(partial, GetParam(), GetParam().load, 0x40000001);
  WaveBench wide(64, Generation::kGfx9);
  run_load(wide, GetParam(), GetParam().read, ~std::uint64_t{0});
}

INSTANTIATE_TEST_SUITE_P(
    AllWidths, LdsLoads,
    testing::Values(
        Case{"DS_READ_U8", "DS_LOAD_U8", {0x81}}, Case{"DS_READ_I8", "DS_LOAD_I8", {0xffffff81}},
        Case{"DS_READ_U16", "DS_LOAD_U16", {0x8281}},
        Case{"DS_READ_I16", "DS_LOAD_I16", {0xffff8281}},
        Case{"DS_READ_U8_D16", "DS_LOAD_U8_D16", {0x11220081}},
        Case{"DS_READ_U8_D16_HI", "DS_LOAD_U8_D16_HI", {0x00813344}},
        Case{"DS_READ_I8_D16", "DS_LOAD_I8_D16", {0x1122ff81}},
        Case{"DS_READ_I8_D16_HI", "DS_LOAD_I8_D16_HI", {0xff813344}},
        Case{"DS_READ_U16_D16", "DS_LOAD_U16_D16", {0x11228281}},
        Case{"DS_READ_U16_D16_HI", "DS_LOAD_U16_D16_HI", {0x82813344}},
        Case{"DS_READ_B32", "DS_LOAD_B32", {0x84838281}},
        Case{"DS_READ_B64", "DS_LOAD_B64", {0x84838281, 0x88878685}},
        Case{"DS_READ_B96", "DS_LOAD_B96", {0x84838281, 0x88878685, 0x8c8b8a89}},
        Case{"DS_READ_B128", "DS_LOAD_B128", {0x84838281, 0x88878685, 0x8c8b8a89, 0x908f8e8d}}));

struct StoreCase {
  const char* write;
  const char* store;
  std::size_t bytes;
  int first;  // the lowest byte, of 0x04030201, 0x08070605, …
};

std::ostream& operator<<(std::ostream& out, const StoreCase& c) {
  return out << c.store;
}

class LdsStores : public testing::TestWithParam<StoreCase> {};

void run_store(WaveBench& bench, const StoreCase& c, const char* name, std::uint64_t exec) {
  bench.use_lds(std::size_t{16} * bench.lanes());
  Operation operation;
  operation.name = name;
  operation.source[0] = vector_operand(0);
  operation.source[1] = vector_operand(8, 4);
  for (std::uint32_t lane = 0; lane < bench.lanes(); ++lane) {
    bench.row(0)[lane] = 16 * lane;
    for (std::uint32_t i = 0; i < 4; ++i)
      bench.row(8 + i)[lane] = 0x04030201 + 0x04040404 * i;
  }
  bench.set_exec(exec);
  ASSERT_TRUE(bench.execute(lds_semantics(), operation)) << name;
  ASSERT_FALSE(bench.report()) << bench.report()->what;
  for (std::size_t i = 0; i < bench.lds().size(); ++i) {
    const bool is_stored = (exec >> i / 16 & 1) != 0 && i % 16 < c.bytes;
    EXPECT_EQ(static_cast<int>(bench.lds()[i]), is_stored ? c.first + static_cast<int>(i % 16) : 0)
        << name << ", byte " << i;
  }
}

TEST_P(LdsStores, WritesTheBytesOfActiveLanes) {
  WaveBench narrow(32);
  run_store(narrow, GetParam(), GetParam().store, 0xffffffff);
  WaveBench partial(32);
  run_store(partial, GetParam(), GetParam().store, 0x40000001);
  WaveBench wide(64, Generation::kGfx9);
  run_store(wide, GetParam(), GetParam().write, ~std::uint64_t{0});
}

INSTANTIATE_TEST_SUITE_P(
    AllWidths, LdsStores,
    testing::Values(StoreCase{"DS_WRITE_B8", "DS_STORE_B8", 1, 1},
                    StoreCase{"DS_WRITE_B8_D16_HI", "DS_STORE_B8_D16_HI", 1, 3},
                    StoreCase{"DS_WRITE_B16", "DS_STORE_B16", 2, 1},
                    StoreCase{"DS_WRITE_B16_D16_HI", "DS_STORE_B16_D16_HI", 2, 3},
                    StoreCase{"DS_WRITE_B32", "DS_STORE_B32", 4, 1},
                    StoreCase{"DS_WRITE_B64", "DS_STORE_B64", 8, 1},
                    StoreCase{"DS_WRITE_B96", "DS_STORE_B96", 12, 1},
                    StoreCase{"DS_WRITE_B128", "DS_STORE_B128", 16, 1}));

struct PairCase {
  const char* suffix9;   // "2_B32"
  const char* suffix11;  // "2ADDR_B32"
  std::uint32_t unit;    // bytes that an offset of 1 moves
  std::uint32_t dwords;
};

std::ostream& operator<<(std::ostream& out, const PairCase& c) {
  return out << c.suffix11;
}

class LdsPairs : public testing::TestWithParam<PairCase> {};

TEST_P(LdsPairs, StoreTwoPlacesAndLoadThem) {
  const PairCase& c = GetParam();
  for (const bool is_gfx9 : {false, true}) {
    WaveBench bench(is_gfx9 ? 64 : 32, is_gfx9 ? Generation::kGfx9 : Generation::kGfx11);
    bench.use_lds(4096);
    const std::string store_name =
        is_gfx9 ? std::string("DS_WRITE") + c.suffix9 : std::string("DS_STORE_") + c.suffix11;
    const std::string load_name =
        is_gfx9 ? std::string("DS_READ") + c.suffix9 : std::string("DS_LOAD_") + c.suffix11;
    bench.set_exec(5);
    bench.row(0)[0] = 8;
    bench.row(0)[2] = 40;
    for (std::uint32_t i = 0; i < 4; ++i) {
      bench.row(8 + i)[0] = 0x100 + i;
      bench.row(8 + i)[2] = 0x200 + i;
    }
    Operation store;
    store.name = store_name;
    store.source[0] = vector_operand(0);
    store.source[1] = vector_operand(8, c.dwords);
    store.source[2] = vector_operand(8 + c.dwords, c.dwords);
    store.offset0 = 3;
    store.offset1 = 1;
    ASSERT_TRUE(bench.execute(lds_semantics(), store)) << store_name;
    ASSERT_FALSE(bench.report()) << bench.report()->what;
    EXPECT_EQ(read_dword(bench.lds().data() + 8 + std::size_t{3} * c.unit), 0x100u);
    EXPECT_EQ(read_dword(bench.lds().data() + 40 + c.unit), 0x200u + c.dwords);
    Operation load;
    load.name = load_name;
    load.source[0] = vector_operand(0);
    load.destination[0] = vector_operand(16, 2 * c.dwords);
    load.offset0 = 3;
    load.offset1 = 1;
    ASSERT_TRUE(bench.execute(lds_semantics(), load)) << load_name;
    for (std::uint32_t i = 0; i < 2 * c.dwords; ++i) {
      EXPECT_EQ(bench.row(16 + i)[0], 0x100 + i) << load_name;
      EXPECT_EQ(bench.row(16 + i)[1], 0u) << load_name;
      EXPECT_EQ(bench.row(16 + i)[2], 0x200 + i) << load_name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllStrides, LdsPairs,
                         testing::Values(PairCase{"2_B32", "2ADDR_B32", 4, 1},
                                         PairCase{"2_B64", "2ADDR_B64", 8, 2},
                                         PairCase{"2ST64_B32", "2ADDR_STRIDE64_B32", 256, 1},
                                         PairCase{"2ST64_B64", "2ADDR_STRIDE64_B64", 512, 2}));

Operation load_dword() {
  Operation operation;
  operation.name = "DS_LOAD_B32";
  operation.source[0] = vector_operand(0);
  operation.destination[0] = vector_operand(8);
  return operation;
}

TEST(LdsAccess, LastBytesAreWithinAndTheNextAreNot) {
  WaveBench bench;
  bench.use_lds(64);
  bench.set_exec(2);
  bench.row(0)[1] = 60;
  ASSERT_TRUE(bench.execute(lds_semantics(), load_dword()));
  EXPECT_FALSE(bench.report());
  bench.row(0)[1] = 64;
  ASSERT_TRUE(bench.execute(lds_semantics(), load_dword()));
  ASSERT_TRUE(bench.report());
  EXPECT_EQ(bench.report()->kind, ReportKind::kOutOfBounds);
  EXPECT_EQ(bench.report()->lane, 1u);
  EXPECT_EQ(bench.report()->buffer, "LDS");
  EXPECT_EQ(bench.report()->memory_address, 64u);
  EXPECT_THAT(bench.report()->what, HasSubstr("at byte 64 of the LDS ends 4 bytes behind"));
}

TEST(LdsAccess, AddressBelowZeroAndItsOffsetWrapTo32Bits) {
  WaveBench bench;
  bench.use_lds(64);
  bench.set_exec(1);
  bench.row(0)[0] = 0xfffffffc;
  write_dword(bench.lds().data() + 8, 5);
  Operation operation = load_dword();
  operation.immediate = 12;
  ASSERT_TRUE(bench.execute(lds_semantics(), operation));
  ASSERT_FALSE(bench.report());
  EXPECT_EQ(bench.row(8)[0], 5u);
  operation.immediate = 0;
  ASSERT_TRUE(bench.execute(lds_semantics(), operation));
  EXPECT_TRUE(bench.report());
}

TEST(LdsAccess, KernelWithoutLdsMayNotLoad) {
  WaveBench bench;
  ASSERT_TRUE(bench.execute(lds_semantics(), load_dword()));
  EXPECT_TRUE(bench.report());
}

TEST(LdsAccess, MisalignedLoadStops) {
  WaveBench bench;
  bench.use_lds(64);
  bench.set_exec(1);
  bench.row(0)[0] = 6;
  ASSERT_TRUE(bench.execute(lds_semantics(), load_dword()));
  ASSERT_TRUE(bench.report());
  EXPECT_EQ(bench.report()->kind, ReportKind::kMisaligned);
}

TEST(LdsAccess, SecondPlaceOutsideKeepsTheFirstStoreOut) {
  WaveBench bench;
  bench.use_lds(64);
  bench.set_exec(1);
  bench.row(8)[0] = 7;
  Operation store;
  store.name = "DS_STORE_2ADDR_B32";
  store.source[0] = vector_operand(0);
  store.source[1] = vector_operand(8);
  store.source[2] = vector_operand(9);
  store.offset1 = 16;
  ASSERT_TRUE(bench.execute(lds_semantics(), store));
  EXPECT_TRUE(bench.report());
  EXPECT_EQ(read_dword(bench.lds().data()), 0u);
}

TEST(LdsAccess, AddressedByTheLane) {
  WaveBench bench;
  bench.use_lds(512);
  bench.wave().scalar[kM0Index] = 0x50040;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    bench.row(8)[lane] = 100 + lane;
  Operation store;
  store.name = "DS_STORE_ADDTID_B32";
  store.source[1] = vector_operand(8);
  store.immediate = 16;
  ASSERT_TRUE(bench.execute(lds_semantics(), store));
  ASSERT_FALSE(bench.report()) << bench.report()->what;
  EXPECT_EQ(read_dword(bench.lds().data() + 0x50 + 4 * 31), 131u);
  Operation load;
  load.name = "DS_LOAD_ADDTID_B32";
  load.destination[0] = vector_operand(9);
  load.immediate = 20;
  bench.set_exec(1);
  ASSERT_TRUE(bench.execute(lds_semantics(), load));
  EXPECT_EQ(bench.row(9)[0], 101u);
}

}  // namespace
}  // namespace halyard::emulator
