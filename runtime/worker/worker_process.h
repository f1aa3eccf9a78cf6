// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/worker/isolation.h"
#include "runtime/worker/launch_arena.h"
#include "runtime/worker/message_channel.h"
#include "runtime/worker/sandbox.h"
#include "runtime/worker/shared_memory.h"
#include "runtime/worker/worker_request.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace halyard::worker {

// Where a worker is started, and within which limits.
struct WorkerDesc {
  std::string program;  // the halyard-worker executable
  Isolation isolation = Isolation::kFull;
  // Of the whole process; memory is what it may have beside the arena.
  ResourceLimits limits{std::chrono::hours(1), std::chrono::hours(1)};
  std::chrono::milliseconds load_patience{20'000};  // for start, load and prepare, each
};

// How one call of a worker ended; what the worker itself says is a claim.
struct WorkerAnswer {
  enum class Kind : std::uint8_t {
    kDone,
    kRefused,      // our own code in the worker refuses; `sentence` says why
    kOutOfBounds,  // it found that bytes around the workspace were written
    kReported,     // the emulator has stopped the kernel; `sentence` is its report
    kEnded,        // the process is no more, or was killed past the deadline; see `exit`
  };
  Kind kind = Kind::kDone;
  std::string sentence;  // of a launch that is done: its statistics, where they are asked for
  SandboxExit exit;      // kEnded
  bool is_past_deadline = false;
  std::optional<std::uint64_t> fault_offset;  // a fault in the arena: the offset that was touched
  std::chrono::nanoseconds wall{};            // of launches, by the caller's clock
};

// One kernel loaded in a confined process, and the memory shared with it. The process is of one
// trust domain: it never loads a second kernel.
// Threads: one at a time.
class WorkerProcess {
 public:
  // Starts the process, which loads `request`'s kernel. `arena` is borrowed for the process's life.
  // Errors: UNAVAILABLE, PERMISSION_DENIED as SandboxedProcess::start; what the worker says of the
  // kernel is the answer of load().
  static base::Result<WorkerProcess> start(const WorkerDesc& desc, const LoadRequest& request,
                                           std::span<const std::byte> code,
                                           const SharedMemory& arena);

  // What became of the loading; repeated calls answer the same.
  const WorkerAnswer& loaded() const { return loaded_; }

  WorkerAnswer prepare(const PrepareRequest& request);
  // Does what the arena's block of control says; `actions` and `repeat` are set here.
  WorkerAnswer launch(std::uint32_t actions, std::uint32_t repeat,
                      std::chrono::milliseconds patience);

  bool is_running() const { return !ended_; }
  Isolation isolation() const { return process_.isolation(); }

 private:
  WorkerProcess(SandboxedProcess process, MessageChannel channel, const SharedMemory& arena,
                std::chrono::milliseconds patience);

  WorkerAnswer ask(std::string_view text, std::span<const int> files);
  WorkerAnswer await_launch(std::uint32_t ticket, std::chrono::milliseconds patience);
  WorkerAnswer end(bool is_past_deadline);
  LaunchControl& control() const;

  SandboxedProcess process_;
  MessageChannel channel_;
  const SharedMemory* arena_;
  std::chrono::milliseconds patience_;
  WorkerAnswer loaded_;
  std::optional<WorkerAnswer> ended_;
  std::uint32_t tickets_ = 0;
};

}  // namespace halyard::worker
