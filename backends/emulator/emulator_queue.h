// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/host/host_queue.h"
#include "runtime/base/result.h"
#include "runtime/core/queue.h"

namespace halyard::emulator {

class EmulatorDevice;

// A queue whose launches are interpreted, inside the call that enqueues them.
class EmulatorQueue final : public host::HostQueue {
 public:
  explicit EmulatorQueue(EmulatorDevice& device);

  base::Status dispatch(const core::Dispatch& dispatch) override;
  base::Status replay(core::Recording& recording) override;

 private:
  ~EmulatorQueue() override;

  EmulatorDevice& device_;
};

}  // namespace halyard::emulator
