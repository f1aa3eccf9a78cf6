// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/target_facts.h"

#include "runtime/base/data_directory.h"
#include "runtime/base/environment.h"
#include "runtime/operators/contract_catalog.h"

#include <utility>

namespace halyard::services {

KernelTarget TargetFacts::target() const {
  return {&descriptor, instruction_set ? &*instruction_set : nullptr, contract.get()};
}

base::Result<TargetFacts> find_target_facts(const Catalog& catalog, std::string_view id,
                                            const std::optional<std::string>& contract) {
  TargetFacts facts;
  HALYARD_TRY_ASSIGN(facts.descriptor, catalog.find_descriptor(id));
  if (!facts.descriptor.instruction_set.empty()) {
    HALYARD_TRY_ASSIGN(const descriptors::DescriptorCatalog files, catalog.read());
    base::Result<isa::InstructionSet> set =
        files.find_instruction_set(facts.descriptor.instruction_set);
    if (set) {
      facts.instruction_set = std::move(*set);
    } else if (set.error().code() != base::ErrorCode::kNotFound) {
      return std::move(set.error());
    }
  }
  if (contract) {
    HALYARD_TRY_ASSIGN(const base::Configuration configuration, base::read_configuration({}));
    HALYARD_TRY_ASSIGN(const std::string data, base::find_data_directory(configuration));
    HALYARD_TRY_ASSIGN(facts.contract, operators::ContractCatalog(data).find(*contract));
  }
  return facts;
}

}  // namespace halyard::services
