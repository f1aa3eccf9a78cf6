// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/worker_request.h"

#include <gtest/gtest.h>

namespace halyard::worker {
namespace {

TEST(WorkerRequest, LoadReadsBack) {
  LoadRequest request;
  request.device = "cpu:0";
  request.contract = R"({"name":"rms_norm"})";
  request.kernel = "{\"name\":\"\\u00e9\"}";
  request.target = "x86_64-v3";
  request.build = "sha256:00";
  request.parameters = {{"TILE", 64}, {"UNROLL", -1}};
  request.capacities = {4096, 0, std::uint64_t{1} << 40};
  const auto read = parse_load_request(load_request_json(request));
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->device, request.device);
  EXPECT_EQ(read->contract, request.contract);
  EXPECT_EQ(read->kernel, request.kernel);
  EXPECT_EQ(read->target, request.target);
  EXPECT_EQ(read->build, request.build);
  EXPECT_EQ(read->parameters, request.parameters);
  EXPECT_EQ(read->capacities, request.capacities);
}

TEST(WorkerRequest, PrepareReadsBack) {
  PrepareRequest request;
  request.types = {{"T", base::DataType::kBf16}};
  request.attributes["epsilon"] = 1e-6;
  request.attributes["causal"] = std::int64_t{1};
  request.attributes["style"] = std::string("neox");
  request.prepare_axes = {{"hidden", 4096}};
  const auto read = parse_prepare_request(prepare_request_json(request));
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->types, request.types);
  EXPECT_EQ(read->attributes, request.attributes);
  ASSERT_EQ(read->prepare_axes.size(), 1U);
  EXPECT_EQ(read->prepare_axes[0].name, "hidden");
  EXPECT_EQ(read->prepare_axes[0].value, 4096);
}

TEST(WorkerRequest, NegativeCapacityIsRefused) {
  const auto read = parse_load_request(
      R"({"device":"cpu:0","contract":"","kernel":"","target":"","build":"","parameters":{},)"
      R"("capacities":[-1]})");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), base::ErrorCode::kCorruptData);
  EXPECT_EQ(read.error().message(), "request: /capacities has an entry that is no size.");
}

}  // namespace
}  // namespace halyard::worker
