// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"
#include "runtime/base/result.h"

#include <pugixml.hpp>

#include <string>
#include <vector>

namespace halyard::isa {

// The condition that a CondtionExpression element holds, in either of AMD's two serialisations, as
// a text of base::Expression over the names of `fields`. An element without a tree is always true.
// Errors: kUnsupported with the operator or node that is not known, or the field that does not
// exist.
base::Result<std::string> read_condition(const pugi::xml_node& element,
                                         const std::vector<Field>& fields);

}  // namespace halyard::isa
