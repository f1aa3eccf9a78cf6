// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/evaluation/library_call.h"

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>

namespace halyard::services {

// A number that the device is known to have.
std::optional<double> capability_number(halyard_device* device, const char* key);

// The largest cache that all of the device shares; 0 when unknown.
std::int64_t last_level_cache_bytes(halyard_device* device);

// Whether its time is that of an interpreter, which says nothing of the device.
bool is_emulated(halyard_device* device);

// The members "device" and "environment" of results.
boost::json::object device_members(halyard_device* device);
boost::json::object environment_members();

}  // namespace halyard::services
