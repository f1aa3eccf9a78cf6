// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/execute/memory/wave_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace halyard::emulator {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t kDescriptor = 8;

struct Buffer {
  alignas(8) std::array<std::byte, 256> bytes{};
  explicit Buffer(WaveBench& bench, std::uint32_t stride, std::uint32_t records) {
    for (std::uint32_t i = 0; i < 64; ++i)
      write_dword(bytes.data() + 4 * i, 0x1000 + i);
    base = bench.add_buffer("x", bytes);
    bench.wave().set_scalar64(kDescriptor, base | std::uint64_t{stride} << 48);
    bench.wave().scalar[kDescriptor + 2] = records;
    bench.wave().scalar[kDescriptor + 3] = 0;
  }
  std::uint64_t base = 0;
};

Operation load(const char* name = "BUFFER_LOAD_B32") {
  Operation operation;
  operation.name = name;
  operation.destination[0] = vector_operand(4, 4);
  operation.source[0] = vector_operand(0);
  operation.source[3] = scalar_operand(kDescriptor, 4);
  return operation;
}

TEST(BufferAccess, OffsetsOfScalarLaneAndInstructionAreAdded) {
  WaveBench bench;
  Buffer buffer(bench, 0, 256);
  Operation operation = load();
  operation.offset_enable = true;
  operation.immediate = 8;
  operation.source[4] = scalar_operand(3);
  bench.wave().scalar[3] = 16;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    bench.row(0)[lane] = 4 * lane;
  ASSERT_TRUE(bench.execute(buffer_memory_semantics(), operation));
  ASSERT_FALSE(bench.report()) << bench.report()->what;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(bench.row(4)[lane], 0x1006 + lane);
}

TEST(BufferAccess, WithoutLanePartsAllLanesLoadTheSame) {
  WaveBench bench;
  Buffer buffer(bench, 0, 256);
  Operation operation = load("BUFFER_LOAD_B64");
  operation.source[0] = Operand{};
  operation.immediate = 4;
  ASSERT_TRUE(bench.execute(buffer_memory_semantics(), operation));
  EXPECT_EQ(bench.row(4)[31], 0x1001u);
  EXPECT_EQ(bench.row(5)[31], 0x1002u);
}

TEST(BufferAccess, IndexCountsRecords) {
  WaveBench bench;
  Buffer buffer(bench, 16, 16);
  Operation operation = load();
  operation.index_enable = true;
  operation.offset_enable = true;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    bench.row(0)[lane] = lane % 16;
    bench.row(1)[lane] = 4 * (lane % 4);
  }
  ASSERT_TRUE(bench.execute(buffer_memory_semantics(), operation));
  ASSERT_FALSE(bench.report()) << bench.report()->what;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(bench.row(4)[lane], 0x1000 + 4 * (lane % 16) + lane % 4);
}

TEST(BufferAccess, BehindTheRecordsOfTheDescriptorStops) {
  WaveBench bench;
  Buffer buffer(bench, 0, 124);  // of 256 bytes
  Operation operation = load();
  operation.offset_enable = true;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    bench.row(0)[lane] = 4 * lane;
  ASSERT_TRUE(bench.execute(buffer_memory_semantics(), operation));
  ASSERT_TRUE(bench.report());
  EXPECT_EQ(bench.report()->kind, ReportKind::kOutOfBounds);
  EXPECT_EQ(bench.report()->lane, 31u);
  EXPECT_EQ(bench.report()->buffer, "x");
  EXPECT_THAT(bench.report()->what, HasSubstr("offset 124 is not within"));
  EXPECT_EQ(bench.row(4)[0], 0u);
}

TEST(BufferAccess, LastByteOfTheDescriptorIsWithin) {
  WaveBench bench;
  Buffer buffer(bench, 0, 128);
  Operation operation = load();
  operation.offset_enable = true;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    bench.row(0)[lane] = 4 * lane;
  ASSERT_TRUE(bench.execute(buffer_memory_semantics(), operation));
  EXPECT_FALSE(bench.report());
}

TEST(BufferAccess, RecordBehindTheLastStops) {
  WaveBench bench;
  Buffer buffer(bench, 16, 4);
  Operation operation = load();
  operation.index_enable = true;
  bench.set_exec(1);
  bench.row(0)[0] = 4;
  ASSERT_TRUE(bench.execute(buffer_memory_semantics(), operation));
  ASSERT_TRUE(bench.report());
  EXPECT_THAT(bench.report()->what, HasSubstr("record 4"));
  EXPECT_THAT(bench.report()->what, HasSubstr("4 records of 16 bytes"));
}

