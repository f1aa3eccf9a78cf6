// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/verdict_document.h"

#include "runtime/base/json.h"

#include <gtest/gtest.h>

namespace halyard::verification {
namespace {

CounterExample example() {
  CounterExample example;
  example.types = {{"T", base::DataType::kBf16}};
  example.attributes["epsilon"] = 1e-5;
  example.axes = {{"batch", 1}, {"hidden", 3}};
  example.inputs = "mixed-scales";
  example.seed = 0xffffffffffffffffU;
  example.tensor = "y";
  example.index = {0, 2};
  example.got = "nan";
  example.expected = "1.5";
  return example;
}

VerificationReport report_of(const CounterExample& found) {
  VerificationReport report;
  report.directory = "packages/mine";
  report.device.id = "cpu:0";
  report.isolation = worker::Isolation::kFull;
  StageReport stage;
  stage.result.stage = Stage::kNumerics;
  stage.result.finding =
      Finding{Stage::kNumerics, VerdictClass::kNumeric, "y[0, 2] is nan.", found};
  report.stages.push_back(stage);
  report.decision = {VerdictClass::kNumeric, stage.result.finding};
  return report;
}

TEST(VerdictDocument, CounterExampleReadsBack) {
  const CounterExample written = example();
  const auto read = parse_counter_example(counter_example_json(written));
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->types, written.types);
  EXPECT_EQ(read->attributes, written.attributes);
  EXPECT_EQ(read->axes, written.axes);
  EXPECT_EQ(read->inputs, written.inputs);
  EXPECT_EQ(read->seed, written.seed);
}

TEST(VerdictDocument, CounterExampleWithAWrongSeedIsRefused) {
  const auto read = parse_counter_example(
      R"({"types":{},"attributes":{},"axes":{},"inputs":"normal","seed":"12x"})");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), base::ErrorCode::kCorruptData);
  EXPECT_EQ(read.error().message(),
            "counter-example: /seed is no number from 0 to 18446744073709551615.");
}

TEST(VerdictDocument, SaysHowToSeeItAgain) {
  const std::string command = reproduction(report_of(example()), example());
  EXPECT_EQ(command.rfind("halyard verify packages/mine --device cpu:0 --counter-example '{", 0),
            0U);
}

TEST(VerdictDocument, HeldOutLaunchShowsNoValues) {
  CounterExample secret = example();
  secret.is_held_out = true;
  const VerificationReport report = report_of(secret);
  EXPECT_EQ(reproduction(report, secret), "");
  const std::string text = verdict_json(report);
  EXPECT_EQ(text.find("counter_example"), std::string::npos);
  EXPECT_EQ(text.find("18446744073709551615"), std::string::npos);
  EXPECT_NE(text.find("\"held_out\":true"), std::string::npos);
}

TEST(VerdictDocument, EvidenceStandsForEachBuildThatSomethingIsSaidAbout) {
  VerificationReport report = report_of(example());
  report.package.emplace();
  report.builds.resize(2);
  const auto failed = evidence_of(report);
  ASSERT_EQ(failed.size(), 2U);
  EXPECT_EQ(failed[1].verdict, store::Verdict::kFail);
  EXPECT_EQ(failed[1].message, "y[0, 2] is nan.");
  report.decision = {VerdictClass::kAccept, std::nullopt};
  EXPECT_EQ(evidence_of(report)[0].verdict, store::Verdict::kPass);
  report.decision.verdict = VerdictClass::kUndecided;
  EXPECT_TRUE(evidence_of(report).empty());
}

TEST(VerdictDocument, EvidenceSaysTheMostThatAnyEntryOccupies) {
  VerificationReport report = report_of(example());
  report.package.emplace();
  report.builds.resize(2);
  store::EntryResources first;
  first.vector_registers = 40;
  first.shared_bytes = 16;
  store::EntryResources second;
  second.vector_registers = 12;
  second.shared_bytes = 32;
  second.scalar_spills = 1;
  report.builds[0].resources = {first, second};
  const auto records = evidence_of(report);
  ASSERT_EQ(records.size(), 2U);
  const boost::json::object& environment = records[0].environment;
  EXPECT_EQ(environment.at("resources.vector_registers").to_number<int>(), 40);
  EXPECT_EQ(environment.at("resources.shared_bytes").to_number<int>(), 32);
  EXPECT_EQ(environment.at("resources.scalar_spills").to_number<int>(), 1);
  EXPECT_EQ(environment.at("resources.scratch_bytes").to_number<int>(), 0);
  EXPECT_FALSE(records[1].environment.contains("resources.vector_registers"));
}

TEST(VerdictDocument, NamesClassStageAndIsolation) {
  const auto document = base::parse_json(verdict_json(report_of(example())), "verdict");
  ASSERT_TRUE(document);
  const boost::json::object& verdict = document->as_object();
  EXPECT_EQ(verdict.at("format").as_string(), "halyard.verdict/1");
  EXPECT_EQ(verdict.at("class").as_string(), "numeric");
  EXPECT_EQ(verdict.at("isolation").as_string(), "full");
  const boost::json::object& finding = verdict.at("finding").as_object();
  EXPECT_EQ(finding.at("stage").as_string(), "numerics");
  EXPECT_EQ(finding.at("counter_example").as_object().at("expected").as_string(), "1.5");
}

}  // namespace
}  // namespace halyard::verification
