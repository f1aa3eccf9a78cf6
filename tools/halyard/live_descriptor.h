// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json/object.hpp>
#include <string>

namespace halyard::command_line {

// Whether a name is that of a device ("cpu:0", "vulkan:0000:03:00.0") and not of a descriptor. A
// PCI id ("1002:744c") is no device.
bool names_device(const std::string& name);

// What the library knows of a device, as a "halyard.descriptor/1" document of kind "live".
boost::json::object live_descriptor(const std::string& device_id);

// The "halyard.descriptor_value/1" document of one key of a device.
boost::json::object live_value(const std::string& device_id, const std::string& key);

}  // namespace halyard::command_line
