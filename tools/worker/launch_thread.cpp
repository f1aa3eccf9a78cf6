// SPDX-License-Identifier: Apache-2.0
#include "tools/worker/launch_thread.h"

#include "runtime/base/text.h"
#include "runtime/worker/futex.h"
#include "tools/worker/fault_note.h"
#include "tools/worker/kernel_confinement.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <string>
#include <system_error>

namespace halyard::worker {
namespace {

// Longer than the verifier needs between two launches of a series.
constexpr std::chrono::microseconds kSpin{60};
constexpr std::chrono::seconds kSleep{1};

struct Served {
  LaunchControl* control;
  ArenaLauncher* launcher;
  bool is_confined;
};

void answer(LaunchControl& control, LaunchAnswer code, const std::string& sentence) {
  const std::size_t length = std::min(sentence.size(), control.message.size());
  std::copy_n(sentence.data(), length, control.message.data());
  control.message_bytes = static_cast<std::uint32_t>(length);
  control.answer = static_cast<std::uint32_t>(code);
}

LaunchAnswer answer_of(const base::Error& error) {
  switch (error.code()) {
    case base::ErrorCode::kCorruptData:
      return LaunchAnswer::kOutOfBounds;
    case base::ErrorCode::kKernelFault:
      return LaunchAnswer::kReported;
    default:
      // What the emulator does not know stops a kernel that may be right.
      return error.message().starts_with("unknown_instruction: ") ? LaunchAnswer::kReported
                                                                  : LaunchAnswer::kRefused;
  }
}

void execute(const Served& served) {
  LaunchControl& control = *served.control;
  try {
    const base::Status status = served.launcher->execute(control);
    control.workspace_bytes = served.launcher->workspace_bytes();
    if (status) {
      answer(control, LaunchAnswer::kDone, served.launcher->told());
    } else {
      answer(control, answer_of(status.error()), status.error().message());
    }
  } catch (const std::exception& failure) {
    answer(control, LaunchAnswer::kFailed, failure.what());
  }
}

[[noreturn]] void serve(const Served& served) {
  std::atomic<std::uint32_t>& requested = served.control->requested;
  std::uint32_t done = 0;
  while (true) {
    spin_until_changed(requested, done, kSpin);
    std::uint32_t wanted = requested.load(std::memory_order_acquire);
    while (wanted == done) {
      futex_wait_shared(requested, done, kSleep);
      wanted = requested.load(std::memory_order_acquire);
    }
    execute(served);
    done = wanted;
    served.control->finished.store(done, std::memory_order_release);
    futex_wake_shared(served.control->finished);
  }
}

void* body(void* argument) {
  const Served served = *static_cast<const Served*>(argument);
  served.is_confined ? enter_kernel_thread() : use_fault_stack();
  serve(served);
}

}  // namespace

base::Status start_launch_thread(LaunchControl& control, ArenaLauncher& launcher,
                                 bool is_confined) {
  static Served served;  // Read by the thread at an unknown time.
  served = {&control, &launcher, is_confined};
  pthread_t thread{};
  const int code = ::pthread_create(&thread, nullptr, &body, &served);
  if (code == 0) return base::ok();
  return base::Error(base::ErrorCode::kUnavailable,
                     base::concat("The launching thread cannot be started: ",
                                  std::generic_category().message(code), "."));
}

}  // namespace halyard::worker
