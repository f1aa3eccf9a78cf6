// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/dynamic_library.h"

#include "runtime/base/text.h"

#include <dlfcn.h>
#include <link.h>

#include <string_view>
#include <utility>
#include <vector>

namespace halyard::base {
namespace {

// The reasons, or the one that all candidates have.
std::string reasons_text(std::span<const char* const> candidates,
                         const std::vector<std::string>& reasons) {
  if (reasons.empty()) return "no name given";
  std::string common;
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    const std::string prefix = concat(candidates[i], ": ");
    const std::string reason =
        reasons[i].starts_with(prefix) ? reasons[i].substr(prefix.size()) : reasons[i];
    if (i > 0 && reason != common) return join(reasons, "; ");
    common = reason;
  }
  return common;
}

}  // namespace

Result<DynamicLibrary> DynamicLibrary::open(std::span<const char* const> candidates) {
  std::vector<std::string> reasons;
  for (const char* const candidate : candidates) {
    if (void* const handle = dlopen(candidate, RTLD_NOW | RTLD_LOCAL); handle != nullptr) {
      return DynamicLibrary(handle, candidate);
    }
    const char* const reason = dlerror();
    reasons.emplace_back(reason != nullptr ? reason : "no reason given");
  }
  return Error(ErrorCode::kUnavailable,
               concat("The library ", join(candidates, " or "),
                      " does not load: ", reasons_text(candidates, reasons), "."));
}

Result<DynamicLibrary> DynamicLibrary::open(const char* candidate) {
  return open(std::span<const char* const>(&candidate, 1));
}

DynamicLibrary::DynamicLibrary(void* handle, std::string name)
    : handle_(handle),
      name_(std::move(name)) {
  link_map* map = nullptr;
  if (dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr) path_ = map->l_name;
}

DynamicLibrary::DynamicLibrary(DynamicLibrary&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)),
      leaked_(other.leaked_),
      name_(std::move(other.name_)),
      path_(std::move(other.path_)) {}

DynamicLibrary& DynamicLibrary::operator=(DynamicLibrary&& other) noexcept {
  if (this != &other) {
    unload();
    handle_ = std::exchange(other.handle_, nullptr);
    leaked_ = other.leaked_;
    name_ = std::move(other.name_);
    path_ = std::move(other.path_);
  }
  return *this;
}

DynamicLibrary::~DynamicLibrary() {
  unload();
}

void DynamicLibrary::unload() {
  if (handle_ != nullptr && !leaked_) dlclose(handle_);
  handle_ = nullptr;
}

void* DynamicLibrary::find(const char* symbol) const {
  // Without a handle, the loader would search the whole program.
  return handle_ != nullptr ? dlsym(handle_, symbol) : nullptr;
}

Error DynamicLibrary::missing(const char* symbol) const {
  return Error(ErrorCode::kNotFound, concat("The library ", path_.empty() ? name_ : path_,
                                            " has no symbol \"", symbol, "\"."));
}

std::string path_of_address(const void* address) {
  Dl_info info = {};
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return {};
  return info.dli_fname;
}

}  // namespace halyard::base
