// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace halyard::vulkan {

// What this backend must know of a SPIR-V module before the driver sees it.
struct SpirvModule {
  std::vector<std::uint32_t> words;
  std::uint32_t version = 0;                              // 0x00010500 for 1.5
  std::vector<std::string> entries;                       // of compute shaders
  std::map<std::uint32_t, std::uint32_t> constant_sizes;  // SpecId to bytes
};

// CORRUPT_DATA says what is wrong: size, magic number, or an instruction that does not fit.
base::Result<SpirvModule> read_spirv(std::span<const std::byte> code);

}  // namespace halyard::vulkan
