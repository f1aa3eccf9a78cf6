// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::verification {

// Words of the SPIR-V specification that this reader knows; the rest is the validator's matter.
enum class SpirvStorage : std::uint32_t {
  kUniformConstant = 0,
  kInput = 1,
  kUniform = 2,
  kOutput = 3,
  kWorkgroup = 4,
  kPrivate = 6,
  kFunction = 7,
  kPushConstant = 9,
  kImage = 11,
  kStorageBuffer = 12,
  kPhysicalStorageBuffer = 5349,
};

struct SpirvEntryPoint {
  std::uint32_t model = 0;
  std::uint32_t id = 0;
  std::string name;
  std::vector<std::uint32_t> interface;
  // As written; a dimension of LocalSizeId is the id of a constant.
  std::optional<std::array<std::uint32_t, 3>> local_size;
  bool local_size_is_ids = false;
};

// A variable outside of functions.
struct SpirvVariable {
  std::uint32_t id = 0;
  std::uint32_t storage = 0;                // SpirvStorage
  std::optional<std::uint64_t> size_bytes;  // of what it holds; nothing where that has no fixed end
  std::optional<std::uint32_t> descriptor_set;
  std::optional<std::uint32_t> binding;
};

// What a module says of itself before its functions.
struct SpirvModule {
  std::uint32_t version = 0;  // 0x00010500 is 1.5
  std::vector<std::uint32_t> capabilities;
  std::vector<std::string> imports;  // sets of extended instructions
  std::uint32_t addressing = 0;
  bool has_decoration_groups = false;  // whose decorations are not read here
  std::vector<SpirvEntryPoint> entry_points;
  std::vector<SpirvVariable> variables;
  std::map<std::uint32_t, std::int64_t> constants;  // integers by id, specialised
  std::vector<std::uint32_t> constant_ids;          // SpecId of what can be specialised
  // The composite that is the size of a workgroup whatever the entry points say; ids.
  std::optional<std::array<std::uint32_t, 3>> workgroup_size;
};

// Reads a module that the validator has passed, with `specialisation` (by SpecId) for its
// constants. Bytes that no validator saw are safe too: nothing is read past their end, and the work
// is linear. Nothing where an instruction is cut off, with the offset of its word in *fault_word.
std::optional<SpirvModule> read_spirv_module(
    std::span<const std::uint32_t> words,
    const std::map<std::uint32_t, std::int64_t>& specialisation, std::size_t* fault_word);

}  // namespace halyard::verification
