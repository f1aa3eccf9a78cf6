// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/core/queue.h"

#include <cstdint>

namespace halyard::dispatch {

// Where a launch's commands go: a queue at once, or a sequence that records them.
class CommandSink {
 public:
  virtual base::Status dispatch(const core::Dispatch& dispatch) = 0;
  virtual base::Status fill(core::Buffer& buffer, std::uint64_t offset_bytes,
                            std::uint64_t length_bytes, std::uint32_t pattern) = 0;

 protected:
  ~CommandSink() = default;
};

class QueueSink final : public CommandSink {
 public:
  explicit QueueSink(core::Queue& queue) : queue_(queue) {}

  base::Status dispatch(const core::Dispatch& dispatch) override {
    return queue_.dispatch(dispatch);
  }
  base::Status fill(core::Buffer& buffer, std::uint64_t offset_bytes, std::uint64_t length_bytes,
                    std::uint32_t pattern) override {
    return queue_.fill(buffer, offset_bytes, length_bytes, pattern);
  }

 private:
  core::Queue& queue_;
};

}  // namespace halyard::dispatch
