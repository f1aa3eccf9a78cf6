// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_library.h"
#include "runtime/core/backend.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace halyard::vulkan {

std::unique_ptr<core::Backend> create_vulkan_backend(const core::BackendSettings& settings);

// Lists the devices of the Vulkan loader. Layers come from the environment of the loader alone.
class VulkanBackend final : public core::Backend {
 public:
  using LibraryLoader = std::function<base::Result<VulkanLibrary>()>;

  VulkanBackend(const core::BackendSettings& settings, LibraryLoader load_library);

  std::string_view name() const override { return "vulkan"; }
  // A device that cannot serve is left out and told in notes().
  base::Result<std::vector<base::Ref<core::Device>>> enumerate() override;
  std::vector<std::string> notes() const override { return notes_; }

 private:
  base::Ref<const core::BackendSettings> settings_;
  LibraryLoader load_library_;
  std::vector<std::string> notes_;
};

}  // namespace halyard::vulkan
