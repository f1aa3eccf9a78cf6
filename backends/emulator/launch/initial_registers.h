// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/emulated_target.h"
#include "backends/emulator/state/workgroup.h"
#include "capability-descriptors/object/amdgpu_target.h"
#include "capability-descriptors/object/kernel_descriptor.h"
#include "runtime/base/result.h"

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace halyard::emulator {

// Which scalar registers a kernel asks for, by its descriptor. A value is the first register.
struct ScalarLayout {
  using Register = std::optional<std::uint32_t>;

  Register private_segment_buffer;  // four
  Register dispatch_pointer;        // two, and so are those below
  Register queue_pointer;
  Register kernarg_pointer;
  Register dispatch_id;
  Register flat_scratch;
  Register private_segment_size;  // one
  Register preloaded_arguments;
  std::uint32_t preloaded_count = 0;   // dwords
  std::uint32_t preloaded_offset = 0;  // dwords, in the kernarg segment
  std::array<Register, 3> workgroup_id;
  Register scratch_offset;
};

// Errors: kCorruptData with the rest of a sentence about the kernel, for a count of registers that
// what is asked for does not fit into, and for a register that is not given here.
base::Result<ScalarLayout> scalar_layout(const object::KernelDescriptor& descriptor,
                                         const object::AmdgpuTarget& target);

// What the registers of every wave of a launch are made of.
struct InitialRegisters {
  ScalarLayout layout;
  Generation generation = Generation::kGfx11;
  FloatMode mode;
  std::uint32_t lanes = 32;
  std::uint32_t work_item_dimensions = 1;  // whose ids v0 holds
  std::array<std::uint32_t, 3> block = {1, 1, 1};
  std::uint64_t dispatch_address = 0;
  std::uint64_t queue_address = 0;
  std::uint64_t kernarg_address = 0;
  std::span<const std::byte> kernarg;
  std::uint32_t private_bytes = 0;  // of a lane

  // Sets the scalar registers, EXEC, MODE and v0 of a wave whose number is set; the others keep
  // what they hold.
  void set(Wave& wave, const std::array<std::uint32_t, 3>& workgroup) const;
  // Those of Wave::scalar that set() sets.
  std::bitset<kScalarCount> scalars() const;

 private:
  void set_user_scalars(Wave& wave) const;
  void set_work_items(Wave& wave) const;
};

// By the bits of a kernel descriptor.
FloatMode float_mode_of(const object::KernelDescriptor& descriptor,
                        const object::AmdgpuTarget& target);

}  // namespace halyard::emulator