TEST(BufferAccess, DescriptorWiderThanTheBufferIsNoExcuse) {
  WaveBench bench;
  Buffer buffer(bench, 0, 0xffffffff);
  Operation operation = load();
  operation.offset_enable = true;
  bench.set_exec(1);
  bench.row(0)[0] = 256;
  ASSERT_TRUE(bench.execute(buffer_memory_semantics(), operation));
  ASSERT_TRUE(bench.report());
  EXPECT_EQ(bench.report()->distance_bytes, 4);
}

TEST(BufferAccess, SwizzledDescriptorIsNotExecuted) {
  WaveBench bench;
  Buffer buffer(bench, 0, 256);
  bench.wave().scalar[kDescriptor + 1] |= 0x80000000;
  ASSERT_TRUE(bench.execute(buffer_memory_semantics(), load()));
  ASSERT_TRUE(bench.report());
  EXPECT_EQ(bench.report()->kind, ReportKind::kUnknownInstruction);
}

TEST(BufferAccess, PrivateSegmentIsTheScratchOfEachLane) {
  WaveBench bench(64, Generation::kGfx9);
  bench.use_scratch(32);
  bench.wave().set_scalar64(kDescriptor, kPrivateBufferBase);
  bench.wave().scalar[kDescriptor + 3] = 0x00e00000;
  bench.wave().scalar[3] = 64 * 8;  // eight bytes of each of 64 lanes
  Operation operation = load("BUFFER_LOAD_DWORD");
  operation.offset_enable = true;
  operation.immediate = 4;
  operation.source[4] = scalar_operand(3);
  bench.row(0)[5] = 16;
  write_dword(bench.scratch().data() + 32 * 5 + 28, 77);
  write_dword(bench.scratch().data() + 32 * 6 + 12, 88);
  ASSERT_TRUE(bench.execute(buffer_memory_semantics(), operation));
  ASSERT_FALSE(bench.report()) << bench.report()->what;
  EXPECT_EQ(bench.row(4)[5], 77u);
  EXPECT_EQ(bench.row(4)[6], 88u);
  bench.row(0)[7] = 20;
  ASSERT_TRUE(bench.execute(buffer_memory_semantics(), operation));
  ASSERT_TRUE(bench.report());
  EXPECT_EQ(bench.report()->buffer, "scratch");
  EXPECT_EQ(bench.report()->lane, 7u);
}

TEST(BufferAccess, StoresReachTheBuffer) {
  WaveBench bench;
  Buffer buffer(bench, 0, 256);
  Operation operation;
  operation.name = "BUFFER_STORE_B32";
  operation.source[0] = vector_operand(0);
  operation.source[1] = vector_operand(4);
  operation.source[3] = scalar_operand(kDescriptor, 4);
  operation.source[4] = constant_operand(64);
  operation.offset_enable = true;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    bench.row(0)[lane] = 4 * lane;
    bench.row(4)[lane] = lane;
  }
  ASSERT_TRUE(bench.execute(buffer_memory_semantics(), operation));
  EXPECT_EQ(read_dword(buffer.bytes.data() + 64 + 4 * 31), 31u);
}

TEST(BufferAccess, AtomicsCombine) {
  WaveBench bench;
  Buffer buffer(bench, 0, 256);
  Operation operation;
  operation.name = "BUFFER_ATOMIC_ADD_U32";
  operation.source[1] = vector_operand(4);
  operation.source[3] = scalar_operand(kDescriptor, 4);
  operation.destination[0] = vector_operand(4);
  operation.returns_old_value = true;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    bench.row(4)[lane] = 1;
  ASSERT_TRUE(bench.execute(buffer_memory_semantics(), operation));
  EXPECT_EQ(read_dword(buffer.bytes.data()), 0x1020u);
  EXPECT_EQ(bench.row(4)[31], 0x101fu);
}

TEST(BufferAccess, LoadToLdsOnGfx9) {
  WaveBench bench(64, Generation::kGfx9);
  bench.use_lds(256);
  Buffer buffer(bench, 0, 256);
  Operation operation = load("BUFFER_LOAD_DWORD");
  operation.destination[0] = Operand{};
  operation.offset_enable = true;
  operation.moves_to_lds = true;
  for (std::uint32_t lane = 0; lane < 64; ++lane)
    bench.row(0)[lane] = 4 * (63 - lane);
  ASSERT_TRUE(bench.execute(buffer_memory_semantics(), operation));
  ASSERT_FALSE(bench.report()) << bench.report()->what;
  EXPECT_EQ(read_dword(bench.lds().data()), 0x103fu);
  WaveBench other(32, Generation::kGfx11);
  EXPECT_FALSE(other.execute(buffer_memory_semantics(), operation));
}

}  // namespace
}  // namespace halyard::emulator
