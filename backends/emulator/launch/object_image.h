// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/memory/address_space.h"
#include "capability-descriptors/object/elf_file.h"
#include "runtime/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace halyard::emulator {

// The segments of a code object in memory, from the lowest address on.
struct ObjectImage {
  std::vector<std::byte> bytes;
  std::uint64_t first_address = 0;  // of the file, of bytes[0]
  std::uint64_t bias = 0;           // what kernels see is as much above the file's addresses
  std::vector<MemoryRegion> regions;

  // The bytes from an address of the file on; null where they are not within one segment.
  std::byte* find(std::uint64_t address, std::uint64_t size_bytes);
};

// Puts the segments where a loader does, and applies the dynamic relocations.
// Errors: kCorruptData for segments and relocations that contradict one another; kUnsupported for a
// large image, a type of relocation that is not executed here and a symbol of another object.
base::Result<ObjectImage> make_image(const object::ElfFile& elf, std::string_view name);

}  // namespace halyard::emulator
