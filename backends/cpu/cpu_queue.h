// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/cpu/cpu_scratch.h"
#include "backends/cpu/cpu_worker_pool.h"
#include "backends/host/host_queue.h"
#include "runtime/base/result.h"
#include "runtime/core/queue.h"

namespace halyard::cpu {

// A queue whose launches are calls of kernels.
class CpuQueue final : public host::HostQueue {
 public:
  // `pool` is the device's and lives as long.
  CpuQueue(core::Device& device, CpuWorkerPool& pool);

  base::Status dispatch(const core::Dispatch& dispatch) override;
  base::Status replay(core::Recording& recording) override;

 private:
  ~CpuQueue() override;

  CpuWorkerPool& pool_;
  CpuScratch scratch_;  // of whoever runs commands: the caller, or the thread while deferring
};

}  // namespace halyard::cpu
