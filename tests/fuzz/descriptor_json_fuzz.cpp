// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/descriptor_json.h"
#include "capability-descriptors/lane_layout.h"
#include "tests/fuzz/fuzz_target.h"

#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace descriptors = halyard::descriptors;
  using halyard::fuzz::require;
  const auto read = descriptors::parse_descriptor(halyard::fuzz::text_of(data, size), "fuzz.json");
  if (!read) return 0;
  static_cast<void>(descriptors::check_lane_layouts(*read));
  const std::string text = descriptors::write_descriptor(*read);
  const auto again = descriptors::parse_descriptor(text, "again.json");
  if (!again) require(false, again.error().message());
  require(descriptors::write_descriptor(*again) == text, "It is written in another way again.");
  return 0;
}
