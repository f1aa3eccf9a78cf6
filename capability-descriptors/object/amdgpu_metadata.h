// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <array>
#include <boost/json/value.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::object {

// One argument in the kernarg segment. A text that the compiler left out is empty.
struct KernelArgument {
  std::string name;
  std::string type_name;
  std::string value_kind;     // "global_buffer", "by_value", "hidden_block_count_x", …
  std::string address_space;  // "global", "local", …
  std::string access;         // "read_only", …
  std::uint64_t offset = 0;
  std::uint64_t size_bytes = 0;
};

struct KernelMetadata {
  std::string name;
  std::string symbol;  // of the kernel descriptor, "saxpy.kd"
  std::uint64_t kernarg_segment_bytes = 0;
  std::uint64_t kernarg_segment_alignment = 0;
  std::uint64_t group_segment_bytes = 0;
  std::uint64_t private_segment_bytes = 0;
  std::uint32_t wavefront_size = 0;
  std::uint32_t sgpr_count = 0;
  std::uint32_t vgpr_count = 0;  // without the accumulation registers
  std::uint32_t agpr_count = 0;
  std::uint32_t sgpr_spill_count = 0;
  std::uint32_t vgpr_spill_count = 0;
  std::uint32_t max_flat_workgroup_size = 0;
  std::optional<std::array<std::uint32_t, 3>> required_workgroup_size;
  bool uses_dynamic_stack = false;
  std::vector<KernelArgument> arguments;  // by offset, as the compiler lists them
};

// What the compiler says about the kernels of a code object, version 3 or later of the format.
struct AmdgpuMetadata {
  std::string target;  // "amdgcn-amd-amdhsa--gfx1100"; "" before code object version 4
  std::vector<KernelMetadata> kernels;
  boost::json::value document;  // the whole, with what has no field above
};

// Reads the content of a note of metadata, which may be any bytes.
// Errors: kCorruptData, naming the offset or the member.
base::Result<AmdgpuMetadata> parse_amdgpu_metadata(std::string_view bytes,
                                                   std::string_view source_name);

// `document` as YAML, one "key: value" a line, in the order of the document.
std::string metadata_text(const boost::json::value& document);

}  // namespace halyard::object
