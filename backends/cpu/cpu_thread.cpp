// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu_thread.h"

#include "runtime/base/text.h"

#include <sched.h>
#include <signal.h>

#include <system_error>
#include <vector>

namespace halyard::cpu {
namespace {

void set_affinity(pthread_attr_t& attributes, int cpu) {
  const std::size_t index = static_cast<std::size_t>(cpu);
  std::vector<cpu_set_t> set(index / CPU_SETSIZE + 1);
  const std::size_t set_bytes = set.size() * sizeof(cpu_set_t);
  CPU_ZERO_S(set_bytes, set.data());
  CPU_SET_S(index, set_bytes, set.data());
  ::pthread_attr_setaffinity_np(&attributes, set_bytes, set.data());
}

}  // namespace

base::Result<pthread_t> start_thread(const CpuThreadDesc& desc, void* (*body)(void*),
                                     void* argument) {
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  sigset_t all_signals;
  ::sigfillset(&all_signals);
  ::pthread_attr_setsigmask_np(&attributes, &all_signals);
  if (desc.cpu) set_affinity(attributes, *desc.cpu);
  if (desc.detached) ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);

  pthread_t thread{};
  const int code = ::pthread_create(&thread, &attributes, body, argument);
  ::pthread_attr_destroy(&attributes);
  if (code != 0) {
    return base::Error(base::ErrorCode::kUnavailable,
                       base::concat("Thread \"", desc.name, "\" cannot be started: ",
                                    std::generic_category().message(code), "."));
  }
  if (!desc.detached) ::pthread_setname_np(thread, desc.name.c_str());
  return thread;
}

}  // namespace halyard::cpu
