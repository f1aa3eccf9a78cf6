// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/runtime/inspection/catalog_fixture.h"

#include "capability-descriptors/isa/instruction_set_json.h"

namespace halyard::services::testing {

std::string CatalogTest::instruction_set_text(const std::string& instruction) {
  isa::InstructionSet set;
  set.id = "acme/i1";
  set.architecture = "Acme 1";
  set.basis = "derived";
  set.instructions.emplace_back().name = instruction;
  return isa::write_instruction_set(set);
}

}  // namespace halyard::services::testing
