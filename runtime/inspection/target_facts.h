// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/inspection/catalog.h"
#include "runtime/inspection/kernel_facts.h"

#include <optional>
#include <string>
#include <string_view>

namespace halyard::services {

// What kernel_facts() speaks of, found and held.
struct TargetFacts {
  descriptors::Descriptor descriptor;
  std::optional<isa::InstructionSet> instruction_set;
  base::Ref<const operators::Contract> contract;

  KernelTarget target() const;
};

// An instruction set that no folder has is left out.
// Errors: those of Catalog::find_descriptor and of operators::ContractCatalog::find, whose
// contracts are those of the data directory.
base::Result<TargetFacts> find_target_facts(const Catalog& catalog, std::string_view id,
                                            const std::optional<std::string>& contract);

}  // namespace halyard::services
