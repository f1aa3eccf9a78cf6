// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/ref.h"
#include "runtime/base/result.h"
#include "runtime/core/buffer.h"
#include "runtime/core/executable.h"
#include "runtime/core/queue.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace halyard::emulator {

class EmulatorDevice;

// Copies of dispatches that hold what they use. Immutable.
class EmulatorRecording final : public core::Recording {
 public:
  static base::Result<base::Ref<core::Recording>> create(
      EmulatorDevice& device, std::span<const core::Dispatch> dispatches);

  // Runs the dispatches in order, up to the first that fails.
  base::Status run() const;

 private:
  struct Step {
    base::Ref<core::Executable> executable;
    std::uint32_t stage = 0;
    std::array<std::uint32_t, 3> grid = {1, 1, 1};
    std::vector<core::ArgumentValue> arguments;
  };

  template <typename T, typename... Args>
  friend base::Ref<T> base::make_ref(Args&&... args);

  explicit EmulatorRecording(EmulatorDevice& device);
  ~EmulatorRecording() override;

  void append(const core::Dispatch& dispatch);

  EmulatorDevice& device_;
  std::vector<Step> steps_;
  std::vector<base::Ref<core::Buffer>> buffers_;
};

}  // namespace halyard::emulator
