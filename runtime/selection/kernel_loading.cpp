// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/kernel_loading.h"

#include "runtime/base/text.h"

#include <span>
#include <vector>

namespace halyard::selection {

base::Result<base::Ref<dispatch::Program>> load_program(Instance& instance, core::Device& device,
                                                        const Candidate& candidate,
                                                        const operators::Problem& problem) {
  HALYARD_TRY_ASSIGN(const auto code,
                     instance.bundle().load_code(*candidate.kernel, *candidate.build));
  const store::KernelRecord& record = candidate.kernel->package.record;
  auto program = dispatch::Program::create({device, problem, record, candidate.target,
                                            store::digest_text(candidate.build->sha256),
                                            candidate.parameters, std::as_bytes(std::span(code))});
  if (!program) {
    return std::move(program.error()).with_context(base::concat("loading kernel ", record.name));
  }
  return program;
}

base::Result<base::Ref<dispatch::KernelChoice>> load_choice(Instance& instance,
                                                            core::Device& device,
                                                            const Candidate& candidate,
                                                            const operators::Problem& problem) {
  auto choice = base::make_ref<dispatch::KernelChoice>();
  HALYARD_TRY_ASSIGN(choice->program, load_program(instance, device, candidate, problem));
  choice->kernel_name = candidate.kernel->package.record.name;
  choice->kernel_id = store::digest_text(candidate.kernel->package.id);
  choice->target = candidate.target;
  choice->state = std::string(store::kernel_state_name(candidate.state));
  return choice;
}

}  // namespace halyard::selection
