// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"
#include "runtime/base/result.h"

#include <string>
#include <string_view>

namespace halyard::isa {

// Reads AMD's machine-readable ISA, schema 1.x, as it stands: corrections are applied apart. What
// the file names and does not define is in `unresolved`, and nothing else of the file is lost for
// it. The basis is "imported", or "reconstructed" where the file says that it is not AMD's.
// `source_name` is the file's name; it stands in messages and may tell the architecture.
//
// Errors: kCorruptData, as "<source_name>: <path of the element> <sentence>", for a text that is
// not one well-formed document within the limits of check_xml_text(), that is about no or two
// architectures, or that holds more faults than an import collects; kUnsupported for another
// schema.
base::Result<InstructionSet> read_amd_isa_xml(std::string_view text, std::string_view source_name);

}  // namespace halyard::isa
