// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/corpus.h"

namespace halyard::adversarial {

std::vector<AdversarialCase> hostile_cases() {
  CaseList list;
  add_unwritten_answers(list);
  add_remembered_answers(list);
  add_partial_answers(list);
  add_host_code(list);
  add_system_calls(list);
  add_compile_attacks(list);
  add_package_attacks(list);
  add_record_attacks(list);
  add_precision(list);
  add_memory(list);
  add_order(list);
  add_edges(list);
  add_vulkan(list);
  add_spirv(list);
  add_amdgcn(list);
  add_amdgcn_memory(list);
  return list.take();
}

}  // namespace halyard::adversarial
