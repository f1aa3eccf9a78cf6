// SPDX-License-Identifier: Apache-2.0
#include "backends/host/host_thread.h"

#include "runtime/base/text.h"

#include <sched.h>
#include <signal.h>

#include <system_error>
#include <vector>

namespace halyard::host {
namespace {

class ThreadAttributes {
 public:
  ThreadAttributes() { ::pthread_attr_init(&value_); }
  ThreadAttributes(const ThreadAttributes&) = delete;
  ThreadAttributes& operator=(const ThreadAttributes&) = delete;
  ~ThreadAttributes() { ::pthread_attr_destroy(&value_); }

  pthread_attr_t* get() { return &value_; }

  void block_signals() {
    sigset_t all_signals;
    ::sigfillset(&all_signals);
    ::pthread_attr_setsigmask_np(&value_, &all_signals);
  }

  void set_affinity(int cpu) {
    const std::size_t index = static_cast<std::size_t>(cpu);
    std::vector<cpu_set_t> set(index / CPU_SETSIZE + 1);
    const std::size_t set_bytes = set.size() * sizeof(cpu_set_t);
    CPU_ZERO_S(set_bytes, set.data());
    CPU_SET_S(index, set_bytes, set.data());
    ::pthread_attr_setaffinity_np(&value_, set_bytes, set.data());
  }

 private:
  pthread_attr_t value_{};
};

}  // namespace

base::Result<pthread_t> start_thread(const HostThreadDesc& desc, void* (*body)(void*),
                                     void* argument) {
  ThreadAttributes attributes;
  attributes.block_signals();
  if (desc.cpu) attributes.set_affinity(*desc.cpu);
  if (desc.detached) ::pthread_attr_setdetachstate(attributes.get(), PTHREAD_CREATE_DETACHED);

  pthread_t thread{};
  const int code = ::pthread_create(&thread, attributes.get(), body, argument);
  if (code != 0) {
    return base::Error(base::ErrorCode::kUnavailable,
                       base::concat("Thread \"", desc.name, "\" cannot be started: ",
                                    std::generic_category().message(code), "."));
  }
  if (!desc.detached) ::pthread_setname_np(thread, desc.name.c_str());
  return thread;
}

}  // namespace halyard::host
