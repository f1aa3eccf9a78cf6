// SPDX-License-Identifier: Apache-2.0
// What every access to memory goes through, by instructions of one family.
#include "tests/unit/backends/emulator/execute/memory/wave_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace halyard::emulator {
namespace {

using testing::HasSubstr;

Operation load_dword() {
  Operation operation;
  operation.name = "GLOBAL_LOAD_B32";
  operation.address = 0x40;
  operation.destination[0] = vector_operand(4);
  operation.source[0] = vector_operand(0, 2);
  return operation;
}

Operation store_dword() {
  Operation operation;
  operation.name = "GLOBAL_STORE_B32";
  operation.source[0] = vector_operand(0, 2);
  operation.source[1] = vector_operand(4);
  return operation;
}

void address_lanes(WaveBench& bench, std::uint64_t base, std::uint64_t step) {
  for (std::uint32_t lane = 0; lane < bench.lanes(); ++lane)
    bench.set_pair(0, lane, base + step * lane);
}

TEST(LaneAddresses, LastBytesOfABufferAreWithin) {
  WaveBench bench;
  std::array<std::byte, 128> x{};
  write_dword(x.data() + 124, 77);
  address_lanes(bench, bench.add_buffer("x", x), 4);
  ASSERT_TRUE(bench.execute(global_memory_semantics(), load_dword()));
  EXPECT_FALSE(bench.report());
  EXPECT_EQ(bench.row(4)[31], 77u);
}

TEST(LaneAddresses, OneByteBehindTheEndStopsWithTheLaneAndTheNearestBuffer) {
  WaveBench bench;
  std::array<std::byte, 127> x{};
  const std::uint64_t base = bench.add_buffer("x", x);
  address_lanes(bench, base, 4);
  bench.row(4)[0] = 5;
  ASSERT_TRUE(bench.execute(global_memory_semantics(), load_dword()));
  ASSERT_TRUE(bench.report());
  const Report& report = *bench.report();
  EXPECT_EQ(report.kind, ReportKind::kOutOfBounds);
  EXPECT_EQ(report.address, 0x40u);
  EXPECT_EQ(report.lane, 31u);
  EXPECT_EQ(report.memory_address, base + 124);
  EXPECT_EQ(report.buffer, "x");
  EXPECT_EQ(report.distance_bytes, 1);
  EXPECT_THAT(report.what, HasSubstr("ends 1 bytes behind the end of \"x\" (127 bytes)."));
  EXPECT_EQ(bench.wave().status, WaveStatus::kStopped);
  EXPECT_EQ(bench.row(4)[0], 5u) << "nothing is loaded";
}

TEST(LaneAddresses, BeforeTheStartIsANegativeDistance) {
  WaveBench bench;
  std::array<std::byte, 256> x{};
  const std::uint64_t base = bench.add_buffer("x", x);
  address_lanes(bench, base, 4);
  Operation operation = load_dword();
  operation.immediate = -8;
  ASSERT_TRUE(bench.execute(global_memory_semantics(), operation));
  ASSERT_TRUE(bench.report());
  EXPECT_EQ(bench.report()->lane, 0u);
  EXPECT_EQ(bench.report()->distance_bytes, -8);
  EXPECT_THAT(bench.report()->what, HasSubstr("starts 8 bytes before \"x\" (256 bytes)."));
}

TEST(LaneAddresses, LanesThatExecLeavesOutMayPointAnywhere) {
  WaveBench bench;
  std::array<std::byte, 8> x{};
  write_dword(x.data(), 1);
  write_dword(x.data() + 4, 2);
  address_lanes(bench, bench.add_buffer("x", x), 4);
  bench.set_exec(3);
  bench.row(4)[2] = 9;
  ASSERT_TRUE(bench.execute(global_memory_semantics(), load_dword()));
  EXPECT_FALSE(bench.report());
  EXPECT_EQ(bench.row(4)[0], 1u);
  EXPECT_EQ(bench.row(4)[1], 2u);
  EXPECT_EQ(bench.row(4)[2], 9u);
}

TEST(LaneAddresses, NoLaneIsNoAccess) {
  WaveBench bench;
  AccessLog log;
  bench.workgroup().observer = &log;
  bench.set_exec(0);
  ASSERT_TRUE(bench.execute(global_memory_semantics(), load_dword()));
  EXPECT_FALSE(bench.report());
  EXPECT_TRUE(log.entries.empty());
}

TEST(LaneAddresses, LanesMayBeInSeveralBuffers) {
  WaveBench bench;
  std::array<std::byte, 4> x{};
  std::array<std::byte, 4> y{};
  write_dword(x.data(), 1);
  write_dword(y.data(), 2);
  const std::uint64_t of_x = bench.add_buffer("x", x);
  const std::uint64_t of_y = bench.add_buffer("y", y);
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    bench.set_pair(0, lane, lane % 2 == 0 ? of_x : of_y);
  ASSERT_TRUE(bench.execute(global_memory_semantics(), load_dword()));
  EXPECT_FALSE(bench.report());
  EXPECT_EQ(bench.row(4)[30], 1u);
  EXPECT_EQ(bench.row(4)[31], 2u);
}

TEST(LaneAddresses, TheLowestLaneOutsideIsNamed) {
  WaveBench bench(64, Generation::kGfx9);
  std::array<std::byte, 64> x{};
  address_lanes(bench, bench.add_buffer("x", x), 4);
  bench.set_exec(~std::uint64_t{0} << 40);
  ASSERT_TRUE(bench.execute(global_memory_semantics(), load_dword()) ||
              bench.execute(global_memory_semantics(), store_dword()));
  ASSERT_TRUE(bench.report());
  EXPECT_EQ(bench.report()->lane, 40u);
}

TEST(LaneAddresses, MisalignedAccessStops) {
  WaveBench bench;
  std::array<std::byte, 256> x{};
  const std::uint64_t base = bench.add_buffer("x", x);
  address_lanes(bench, base, 4);
  bench.set_pair(0, 3, base + 14);
  ASSERT_TRUE(bench.execute(global_memory_semantics(), load_dword()));
  ASSERT_TRUE(bench.report());
  EXPECT_EQ(bench.report()->kind, ReportKind::kMisaligned);
  EXPECT_EQ(bench.report()->lane, 3u);
  EXPECT_EQ(bench.report()->buffer, "x");
  EXPECT_THAT(bench.report()->what, HasSubstr("is not aligned to 4 bytes."));
}

TEST(LaneAddresses, StoreToWhatIsOnlyReadStops) {
  WaveBench bench;
  std::array<std::byte, 128> x{};
  address_lanes(bench, bench.add_buffer("weights", x, false), 4);
  bench.row(4)[0] = 1;
  ASSERT_TRUE(bench.execute(global_memory_semantics(), store_dword()));
  ASSERT_TRUE(bench.report());
  EXPECT_EQ(bench.report()->kind, ReportKind::kStoreToConstant);
  EXPECT_EQ(bench.report()->lane, 0u);
  EXPECT_EQ(bench.report()->buffer, "weights");
  EXPECT_EQ(x[0], std::byte{0});
  bench.workgroup().report.reset();
  bench.wave().status = WaveStatus::kRunning;
  ASSERT_TRUE(bench.execute(global_memory_semantics(), load_dword()));
  EXPECT_FALSE(bench.report()) << "it may be loaded";
}

TEST(LaneAddresses, LaunchWithoutBuffersReportsThat) {
  WaveBench bench;
  address_lanes(bench, 0, 4);
  ASSERT_TRUE(bench.execute(global_memory_semantics(), load_dword()));
  ASSERT_TRUE(bench.report());
  EXPECT_THAT(bench.report()->what, HasSubstr("the launch has none"));
}

TEST(LaneAddresses, AddressesThatWrapAroundStop) {
  WaveBench bench;
  std::array<std::byte, 256> x{};
  bench.add_buffer("x", x);
  address_lanes(bench, ~std::uint64_t{0} - 3, 4);
  ASSERT_TRUE(bench.execute(global_memory_semantics(), load_dword()));
  ASSERT_TRUE(bench.report());
  EXPECT_EQ(bench.report()->kind, ReportKind::kOutOfBounds);
  EXPECT_EQ(bench.report()->lane, 0u);
}

TEST(LaneAddresses, ObserverSeesLanesAddressesAndBytes) {
  WaveBench bench;
  AccessLog log;
  bench.workgroup().observer = &log;
  std::array<std::byte, 256> x{};
  const std::uint64_t base = bench.add_buffer("x", x);
  address_lanes(bench, base, 8);
  bench.set_exec(0x80000001);
  ASSERT_TRUE(bench.execute(global_memory_semantics(), store_dword()));
  ASSERT_EQ(log.entries.size(), 1u);
  const AccessLog::Entry& entry = log.entries[0];
  EXPECT_EQ(entry.segment, MemorySegment::kGlobal);
  EXPECT_EQ(entry.bytes, 4u);
  EXPECT_EQ(entry.lanes, 0x80000001u);
  EXPECT_FALSE(entry.is_load);
  EXPECT_TRUE(entry.is_store);
  EXPECT_FALSE(entry.is_atomic);
  EXPECT_EQ(entry.addresses[31], base + 8 * 31);
  EXPECT_EQ(entry.host[31], x.data() + 8 * 31);
}

TEST(LaneAddresses, ObserverThatStopsTheWaveKeepsTheStoreOut) {
  class Objection final : public Observer {
   public:
    void begin(Workgroup&) override {}
    void before(Wave&, const Operation&) override {}
    void after(Wave&, const Operation&) override {}
    void access(Wave& wave, const Operation&, const MemoryAccess&) override {
      Report report;
      report.kind = ReportKind::kRace;
      wave.stop(report);
    }
    void barrier(Workgroup&) override {}
    void end(Workgroup&) override {}
  };
  WaveBench bench;
  Objection objection;
  bench.workgroup().observer = &objection;
  std::array<std::byte, 128> x{};
  address_lanes(bench, bench.add_buffer("x", x), 4);
  bench.row(4)[0] = 1;
  ASSERT_TRUE(bench.execute(global_memory_semantics(), store_dword()));
  EXPECT_EQ(x[0], std::byte{0});
}

}  // namespace
}  // namespace halyard::emulator
