// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/file_descriptor.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>

namespace halyard::fleet {

// Answers GET /metrics on 127.0.0.1, one connection at a time, on a thread of its own. Nothing that
// a client sends has an effect; one that is slow is dropped after a second.
class LoopbackListener {
 public:
  // `text` makes the answer, on that thread. Port 0 is a free one. Errors: kUnavailable when the
  // port is taken or cannot be had.
  static base::Result<std::unique_ptr<LoopbackListener>> start(std::uint16_t port,
                                                               std::function<std::string()> text);
  ~LoopbackListener();
  LoopbackListener(const LoopbackListener&) = delete;
  LoopbackListener& operator=(const LoopbackListener&) = delete;

  std::uint16_t port() const { return port_; }

 private:
  LoopbackListener(base::FileDescriptor socket, base::FileDescriptor end, std::uint16_t port,
                   std::function<std::string()> text);
  void run();
  void answer(int connection) const;

  base::FileDescriptor socket_;
  base::FileDescriptor end_;  // An eventfd that ends run().
  std::uint16_t port_;
  std::function<std::string()> text_;
  std::thread thread_;
};

}  // namespace halyard::fleet
