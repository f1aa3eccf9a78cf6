// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/capability.h"

// The seam says what a device can do in the words of the descriptors.
namespace halyard::core {

using descriptors::all_capability_keys;
using descriptors::Capability;
using descriptors::capability_key_from_name;
using descriptors::capability_key_info;
using descriptors::CapabilityKey;
using descriptors::CapabilityKeyInfo;
using descriptors::CapabilityKind;
using descriptors::CapabilityOrigin;
using descriptors::CapabilitySet;

}  // namespace halyard::core
