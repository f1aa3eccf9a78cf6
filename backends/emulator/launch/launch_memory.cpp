// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/launch/launch_memory.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace halyard::emulator {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Status;

constexpr std::size_t kDispatchBytes = 64;
constexpr std::size_t kQueueBytes = 256;
// Loads that are aligned may read to the end of their alignment.
constexpr std::uint64_t kKernargGranule = 64;

bool is_hidden(const object::KernelArgument& argument) {
  return argument.value_kind.starts_with("hidden_");
}

template <typename T>
void put_at(std::vector<std::byte>& bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(value));
}

// Hidden arguments of pointers to what is not given: a kernel that uses them reads address 0.
bool is_null(std::string_view kind) {
  constexpr std::array<std::string_view, 8> kKinds = {"hidden_none",
                                                      "hidden_printf_buffer",
                                                      "hidden_hostcall_buffer",
                                                      "hidden_heap_v1",
                                                      "hidden_multigrid_sync_arg",
                                                      "hidden_default_queue",
                                                      "hidden_completion_action",
                                                      "hidden_dynamic_heap"};
  return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

std::optional<std::uint64_t> size_argument(std::string_view kind, const LaunchDesc& desc) {
  constexpr std::array<std::string_view, 3> kAxes = {"_x", "_y", "_z"};
  for (std::size_t i = 0; i < kAxes.size(); ++i) {
    if (!kind.ends_with(kAxes[i])) continue;
    if (kind.starts_with("hidden_block_count")) return desc.grid[i];
    if (kind.starts_with("hidden_group_size")) return desc.block[i];
    if (kind.starts_with("hidden_remainder")) return 0;
    if (kind.starts_with("hidden_global_offset")) return 0;
  }
  if (kind == "hidden_grid_dims") {
    if (desc.grid[2] * desc.block[2] > 1) return 3;
    return desc.grid[1] * desc.block[1] > 1 ? 2 : 1;
  }
  if (kind == "hidden_dynamic_lds_size") return desc.dynamic_lds_bytes;
  if (kind == "hidden_private_base") return kPrivateAperture;
  if (kind == "hidden_shared_base") return kSharedAperture;
  return std::nullopt;
}

}  // namespace

std::uint64_t LaunchMemory::add_bytes(const char* name, std::vector<std::byte>& bytes) {
  MemoryRegion region;
  region.name = name;
  region.size_bytes = bytes.size();
  region.host = bytes.data();
  return space_.add(std::move(region));
}

void LaunchMemory::add_object(const LoadedObject& object) {
  for (MemoryRegion region : object.regions()) {
    if (region.is_writable) {
      copies_.emplace_back(region.host, region.host + region.size_bytes);
      region.host = copies_.back().data();
    }
    space_.add_at(std::move(region));
  }
}

// The part of a queue that kernels read: where flat addresses mean LDS and scratch.
void LaunchMemory::add_queue() {
  constexpr std::size_t kSharedApertureOffset = 0x40;
  constexpr std::size_t kPrivateApertureOffset = 0x44;
  queue_.assign(kQueueBytes, std::byte{0});
  put_at(queue_, kSharedApertureOffset, kSharedAperture);
  put_at(queue_, kPrivateApertureOffset, kPrivateAperture);
  queue_address_ = add_bytes("queue", queue_);
}

void LaunchMemory::add_dispatch(const LoadedKernel& kernel, const LaunchDesc& desc) {
  dispatch_.assign(kDispatchBytes, std::byte{0});
  constexpr std::uint16_t kKernelDispatch = 2;
  put_at(dispatch_, 0, kKernelDispatch);
  put_at(dispatch_, 2, std::uint16_t{3});
  for (std::size_t i = 0; i < desc.block.size(); ++i) {
    put_at(dispatch_, 4 + 2 * i, static_cast<std::uint16_t>(desc.block[i]));
    put_at(dispatch_, 12 + 4 * i, desc.grid[i] * desc.block[i]);
  }
  put_at(dispatch_, 24, kernel.descriptor.private_segment_bytes);
  put_at(dispatch_, 28, kernel.descriptor.group_segment_bytes + desc.dynamic_lds_bytes);
  put_at(dispatch_, 40, kernarg_address_);
  dispatch_address_ = add_bytes("dispatch packet", dispatch_);
}

