// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/queue.h"

#include "runtime/core/device.h"

namespace halyard::core {

Queue::Queue(Device& device) : device_(base::Ref<Device>::share(&device)) {}

Queue::~Queue() = default;

Recording::Recording(Device& device) : device_(base::Ref<Device>::share(&device)) {}

Recording::~Recording() = default;

}  // namespace halyard::core
