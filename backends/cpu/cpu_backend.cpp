// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu_backend.h"

#include "backends/cpu/cpu_capability.h"
#include "backends/cpu/cpu_device.h"
#include "backends/host/host_machine.h"
#include "runtime/base/text.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace halyard::cpu {
namespace {

class CpuBackend final : public core::Backend {
 public:
  CpuBackend(std::size_t thread_limit, void (*confine_thread)())
      : thread_limit_(thread_limit),
        confine_thread_(confine_thread) {}

  std::string_view name() const override { return "cpu"; }

  base::Result<std::vector<base::Ref<core::Device>>> enumerate() override {
    std::vector<int> cpus = host::allowed_cpus();
    const std::size_t allowed = cpus.size();
    if (thread_limit_ != 0 && thread_limit_ < allowed) cpus.resize(thread_limit_);
    HALYARD_TRY_ASSIGN(CpuDescription description, describe_cpu(cpus.size()));
    notes_.push_back(base::concat("Uses ", cpus.size(), " of ", allowed,
                                  " allowed CPUs: ", base::join(cpus), "."));
    std::vector<base::Ref<core::Device>> devices;
    devices.emplace_back(base::make_ref<CpuDevice>(std::move(description), cpus, confine_thread_));
    return devices;
  }

  std::vector<std::string> notes() const override { return notes_; }

 private:
  std::size_t thread_limit_;  // 0: none
  void (*confine_thread_)();  // null: none
  std::vector<std::string> notes_;
};

}  // namespace

std::unique_ptr<core::Backend> create_cpu_backend(const core::BackendSettings& settings) {
  return std::make_unique<CpuBackend>(settings.configuration.cpu_threads.value,
                                      settings.confine_kernel_thread);
}

}  // namespace halyard::cpu
