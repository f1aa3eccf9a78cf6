// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/ref.h"
#include "runtime/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace halyard::core {

class Device;

// How one argument of a stage reaches the kernel.
struct ArgumentLayout {
  std::string name;                      // for messages
  bool is_buffer = false;                // a tensor or workspace; otherwise a value
  bool is_written = false;               // buffers: the kernel may store into it
  std::uint32_t size_bytes = 8;          // values: 4 or 8
  std::optional<std::uint32_t> binding;  // Vulkan: storage buffer of set 0
  std::optional<std::uint32_t> push;     // Vulkan: byte offset of the value or device address
};

// A value fixed when the executable is made (a SPIR-V specialisation constant).
struct SpecializationConstant {
  std::uint32_t id = 0;
  std::int64_t value = 0;
};

struct StageDesc {
  std::string entry;
  std::vector<ArgumentLayout> arguments;
  std::vector<SpecializationConstant> constants;
  std::array<std::uint32_t, 3> block = {1, 1, 1};  // lanes of a workgroup; a CPU group is one
  std::optional<std::uint32_t> subgroup_size;      // required, or the device's own choice
  bool cpu_static_partition = true;                // CPU: one contiguous range per thread
  std::uint64_t cpu_scratch_bytes = 0;             // CPU: private bytes of each thread
};

// Code already checked against its recorded hash, and how to enter it.
struct ExecutableDesc {
  std::string name;                 // for messages
  std::string target;               // "x86_64-v4", "spirv-1.5", …
  std::span<const std::byte> code;  // borrowed for the call
  std::vector<StageDesc> stages;
};

// A kernel loaded on a device. Immutable; any number of queues may use it at once.
class Executable : public base::RefCounted {
 public:
  Device& device() const { return *device_; }
  const std::string& name() const { return name_; }
  const StageDesc& stage(std::size_t index) const { return stages_[index]; }
  std::size_t stage_count() const { return stages_.size(); }

 protected:
  Executable(Device& device, const ExecutableDesc& desc);
  ~Executable() override;

 private:
  base::Ref<Device> device_;
  std::string name_;
  std::vector<StageDesc> stages_;
};

}  // namespace halyard::core
