// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/target_instruction_set.h"

#include "capability-descriptors/descriptor_catalog.h"
#include "capability-descriptors/isa/instruction_set_json.h"

#include <optional>

namespace halyard::verification {

base::Result<std::string> target_instruction_set(const std::string& data_directory,
                                                 std::string_view target) {
  if (!target.starts_with("amdgcn-")) return std::string();
  HALYARD_TRY_ASSIGN(const auto catalog,
                     descriptors::DescriptorCatalog::open({data_directory + "/descriptors"}));
  HALYARD_TRY_ASSIGN(const std::optional<descriptors::Descriptor> descriptor,
                     catalog.find_by_target(target));
  if (!descriptor || descriptor->instruction_set.empty()) return std::string();
  HALYARD_TRY_ASSIGN(const isa::InstructionSet set,
                     catalog.find_instruction_set(descriptor->instruction_set));
  return isa::write_instruction_set(set);
}

}  // namespace halyard::verification
