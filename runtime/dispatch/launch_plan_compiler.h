// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/dispatch/launch_plan.h"

#include <string_view>

namespace halyard::dispatch {

// Turns a kernel's launch record and a problem into a launch plan, and loads its code. One use.
class LaunchPlanCompiler {
 public:
  explicit LaunchPlanCompiler(const LaunchPlanDesc& desc);

  base::Result<base::Ref<LaunchPlan>> compile();

 private:
  base::Status compile_guards();
  base::Status compile_regions();
  base::Status compile_stages();
  base::Status compile_packings();
  base::Result<LaunchPlan::StagePlan> compile_stage(const store::KernelStage& stage);
  base::Result<LaunchPlan::ArgumentPlan> compile_argument(const store::KernelArgument& argument);
  base::Result<LaunchPlan::SplitPlan> compile_split(const store::KernelStage& stage);
  base::Result<core::StageDesc> describe_stage(const store::KernelStage& stage);
  base::Result<core::ArgumentLayout> describe_argument(const store::KernelStage& stage,
                                                       const store::KernelArgument& argument);
  base::Result<std::uint64_t> attribute_bits(const store::KernelArgument& argument) const;
  base::Result<std::int64_t> evaluate_now(std::string_view text) const;
  base::Result<std::uint32_t> region_index(std::string_view name) const;
  base::Result<std::uint32_t> layout_index(std::string_view name) const;
  base::Status load();

  const LaunchPlanDesc& desc_;
  base::Ref<LaunchPlan> plan_;
  std::vector<core::StageDesc> stage_descs_;
};

// What of a kernel's record this version cannot launch on any device; "" when it can.
std::string unsupported_feature(const store::KernelRecord& record);

}  // namespace halyard::dispatch
