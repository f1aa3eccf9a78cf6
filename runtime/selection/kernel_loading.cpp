// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/kernel_loading.h"

#include "runtime/base/text.h"

#include <span>
#include <vector>

namespace halyard::selection {

namespace {

base::Result<std::vector<std::byte>> load_code(Instance& instance, const Candidate& candidate) {
  if (!candidate.stored) return instance.bundle().load_code(*candidate.kernel, *candidate.build);
  HALYARD_TRY_ASSIGN(auto code, instance.store().get_blob(candidate.build->sha256));
  if (code) return std::move(*code);
  return base::Error(
      base::ErrorCode::kCorruptData,
      base::concat("The store has no blob ", store::digest_text(candidate.build->sha256),
                   ", which a build of kernel ", candidate.kernel->package.record.name, " names."));
}

}  // namespace

base::Result<base::Ref<dispatch::LaunchPlan>> load_plan(Instance& instance, core::Device& device,
                                                        const Candidate& candidate,
                                                        const operators::Problem& problem) {
  HALYARD_TRY_ASSIGN(const auto code, load_code(instance, candidate));
  const store::KernelRecord& record = candidate.kernel->package.record;
  auto plan = dispatch::LaunchPlan::create({device, problem, record, candidate.target,
                                            store::digest_text(candidate.build->sha256),
                                            candidate.parameters, std::as_bytes(std::span(code))});
  if (!plan) {
    return std::move(plan.error()).with_context(base::concat("loading kernel ", record.name));
  }
  return plan;
}

base::Result<base::Ref<dispatch::KernelChoice>> load_choice(Instance& instance,
                                                            core::Device& device,
                                                            const Candidate& candidate,
                                                            const operators::Problem& problem) {
  auto choice = base::make_ref<dispatch::KernelChoice>();
  HALYARD_TRY_ASSIGN(choice->plan, load_plan(instance, device, candidate, problem));
  choice->kernel_name = candidate.kernel->package.record.name;
  choice->kernel_id = store::digest_text(candidate.kernel->package.id);
  choice->target = candidate.target;
  choice->state = std::string(store::kernel_state_name(candidate.state));
  return choice;
}

}  // namespace halyard::selection
