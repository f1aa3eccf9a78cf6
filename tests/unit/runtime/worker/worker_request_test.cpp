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
  request.data_directory = "/data";
  request.emulation = {100, UINT64_MAX, true};
  const auto read = parse_load_request(load_request_json(request));
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->device, request.device);
  EXPECT_EQ(read->contract, request.contract);
  EXPECT_EQ(read->kernel, request.kernel);
  EXPECT_EQ(read->target, request.target);
  EXPECT_EQ(read->build, request.build);
  EXPECT_EQ(read->parameters, request.parameters);
  EXPECT_EQ(read->capacities, request.capacities);
  EXPECT_EQ(read->data_directory, "/data");
  EXPECT_EQ(read->emulation.instruction_budget, 100U);
  EXPECT_EQ(read->emulation.schedule_seed, UINT64_MAX);
  EXPECT_TRUE(read->emulation.has_statistics);
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

TEST(WorkerRequest, LoadWithoutAnOrderOfWavesReadsBack) {
  const auto read = parse_load_request(load_request_json(LoadRequest()));
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_FALSE(read->emulation.schedule_seed);
}

TEST(WorkerRequest, KernelsOfTheCpuAndOfTheEmulatorWorkInPlace) {
  EXPECT_TRUE(is_in_place("cpu:0"));
  EXPECT_TRUE(is_in_place("emulator:gfx942"));
  EXPECT_FALSE(is_in_place("vulkan:0000:03:00.0"));
  EXPECT_FALSE(is_emulated("cpu:0"));
}

}  // namespace
}  // namespace halyard::worker
