// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/observe/report.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace halyard::emulator {
namespace {

TEST(Report, EveryKindHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(ReportKind::kTrap); ++kind)
    names.insert(report_kind_name(static_cast<ReportKind>(kind)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(ReportKind::kTrap) + 1);
  EXPECT_EQ(names.count(""), 0U);
}

TEST(Report, TextHasEverything) {
  Report report;
  report.kind = ReportKind::kOutOfBounds;
  report.what = "A store of 4 bytes is outside.";
  report.kernel = "softmax";
  report.instruction = "global_store_b32 v0, v1, s[0:1]";
  report.address = 64;
  report.source = "softmax.hip:41";
  report.workgroup = {1, 2, 3};
  report.wave = 4;
  report.lane = 5;
  report.buffer = "out";
  report.distance_bytes = 8;
  EXPECT_EQ(report_text(report),
            "out_of_bounds: A store of 4 bytes is outside.\n"
            "  kernel softmax, code offset 64 (softmax.hip:41): global_store_b32 v0, v1, s[0:1]\n"
            "  workgroup (1, 2, 3), wave 4, lane 5\n"
            "  8 bytes behind the end of out\n");
}

TEST(Report, DistanceBeforeABufferIsPositiveInTheText) {
  Report report;
  report.buffer = "in";
  report.distance_bytes = -12;
  EXPECT_NE(report_text(report).find("12 bytes before the start of in"), std::string::npos);
}

}  // namespace
}  // namespace halyard::emulator
