// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/semaphore.h"

#include "runtime/core/device.h"

namespace halyard::core {

Semaphore::Semaphore(Device& device) : device_(base::Ref<Device>::share(&device)) {}

Semaphore::~Semaphore() = default;

}  // namespace halyard::core
