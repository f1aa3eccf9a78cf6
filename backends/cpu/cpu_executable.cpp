// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu_executable.h"

#include "backends/cpu/cpu_image.h"
#include "runtime/base/text.h"
#include "runtime/core/device.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace halyard::cpu {
namespace {

std::string system_text(int code) {
  return std::generic_category().message(code);
}

std::string path_of(int file) {
  return base::concat("/proc/self/fd/", file);
}

base::Error unloadable(const std::string& name, const std::string& reason) {
  return base::Error(base::ErrorCode::kUnsupported,
                     base::concat("Kernel \"", name, "\" cannot be loaded: ", reason, "."));
}

base::Status write_sealed(int file, const std::string& name, std::span<const std::byte> code) {
  while (!code.empty()) {
    const ssize_t written = ::write(file, code.data(), code.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      return base::Error(
          base::ErrorCode::kOutOfMemory,
          base::concat("The code of kernel \"", name, "\" (", code.size(),
                       " bytes left) cannot be placed in memory: ", system_text(errno), "."));
    }
    code = code.subspan(static_cast<std::size_t>(written));
  }
  if (::fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0) {
    return unloadable(name, base::concat("its memory cannot be sealed (", system_text(errno), ")"));
  }
  return base::ok();
}

base::Status check_stages(const core::Device& device, const core::ExecutableDesc& desc) {
  const std::vector<std::string>& targets = device.info().targets;
  if (std::find(targets.begin(), targets.end(), desc.target) == targets.end()) {
    return base::Error(
        base::ErrorCode::kUnsupported,
        base::concat("Kernel \"", desc.name, "\" is built for ", desc.target, "; device \"",
                     device.info().id, "\" takes ", base::join(targets), "."));
  }
  for (const core::StageDesc& stage : desc.stages) {
    if (stage.arguments.size() <= kMaximumArguments) continue;
    return base::Error(base::ErrorCode::kUnsupported,
                       base::concat("Entry \"", stage.entry, "\" of kernel \"", desc.name,
                                    "\" takes ", stage.arguments.size(),
                                    " arguments, above the limit of ", kMaximumArguments, "."));
  }
  return base::ok();
}

}  // namespace

base::Result<base::Ref<core::Executable>> CpuExecutable::load(core::Device& device,
                                                              const core::ExecutableDesc& desc) {
  HALYARD_TRY(check_stages(device, desc));
  HALYARD_TRY(check_image(desc.name, desc.code));
  auto executable = base::make_ref<CpuExecutable>(device, desc);
  HALYARD_TRY(executable->library_.open(desc.name, desc.code));
  HALYARD_TRY(executable->find_entries());
  return base::Ref<core::Executable>(std::move(executable));
}

CpuExecutable::CpuExecutable(core::Device& device, const core::ExecutableDesc& desc)
    : core::Executable(device, desc) {}

CpuExecutable::~CpuExecutable() = default;

base::Status CpuExecutable::find_entries() {
  for (std::size_t i = 0; i < stage_count(); ++i) {
    void* symbol = ::dlsym(library_.handle, stage(i).entry.c_str());
    if (symbol == nullptr) {
      return base::Error(base::ErrorCode::kCorruptData,
                         base::concat("The code of kernel \"", name(), "\" has no entry \"",
                                      stage(i).entry, "\"."));
    }
    entries_.push_back(reinterpret_cast<KernelEntry>(symbol));
  }
  return base::ok();
}

CpuExecutable::Library::~Library() {
  if (handle != nullptr) ::dlclose(handle);
  if (file >= 0) ::close(file);
}

base::Status CpuExecutable::Library::open(const std::string& name,
                                          std::span<const std::byte> code) {
  const std::string label = "halyard-" + name.substr(0, 200);  // seen in /proc/<pid>/maps
  file = ::memfd_create(label.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) {
    return unloadable(name, base::concat("memfd_create fails (", system_text(errno), ")"));
  }
  HALYARD_TRY(write_sealed(file, name, code));
  // Somebody else may have loaded a library through a file of the same number and closed it.
  while (void* stranger = ::dlopen(path_of(file).c_str(), RTLD_LAZY | RTLD_NOLOAD)) {
    ::dlclose(stranger);
    const int next = ::fcntl(file, F_DUPFD_CLOEXEC, file + 1);
    if (next < 0) return unloadable(name, system_text(errno));
    ::close(file);
    file = next;
  }
  handle = ::dlopen(path_of(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr) return base::ok();
  const char* reason = ::dlerror();
  return unloadable(name, reason != nullptr ? reason : "the dynamic loader gives no reason");
}

}  // namespace halyard::cpu
