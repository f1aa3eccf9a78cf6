// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/launch/loaded_object.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"
#include "runtime/core/executable.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace halyard::emulator {

class EmulatorDevice;

// A code object in memory, and the kernel of each stage.
class EmulatorExecutable final : public core::Executable {
 public:
  // Errors: UNSUPPORTED for a target that the device does not take, or a subgroup size that the
  // kernel is not compiled for; CORRUPT_DATA for an object that lacks an entry, or whose entry
  // takes other arguments than the stage gives; those of LoadedObject::load.
  static base::Result<base::Ref<core::Executable>> load(EmulatorDevice& device,
                                                        const core::ExecutableDesc& desc);

  const LoadedObject& object() const { return *object_; }
  const LoadedKernel& kernel(std::size_t stage) const { return *kernels_[stage]; }

 private:
  template <typename T, typename... Args>
  friend base::Ref<T> base::make_ref(Args&&... args);

  EmulatorExecutable(core::Device& device, const core::ExecutableDesc& desc,
                     std::unique_ptr<const LoadedObject> object);
  ~EmulatorExecutable() override;

  base::Status find_kernels();

  std::unique_ptr<const LoadedObject> object_;
  std::vector<const LoadedKernel*> kernels_;  // by stage
};

}  // namespace halyard::emulator
