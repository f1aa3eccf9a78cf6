// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/descriptor.h"
#include "runtime/base/result.h"

#include <string_view>

namespace halyard::descriptors {

// What the drivers on someone's machine said of a Vulkan device, as a descriptor of kind kReport:
// every capability that the Vulkan backend would find there, by the same rules, and those that the
// document does not settle in `missing`. `source_name` is the file's name; it stands in messages
// and, as "…gpuinfo-<number>…", tells the number of the report.
//
// Errors: kCorruptData, as "<source_name>: <JSON pointer> <sentence>", for what has another form;
// kUnsupported for a document that is about no one device.

// Reads a report of the Vulkan Hardware Capability Viewer, as vulkan.gpuinfo.org gives it.
base::Result<Descriptor> read_vulkan_report(std::string_view text, std::string_view source_name);

// Reads a profile of one device in the schema of the Khronos Vulkan Profiles, as
// vulkan.gpuinfo.org exports it. A profile that says what an application needs is about no device.
base::Result<Descriptor> read_vulkan_profile(std::string_view text, std::string_view source_name);

}  // namespace halyard::descriptors
