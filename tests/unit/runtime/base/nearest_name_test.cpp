// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/nearest_name.h"

#include <gtest/gtest.h>

#include <array>

namespace halyard::base {
namespace {

constexpr std::array<std::string_view, 4> kKnown = {"hidden", "tokens", "head_dim", "M"};

TEST(NearestName, EditDistanceCountsInsertionsDeletionsAndReplacements) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(NearestName, TypingErrorFindsItsName) {
  EXPECT_EQ(nearest_name("hiden", kKnown), "hidden");
  EXPECT_EQ(nearest_name("headdim", kKnown), "head_dim");
  EXPECT_EQ(nearest_name_clause("token", kKnown), "; the nearest is \"tokens\"");
}

TEST(NearestName, FarNamesAreNotSuggested) {
  EXPECT_EQ(nearest_name("alignment", kKnown), std::nullopt);
  EXPECT_EQ(nearest_name("x", kKnown), std::nullopt);
  EXPECT_EQ(nearest_name(std::string(100000, 'h'), kKnown), std::nullopt);
  EXPECT_EQ(nearest_name_clause("alignment", kKnown), "");
}

TEST(NearestName, SeveralNamesStandInTheOrderOfTheirDistance) {
  constexpr std::array<std::string_view, 5> known = {"sgpr.per_simd", "vgpr.per_simd", "lds.banks",
                                                     "vgpr.per_lane", "limit.shared_bytes"};
  EXPECT_EQ(nearest_names_clause("vgpr.per_smd", known),
            "; the nearest are \"vgpr.per_simd\", \"sgpr.per_simd\" and \"vgpr.per_lane\"");
  EXPECT_EQ(nearest_names_clause("shared_bytes", known), "; the nearest is \"limit.shared_bytes\"");
  EXPECT_EQ(nearest_names_clause("zzzz", known), "");
  EXPECT_EQ(nearest_names("gpr", known, 2),
            (std::vector<std::string_view>{"sgpr.per_simd", "vgpr.per_simd"}));
}

}  // namespace
}  // namespace halyard::base
