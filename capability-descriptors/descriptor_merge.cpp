// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/descriptor_merge.h"

namespace halyard::descriptors {

MergedCapabilities merge_capabilities(const CapabilitySet& live, const CapabilitySet& documented) {
  MergedCapabilities merged{live, {}};
  for (const auto& [key, value] : documented.all()) {
    const Capability* const said = live.find(key);
    if (said == nullptr) {
      merged.capabilities.set(key, value);
    } else if (!same_value(*said, value)) {
      merged.disagreements.push_back({key, *said, value});
    }
  }
  return merged;
}

CapabilitySet overlay_capabilities(const CapabilitySet& below, const CapabilitySet& above) {
  CapabilitySet all = below;
  for (const auto& [key, value] : above.all())
    all.set(key, value);
  return all;
}

}  // namespace halyard::descriptors
