// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/launch/launch.h"
#include "backends/emulator/launch/loaded_object.h"
#include "backends/emulator/memory/address_space.h"
#include "runtime/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace halyard::emulator {

// What the kernel of one launch may address, and the bytes that belong to the launch alone. Does
// not move, since kernels hold addresses of what it holds.
class LaunchMemory {
 public:
  // Borrows the object and the memory of the arguments.
  // Errors: kInvalidArgument for arguments that the kernel does not take; kUnsupported for a hidden
  // argument that is not given here.
  base::Status create(const LoadedObject& object, const LoadedKernel& kernel,
                      const LaunchDesc& desc);

  const AddressSpace& space() const { return space_; }
  std::span<const std::byte> kernarg() const { return kernarg_; }
  std::uint64_t kernarg_address() const { return kernarg_address_; }
  std::uint64_t dispatch_address() const { return dispatch_address_; }
  std::uint64_t queue_address() const { return queue_address_; }

 private:
  void add_object(const LoadedObject& object);
  void add_queue();
  void add_dispatch(const LoadedKernel& kernel, const LaunchDesc& desc);
  base::Status set_arguments(const LoadedKernel& kernel, const LaunchDesc& desc);
  base::Status set_argument(const object::KernelArgument& to, const LaunchArgument& from);
  base::Status set_hidden(const object::KernelArgument& argument, const LaunchDesc& desc);
  void put(std::uint64_t offset, std::uint64_t size_bytes, std::uint64_t value);
  std::uint64_t add_bytes(const char* name, std::vector<std::byte>& bytes);

  AddressSpace space_;
  std::vector<std::vector<std::byte>> copies_;  // of the object's writable segments
  std::vector<std::byte> kernarg_;
  std::vector<std::byte> dispatch_;
  std::vector<std::byte> queue_;
  std::uint64_t kernarg_address_ = 0;
  std::uint64_t dispatch_address_ = 0;
  std::uint64_t queue_address_ = 0;
};

}  // namespace halyard::emulator
