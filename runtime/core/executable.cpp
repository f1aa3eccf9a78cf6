// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/executable.h"

#include "runtime/core/device.h"

namespace halyard::core {

Executable::Executable(Device& device, const ExecutableDesc& desc)
    : device_(base::Ref<Device>::share(&device)),
      name_(desc.name),
      stages_(desc.stages) {}

Executable::~Executable() = default;

}  // namespace halyard::core
