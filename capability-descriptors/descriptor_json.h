// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/descriptor.h"
#include "runtime/base/result.h"

#include <string>
#include <string_view>

namespace halyard::descriptors {

inline constexpr std::string_view kDescriptorFormat = "halyard.descriptor/1";

// Reads a "halyard.descriptor/1" document (capability-descriptors/schema/descriptor.schema.json).
// An alias of a known key counts as the key.
// Errors: kCorruptData, with the source, line and column or JSON pointer, for what the schema
// refuses, a known key with another kind or unit, a key that is neither known nor
// "vendor.<name>.<key>" (with the nearest known names), something said twice, a source that is not
// listed, a value in a document about an architecture or product that names none, and a lane layout
// that is no expression (check_lane_layouts() looks closer).
base::Result<Descriptor> parse_descriptor(std::string_view text, std::string_view source_name);

// The document with one fact a line, deterministic: equal descriptors give equal bytes.
std::string write_descriptor(const Descriptor& descriptor);

}  // namespace halyard::descriptors