void LaunchMemory::put(std::uint64_t offset, std::uint64_t size_bytes, std::uint64_t value) {
  std::memcpy(kernarg_.data() + offset, &value, std::min<std::uint64_t>(size_bytes, sizeof(value)));
}

Status LaunchMemory::set_argument(const object::KernelArgument& to, const LaunchArgument& from) {
  const bool is_pointer = to.value_kind == "global_buffer";
  if (from.is_value && !is_pointer) {
    if (from.host != nullptr) {
      if (from.size_bytes != to.size_bytes) {
        return Error(ErrorCode::kInvalidArgument,
                     concat("Argument \"", from.name, "\" has ", from.size_bytes,
                            " bytes; the kernel takes ", to.size_bytes, "."));
      }
      std::memcpy(kernarg_.data() + to.offset, from.host, to.size_bytes);
      return base::ok();
    }
    if (to.size_bytes > sizeof(from.value)) {
      return Error(ErrorCode::kInvalidArgument,
                   concat("Argument \"", from.name, "\" is a number; the kernel takes ",
                          to.size_bytes, " bytes."));
    }
    put(to.offset, to.size_bytes, from.value);
    return base::ok();
  }
  // What is written in assembly may take an address as a number.
  const bool takes_address = is_pointer || to.value_kind == "by_value";
  if (from.is_value || !takes_address || to.size_bytes != sizeof(std::uint64_t)) {
    return Error(
        ErrorCode::kInvalidArgument,
        concat("Argument \"", from.name, "\" is ", from.is_value ? "a number" : "memory",
               "; the kernel takes ", to.size_bytes, " bytes of kind ", to.value_kind, "."));
  }
  // Absent memory has the address 0, which no region has.
  if (from.host == nullptr) return base::ok();
  MemoryRegion region;
  region.name = from.name;
  region.size_bytes = from.size_bytes;
  region.host = from.host;
  region.is_writable = from.is_writable;
  put(to.offset, to.size_bytes, space_.add(std::move(region)));
  return base::ok();
}

Status LaunchMemory::set_hidden(const object::KernelArgument& argument, const LaunchDesc& desc) {
  const std::string_view kind = argument.value_kind;
  if (is_null(kind)) return base::ok();
  if (kind == "hidden_queue_ptr") {
    put(argument.offset, argument.size_bytes, queue_address_);
    return base::ok();
  }
  const auto value = size_argument(kind, desc);
  if (!value) {
    return Error(ErrorCode::kUnsupported,
                 concat("The kernel takes an argument of kind ", kind, ", which is not given."));
  }
  put(argument.offset, argument.size_bytes, *value);
  return base::ok();
}

Status LaunchMemory::set_arguments(const LoadedKernel& kernel, const LaunchDesc& desc) {
  const auto& wanted = kernel.metadata.arguments;
  const auto hidden =
      static_cast<std::size_t>(std::count_if(wanted.begin(), wanted.end(), is_hidden));
  if (wanted.size() - hidden != desc.arguments.size()) {
    return Error(ErrorCode::kInvalidArgument,
                 concat("Kernel \"", kernel.name, "\" takes ", wanted.size() - hidden,
                        " arguments, not ", desc.arguments.size(), "."));
  }
  std::size_t next = 0;
  for (const object::KernelArgument& argument : wanted) {
    if (is_hidden(argument)) {
      HALYARD_TRY(set_hidden(argument, desc));
    } else {
      HALYARD_TRY(set_argument(argument, desc.arguments[next++]));
    }
  }
  return base::ok();
}

Status LaunchMemory::create(const LoadedObject& object, const LoadedKernel& kernel,
                            const LaunchDesc& desc) {
  const std::uint64_t bytes = kernel.metadata.kernarg_segment_bytes;
  kernarg_.assign((bytes + kKernargGranule - 1) / kKernargGranule * kKernargGranule, std::byte{0});
  add_object(object);
  add_queue();
  HALYARD_TRY(set_arguments(kernel, desc));
  kernarg_address_ = add_bytes("kernarg segment", kernarg_);
  add_dispatch(kernel, desc);
  return base::ok();
}

}  // namespace halyard::emulator
