// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/descriptor.h"
#include "runtime/base/result.h"

#include <string>
#include <string_view>

namespace halyard::descriptors {

// Reads a "halyard.descriptor/1" document (capability-descriptors/schema/descriptor.schema.json).
// Errors: kCorruptData, with the source, line and column or JSON pointer, for what the schema
// refuses, a known key with another kind or unit, and a key that is neither known nor
// "vendor.<name>.<key>" (with the nearest known names).
base::Result<Descriptor> parse_descriptor(std::string_view text, std::string_view source_name);

// The document, deterministic: equal descriptors give equal bytes.
std::string write_descriptor(const Descriptor& descriptor);

}  // namespace halyard::descriptors
