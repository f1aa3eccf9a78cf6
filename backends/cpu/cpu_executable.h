// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/cpu/cpu_kernel.h"
#include "runtime/base/result.h"
#include "runtime/core/executable.h"

#include <cstddef>
#include <string>
#include <vector>

namespace halyard::cpu {

// A shared object of kernels that the dynamic loader has mapped from sealed anonymous memory.
class CpuExecutable final : public core::Executable {
 public:
  // Errors: UNSUPPORTED for a target that the device does not take, more than kMaximumArguments
  // arguments, or a system without memfd or /proc; CORRUPT_DATA for code that is no kernel or lacks
  // an entry.
  static base::Result<base::Ref<core::Executable>> load(core::Device& device,
                                                        const core::ExecutableDesc& desc);

  KernelEntry entry(std::size_t stage) const { return entries_[stage]; }

 private:
  // What the loader holds. The file stays open: the loader knows a library by its path, so the
  // number in it must not come back while the library is loaded.
  struct Library {
    Library() = default;
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    ~Library();

    base::Status open(const std::string& name, std::span<const std::byte> code);

    int file = -1;
    void* handle = nullptr;
  };

  template <typename T, typename... Args>
  friend base::Ref<T> base::make_ref(Args&&... args);

  CpuExecutable(core::Device& device, const core::ExecutableDesc& desc);
  ~CpuExecutable() override;

  base::Status find_entries();

  Library library_;
  std::vector<KernelEntry> entries_;  // by stage
};

}  // namespace halyard::cpu
