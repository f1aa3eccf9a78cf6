// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/launch/loaded_object.h"

#include "backends/emulator/launch/object_loader.h"
#include "runtime/base/text.h"

#include <utility>

namespace halyard::emulator {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;

Result<std::unique_ptr<const LoadedObject>> LoadedObject::load(const IsaTables& tables,
                                                               std::span<const std::byte> bytes,
                                                               std::string name) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return ObjectLoader(tables, text, std::move(name)).load();
}

Result<const LoadedKernel*> LoadedObject::kernel(std::string_view name) const {
  std::vector<std::string_view> names;
  for (const LoadedKernel& kernel : kernels_) {
    if (kernel.name == name) return &kernel;
    names.push_back(kernel.name);
  }
  return Error(ErrorCode::kNotFound, concat(name_, ": There is no kernel \"", name,
                                            "\"; the object has ", base::join(names), "."));
}

std::string LoadedObject::source_of(std::uint32_t offset) const {
  return lines_.find(code_address_ + offset);
}

}  // namespace halyard::emulator
