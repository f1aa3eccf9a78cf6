// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/cpu/cpu_launch.h"
#include "backends/cpu/cpu_scratch.h"
#include "backends/cpu/cpu_worker_pool.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"
#include "runtime/core/buffer.h"
#include "runtime/core/executable.h"
#include "runtime/core/queue.h"

#include <cstdint>
#include <span>
#include <vector>

namespace halyard::cpu {

// Copies of dispatches that hold what they use. Immutable.
class CpuRecording final : public core::Recording {
 public:
  static base::Result<base::Ref<core::Recording>> create(
      core::Device& device, std::span<const core::Dispatch> dispatches);

  // Runs the dispatches in order, up to the first that fails.
  base::Status run(CpuWorkerPool& pool, CpuScratch& scratch) const;

 private:
  struct Step {
    CpuLaunch launch;  // `arguments` is set on each run
    std::vector<std::uint64_t> arguments;
  };

  template <typename T, typename... Args>
  friend base::Ref<T> base::make_ref(Args&&... args);

  explicit CpuRecording(core::Device& device);
  ~CpuRecording() override;

  base::Status append(const core::Dispatch& dispatch);

  std::vector<Step> steps_;
  std::vector<base::Ref<core::Executable>> executables_;
  std::vector<base::Ref<core::Buffer>> buffers_;
};

}  // namespace halyard::cpu
