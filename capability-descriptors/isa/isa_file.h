// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"
#include "runtime/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace halyard::isa {

struct IsaFileLimits {
  std::size_t file_bytes = std::size_t{256} << 20;
  std::uint64_t entries = 256;
  std::uint64_t entry_bytes = std::uint64_t{64} << 20;      // one XML file, unpacked
  std::uint64_t unpacked_bytes = std::uint64_t{512} << 20;  // all of them
  std::uint64_t ratio = 400;                                // unpacked to packed, of one entry
};

// Reads AMD's machine-readable ISA from an XML file, or from each XML file of a ZIP archive as AMD
// ships it, in the order of the archive. All of them or none: one that cannot be read fails the
// whole. Names of entries stand in messages and are never paths.
// Errors: those of base::read_file() and read_amd_isa_xml(); kCorruptData for an archive that is
// damaged, encrypted, beyond `limits`, without XML, or with two files of one architecture.
base::Result<std::vector<InstructionSet>> read_isa_file(const std::string& path,
                                                        const IsaFileLimits& limits = {});

}  // namespace halyard::isa
