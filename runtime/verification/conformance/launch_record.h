// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/capability.h"
#include "kernel-store/kernel_record.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace halyard::verification {

// One argument as code takes it.
struct CodeArgument {
  bool is_address = false;
  bool is_hidden = false;
  std::uint32_t size_bytes = 8;
};

// What kernel.json says of a stage that code can be held against.
struct CodeStage {
  std::string entry;
  // Nothing where more than parameters decides it.
  std::array<std::optional<std::int64_t>, 3> block;
  std::optional<std::int64_t> shared_bytes;  // dynamic; 0 where the stage asks for none
  std::optional<std::uint32_t> subgroup_size;
  std::vector<CodeArgument> arguments;
  std::vector<std::uint32_t> bindings;  // of set 0
  std::uint64_t push_bytes = 0;         // up to the end of the last value
};

// The stages of a kernel under an assignment of its parameters. `capabilities`, of the device, may
// be null; expressions over `device.*` have no value then.
std::vector<CodeStage> code_stages(const store::KernelRecord& record,
                                   const store::ParameterValues& parameters,
                                   const descriptors::CapabilitySet* capabilities);

}  // namespace halyard::verification
