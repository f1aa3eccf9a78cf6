// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/evidence.h"

#include "tests/unit/kernel-store/store_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace halyard::store {
namespace {

using ::testing::HasSubstr;

TEST(Evidence, GoesThereAndBack) {
  const EvidenceRecord record = testing::make_evidence(testing::make_package().id);
  const std::string text = evidence_json(record);
  const auto parsed = parse_evidence(text, "evidence");
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_EQ(evidence_json(*parsed), text);
  EXPECT_EQ(evidence_id(*parsed), evidence_id(record));
  EXPECT_EQ(parsed->timings[0].samples_ns, record.timings[0].samples_ns);
}

TEST(Evidence, AttributesOfATimingGoThereAndBack) {
  EvidenceRecord record = testing::make_evidence({});
  EXPECT_EQ(evidence_json(record).find("attributes"), std::string::npos);
  record.timings[0].attributes = {{"epsilon", 1e-5}, {"bias", 1}, {"style", "neox"}};
  const std::string text = evidence_json(record);
  const auto parsed = parse_evidence(text, "evidence");
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_EQ(parsed->timings[0].attributes, record.timings[0].attributes);
  EXPECT_EQ(evidence_json(*parsed), text);
}

TEST(Evidence, RatioThatIsNotFiniteIsNull) {
  EvidenceRecord record = testing::make_evidence({});
  record.checks[0].worst_error_ratio = std::numeric_limits<double>::infinity();
  const std::string text = evidence_json(record);
  EXPECT_THAT(text, HasSubstr("\"worst_error_ratio\":null"));
  const auto parsed = parse_evidence(text, "evidence");
  ASSERT_TRUE(parsed);
  EXPECT_FALSE(parsed->checks[0].worst_error_ratio);
}

TEST(Evidence, UnknownKindIsRefused) {
  std::string text = evidence_json(testing::make_evidence({}));
  text.replace(text.find("self-test"), 9, "guessing!");
  const auto parsed = parse_evidence(text, "evidence");
  ASSERT_FALSE(parsed);
  EXPECT_THAT(parsed.error().message(), HasSubstr("/kind is \"guessing!\""));
}

}  // namespace
}  // namespace halyard::store
