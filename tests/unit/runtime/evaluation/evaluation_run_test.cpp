// SPDX-License-Identifier: Apache-2.0
#include "halyard/halyard.hpp"
#include "halyard/services/evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using ::testing::HasSubstr;

struct ReleaseResults {
  void operator()(halyard_results* results) const { halyard_results_release(results); }
};
using Results = std::unique_ptr<halyard_results, ReleaseResults>;

std::string smoke_suite() {
  std::ifstream file(HALYARD_SOURCE_DIR "/kernel-store/suites/smoke.json");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

halyard::Instance make_instance() {
  halyard_instance_desc desc = HALYARD_INSTANCE_DESC_INIT;
  desc.store_url = "memory:";
  return halyard::Instance::create(&desc);
}

halyard_evaluation_desc checked() {
  halyard_evaluation_desc desc = HALYARD_EVALUATION_DESC_INIT;
  desc.check = 1;
  return desc;
}

// Runs the smoke suite; the results are empty when that fails.
Results run(const halyard::Device& device, const halyard_evaluation_desc& desc) {
  halyard_results* results = nullptr;
  const halyard_status status =
      halyard_evaluation_run(device.get(), smoke_suite().c_str(), &desc, &results);
  EXPECT_EQ(status == HALYARD_STATUS_OK, results != nullptr);
  return Results(results);
}

TEST(EvaluationRun, ChecksEveryOperationOnEveryDevice) {
  const halyard::Instance instance = make_instance();
  for (const halyard::Device& device : instance.devices()) {
    const Results results = run(device, checked());
    ASSERT_TRUE(results) << device.info().id << ": " << halyard_last_error_message();
    EXPECT_EQ(halyard_results_passed(results.get()), 1U) << halyard_results_json(results.get());
    EXPECT_THAT(halyard_results_json(results.get()), HasSubstr("\"checked\":\"full\""));
  }
}

TEST(EvaluationRun, TimesOperationsAndTheReplayedStep) {
  const halyard::Instance instance = make_instance();
  halyard_evaluation_desc desc = checked();
  desc.measure = 1;
  desc.time_budget_ms = 100;
  const Results results = run(instance.device("cpu:0"), desc);
  ASSERT_TRUE(results) << halyard_last_error_message();
  EXPECT_EQ(halyard_results_passed(results.get()), 1U);
  const std::string json = halyard_results_json(results.get());
  EXPECT_THAT(json, HasSubstr("\"step\":{"));
  EXPECT_THAT(json, HasSubstr("\"identical\":17"));
  EXPECT_THAT(json, HasSubstr("\"unit\":\"GB/s\""));
  EXPECT_THAT(json, HasSubstr("\"reference_operations\":[]"));
}

TEST(EvaluationRun, TellsItsProgress) {
  const halyard::Instance instance = make_instance();
  std::vector<std::pair<std::uint32_t, std::string>> steps;
  halyard_evaluation_desc desc = checked();
  desc.progress_user_data = &steps;
  desc.progress = [](void* user_data, std::uint32_t done, std::uint32_t total, const char* what) {
    EXPECT_EQ(total, 16U);
    static_cast<decltype(steps)*>(user_data)->emplace_back(done, what);
  };
  ASSERT_TRUE(run(instance.device("cpu:0"), desc));
  ASSERT_EQ(steps.size(), 16U);
  EXPECT_EQ(steps.front(), std::make_pair(0U, std::string("embed")));
  EXPECT_EQ(steps.back(), std::make_pair(15U, std::string("transpose")));
}

TEST(EvaluationRun, SaysWhyItCannotRun) {
  const halyard::Instance instance = make_instance();
  const halyard::Device device = instance.device("cpu:0");
  halyard_evaluation_desc desc = checked();
  desc.kernel = "probe_fma_cpu";
  EXPECT_FALSE(run(device, desc));
  EXPECT_THAT(halyard_last_error_message(), HasSubstr("is for contract \"probe_fma\""));
  desc = checked();
  const halyard_workload_axis axis{"batch", 65};
  desc.axes = &axis;
  desc.axis_count = 1;
  EXPECT_FALSE(run(device, desc));
  EXPECT_THAT(halyard_last_error_message(), HasSubstr("is not between 1 and 64"));
  halyard_results* results = nullptr;
  EXPECT_EQ(halyard_evaluation_run(device.get(), nullptr, &desc, &results),
            HALYARD_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(halyard_evaluation_run(device.get(), "{", &desc, &results),
            HALYARD_STATUS_INVALID_ARGUMENT);
  desc.struct_size = 4;
  EXPECT_EQ(halyard_evaluation_run(device.get(), "{}", &desc, &results),
            HALYARD_STATUS_INVALID_ARGUMENT);
  EXPECT_THAT(halyard_last_error_message(), HasSubstr("struct_size"));
}

}  // namespace
