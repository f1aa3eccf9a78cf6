// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/emulator_backend.h"

#include "backends/emulator/emulator_capability.h"
#include "backends/emulator/emulator_device.h"
#include "backends/emulator/emulator_targets.h"
#include "runtime/base/data_directory.h"
#include "runtime/base/text.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace halyard::emulator {
namespace {

std::string settings_text(const EmulatorSettings& settings) {
  const std::string budget =
      settings.instruction_budget == 0
          ? std::string("as many instructions as it takes")
          : base::concat(settings.instruction_budget, " instructions at most");
  return base::concat(settings.has_detectors ? "Looks for everything" : "Looks at bounds only",
                      ", with ", settings.threads, settings.threads == 1 ? " thread" : " threads",
                      "; a launch has ", budget, ".");
}

class EmulatorBackend final : public core::Backend {
 public:
  explicit EmulatorBackend(base::Ref<const core::BackendSettings> surroundings)
      : surroundings_(std::move(surroundings)) {}

  std::string_view name() const override { return "emulator"; }

  base::Result<std::vector<base::Ref<core::Device>>> enumerate() override {
    if (const auto reason = missing_features(host_features())) {
      return base::Error(base::ErrorCode::kUnsupported, *reason);
    }
    HALYARD_TRY_ASSIGN(const std::string data,
                       base::find_data_directory(surroundings_->configuration));
    std::vector<base::Ref<core::Device>> devices;
    std::optional<base::Error> failure;  // The first.
    for (const EmulatedTarget& target : emulated_targets()) {
      auto tables = std::make_unique<EmulatorTables>(target, data);
      const auto fingerprint = tables->fingerprint();
      if (!fingerprint) {
        // The others are unaffected.
        notes_.push_back(
            base::concat("No device for ", target.processor, ": ", fingerprint.error().message()));
        if (!failure) failure = fingerprint.error();
        continue;
      }
      devices.emplace_back(
          base::make_ref<EmulatorDevice>(std::move(tables), *fingerprint, surroundings_));
    }
    if (devices.empty() && failure) return std::move(*failure);
    notes_.push_back(settings_text(make_settings(surroundings_->configuration)));
    return devices;
  }

  std::vector<std::string> notes() const override { return notes_; }

 private:
  base::Ref<const core::BackendSettings> surroundings_;
  std::vector<std::string> notes_;
};

}  // namespace

std::unique_ptr<core::Backend> create_emulator_backend(const core::BackendSettings& settings) {
  return std::make_unique<EmulatorBackend>(
      base::Ref<const core::BackendSettings>::share(&settings));
}

}  // namespace halyard::emulator
