// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/object/amdgpu_target.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace halyard::object {
namespace {

struct Processor {
  std::uint32_t number;  // the low 8 bits of e_flags
  std::string_view name;
};

constexpr std::array kProcessors = {
    Processor{0x20, "gfx600"},          Processor{0x21, "gfx601"},
    Processor{0x22, "gfx700"},          Processor{0x23, "gfx701"},
    Processor{0x24, "gfx702"},          Processor{0x25, "gfx703"},
    Processor{0x26, "gfx704"},          Processor{0x28, "gfx801"},
    Processor{0x29, "gfx802"},          Processor{0x2a, "gfx803"},
    Processor{0x2b, "gfx810"},          Processor{0x2c, "gfx900"},
    Processor{0x2d, "gfx902"},          Processor{0x2e, "gfx904"},
    Processor{0x2f, "gfx906"},          Processor{0x30, "gfx908"},
    Processor{0x31, "gfx909"},          Processor{0x32, "gfx90c"},
    Processor{0x33, "gfx1010"},         Processor{0x34, "gfx1011"},
    Processor{0x35, "gfx1012"},         Processor{0x36, "gfx1030"},
    Processor{0x37, "gfx1031"},         Processor{0x38, "gfx1032"},
    Processor{0x39, "gfx1033"},         Processor{0x3a, "gfx602"},
    Processor{0x3b, "gfx705"},          Processor{0x3c, "gfx805"},
    Processor{0x3d, "gfx1035"},         Processor{0x3e, "gfx1034"},
    Processor{0x3f, "gfx90a"},          Processor{0x40, "gfx940"},
    Processor{0x41, "gfx1100"},         Processor{0x42, "gfx1013"},
    Processor{0x43, "gfx1150"},         Processor{0x44, "gfx1103"},
    Processor{0x45, "gfx1036"},         Processor{0x46, "gfx1101"},
    Processor{0x47, "gfx1102"},         Processor{0x48, "gfx1200"},
    Processor{0x49, "gfx1250"},         Processor{0x4a, "gfx1151"},
    Processor{0x4b, "gfx941"},          Processor{0x4c, "gfx942"},
    Processor{0x4e, "gfx1201"},         Processor{0x4f, "gfx950"},
    Processor{0x51, "gfx9-generic"},    Processor{0x52, "gfx10-1-generic"},
    Processor{0x53, "gfx10-3-generic"}, Processor{0x54, "gfx11-generic"},
    Processor{0x55, "gfx1152"},         Processor{0x58, "gfx1153"},
    Processor{0x59, "gfx12-generic"},   Processor{0x5f, "gfx9-4-generic"},
};

void append_feature(std::string& out, std::string_view name, FeatureSetting setting) {
  if (setting == FeatureSetting::kOn) out += base::concat(":", name, "+");
  if (setting == FeatureSetting::kOff) out += base::concat(":", name, "-");
}

}  // namespace

std::string AmdgpuTarget::id() const {
  std::string out = processor;
  append_feature(out, "sramecc", sramecc);
  append_feature(out, "xnack", xnack);
  return out;
}

std::uint32_t AmdgpuTarget::generation() const {
  std::string_view digits =
      std::string_view(processor).substr(std::min<std::size_t>(3, processor.size()));
  const auto generic = digits.find('-');
  if (generic != std::string_view::npos) {
    digits = digits.substr(0, generic);
  } else {
    // The last two characters are the minor version and the stepping.
    digits.remove_suffix(std::min<std::size_t>(2, digits.size()));
  }
  std::uint32_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

base::Result<AmdgpuTarget> amdgpu_target_of_flags(std::uint32_t flags,
                                                  std::uint32_t code_object_version) {
  const std::uint32_t number = flags & 0xff;
  const auto found = std::find_if(kProcessors.begin(), kProcessors.end(),
                                  [&](const Processor& p) { return p.number == number; });
  if (found == kProcessors.end()) {
    return base::Error(base::ErrorCode::kUnsupported,
                       base::concat("The processor of number ", number, " is not known."));
  }
  AmdgpuTarget target;
  target.processor = found->name;
  target.xnack = static_cast<FeatureSetting>(flags >> 8 & 3);
  target.sramecc = static_cast<FeatureSetting>(flags >> 10 & 3);
  if (code_object_version >= 6) target.generic_version = flags >> 24;
  return target;
}

}  // namespace halyard::object
