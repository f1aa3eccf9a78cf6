// SPDX-License-Identifier: Apache-2.0
#include "tools/worker/fault_note.h"

#include <signal.h>

#include <array>
#include <atomic>
#include <cstddef>

namespace halyard::worker {
namespace {

constexpr std::size_t kStackBytes = 32UL * 1024;

// A handler has no argument of its own.
std::atomic<LaunchControl*> noted_in{nullptr};

void note_fault(int signal, siginfo_t* info, void*) {
  LaunchControl* const control = noted_in.load();
  control->fault_address = reinterpret_cast<std::uint64_t>(info->si_addr);
  control->fault_signal.store(static_cast<std::uint32_t>(signal));
  // SA_RESETHAND has put the default back: the instruction faults again and ends the process.
}

}  // namespace

void note_faults_in(LaunchControl& control) {
  noted_in.store(&control);
  struct sigaction action {};
  action.sa_sigaction = &note_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE})
    ::sigaction(signal, &action, nullptr);
}

void use_fault_stack() {
  thread_local std::array<std::byte, kStackBytes> memory;
  stack_t stack{};
  stack.ss_sp = memory.data();
  stack.ss_size = memory.size();
  ::sigaltstack(&stack, nullptr);
}

}  // namespace halyard::worker
