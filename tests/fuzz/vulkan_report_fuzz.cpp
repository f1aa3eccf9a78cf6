// SPDX-License-Identifier: Apache-2.0
// Reports of vulkan.gpuinfo.org and profiles of the Khronos schema.

#include "capability-descriptors/descriptor_json.h"
#include "capability-descriptors/vulkan_report.h"
#include "tests/fuzz/fuzz_target.h"

#include <string>

namespace {

// A descriptor that a reader gave out can be stored and read again.
void check(const halyard::base::Result<halyard::descriptors::Descriptor>& read) {
  namespace descriptors = halyard::descriptors;
  using halyard::fuzz::require;
  if (!read) return;
  const std::string text = descriptors::write_descriptor(*read);
  const auto again = descriptors::parse_descriptor(text, "again.json");
  if (!again) require(false, again.error().message());
  require(descriptors::write_descriptor(*again) == text, "It is written in another way again.");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = halyard::fuzz::text_of(data, size);
  check(halyard::descriptors::read_vulkan_report(text, "fuzz.gpuinfo-1.json"));
  check(halyard::descriptors::read_vulkan_profile(text, "fuzz.json"));
  return 0;
}
