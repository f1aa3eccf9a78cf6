// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/capability.h"

#include <string>
#include <vector>

namespace halyard::descriptors {

// A key of which the driver and the document say different things.
struct Disagreement {
  std::string key;
  Capability live;
  Capability documented;
};

struct MergedCapabilities {
  CapabilitySet capabilities;
  std::vector<Disagreement> disagreements;  // by key
};

// What is live wins; what only the document knows is added with its origin.
MergedCapabilities merge_capabilities(const CapabilitySet& live, const CapabilitySet& documented);

// What stands above replaces what is below: a product over its architecture.
CapabilitySet overlay_capabilities(const CapabilitySet& below, const CapabilitySet& above);

}  // namespace halyard::descriptors
