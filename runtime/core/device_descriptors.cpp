// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/device_descriptors.h"

#include "runtime/base/data_directory.h"

#include <string>
#include <utility>
#include <vector>

namespace halyard::core {

using descriptors::DescriptorCatalog;

DeviceDescriptors::DeviceDescriptors(base::Ref<const BackendSettings> settings)
    : settings_(std::move(settings)) {}

void DeviceDescriptors::warn(const base::Error& error) const {
  settings_->log.write(base::LogLevel::kWarning, error.message());
}

const DescriptorCatalog* DeviceDescriptors::catalog() {
  if (!std::exchange(opened_, true)) {
    const base::Configuration& configuration = settings_->configuration;
    std::vector<std::string> folders;
    const auto data = base::find_data_directory(configuration);
    if (data) folders.push_back(*data + "/descriptors");
    if (configuration.imported_descriptors) folders.push_back(*configuration.imported_descriptors);
    auto opened = DescriptorCatalog::open(folders);
    if (!opened) {
      // What the user imported does not take the shipped ones away.
      warn(opened.error());
      folders.resize(data ? 1 : 0);
      opened = DescriptorCatalog::open(folders);
    }
    if (opened) catalog_ = std::move(*opened);
  }
  return catalog_ ? &*catalog_ : nullptr;
}

void DeviceDescriptors::merge_into(Device& device) {
  const std::lock_guard lock(mutex_);
  const DescriptorCatalog* const all = catalog();
  if (all == nullptr) return;
  const DeviceInfo& info = device.info();
  const auto found = all->find_for_device({info.targets, info.pci_id, info.name});
  for (; told_ < all->problems().size(); ++told_)
    warn(all->problems()[told_]);
  if (!found) {
    warn(found.error());
  } else if (*found) {
    device.merge_descriptor(**found);
  }
}

}  // namespace halyard::core
