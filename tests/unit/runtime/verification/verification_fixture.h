// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/float_formats.h"
#include "runtime/operators/element_reader.h"
#include "runtime/verification/host_runner.h"
#include "runtime/verification/numerics.h"
#include "runtime/verification/stability.h"
#include "tests/unit/runtime/operators/host_launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace halyard::verification::testing {

using operators::testing::contract;
using operators::testing::kBf16;
using operators::testing::kF16;
using operators::testing::kF32;

// Small enough for a build without optimisation.
inline ShapePlanDesc small_plan(std::string_view name, const operators::TypeBindings& types) {
  ShapePlanDesc desc;
  desc.contract = contract(name);
  desc.types = types;
  desc.seed = 20261130;
  desc.budget.edge = {60'000, std::int64_t{4} << 20};
  desc.budget.visible = {60'000, std::int64_t{4} << 20};
  desc.budget.held_out = 4;
  return desc;
}

inline NumericsResult check_numerics(Runner& runner, std::string_view name,
                                     const operators::TypeBindings& types) {
  NumericsDesc desc;
  desc.shapes = small_plan(name, types);
  auto result = run_numerics(runner, desc);
  EXPECT_TRUE(result) << result.error().message();
  return result ? std::move(*result) : NumericsResult{};
}

inline NumericsResult check_numerics(HostRunner::Function kernel, std::string_view name,
                                     const operators::TypeBindings& types) {
  HostRunner runner(std::move(kernel));
  return check_numerics(runner, name, types);
}

inline StabilityResult check_stability(HostRunner::Function kernel, std::string_view name,
                                       const operators::TypeBindings& types) {
  HostRunner runner(std::move(kernel));
  StabilityDesc desc;
  desc.shapes = small_plan(name, types);
  auto result = run_stability(runner, desc);
  EXPECT_TRUE(result) << result.error().message();
  return result ? std::move(*result) : StabilityResult{};
}

// A right kernel.
inline void run_reference(const HostLaunch& launch) {
  const base::Status ran =
      operators::run_reference(*launch.problem, launch.launch_axes, launch.tensors, launch.scalars);
  EXPECT_TRUE(ran) << ran.error().message();
}

// A tensor of a launch as numbers; packed.
class View {
 public:
  View(const HostLaunch& launch, std::string_view name)
      : tensor_(launch.tensors[*launch.problem->contract().tensor_index(name)]) {}

  std::int64_t size(std::size_t dimension) const { return tensor_.shape[dimension]; }
  std::int64_t count() const {
    std::int64_t count = 1;
    for (std::uint32_t i = 0; i < tensor_.rank; ++i)
      count *= tensor_.shape[i];
    return count;
  }
  double operator[](std::int64_t element) const {
    return operators::read_element(tensor_, element);
  }
  std::int64_t integer(std::int64_t element) const {
    return operators::read_integer(tensor_, element);
  }
  void set(std::int64_t element, double value) const {
    operators::write_element(tensor_, element, value);
  }
  const void* data() const { return tensor_.data; }
  std::size_t size_bytes() const {
    return static_cast<std::size_t>(count()) * base::data_type_size_bytes(tensor_.type);
  }

 private:
  operators::WritableTensor tensor_;
};

// The finding's class and words, or a failure that says what the kernel passed.
inline void expect_finding(const std::optional<Finding>& finding, VerdictClass verdict,
                           std::string_view words) {
  ASSERT_TRUE(finding) << "nothing is found";
  EXPECT_EQ(static_cast<int>(finding->verdict), static_cast<int>(verdict)) << finding->sentence;
  EXPECT_THAT(finding->sentence, ::testing::HasSubstr(std::string(words)));
}

inline void expect_accepted(const std::optional<Finding>& finding) {
  EXPECT_FALSE(finding) << finding->sentence;
}

}  // namespace halyard::verification::testing
