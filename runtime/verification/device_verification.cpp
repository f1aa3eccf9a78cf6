// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/device_verification.h"

#include "halyard/instance.h"

#include "runtime/base/json.h"
#include "runtime/evaluation/library_call.h"
#include "runtime/verification/worker_program.h"

#include <chrono>
#include <utility>

namespace halyard::verification {
namespace {

constexpr std::chrono::seconds kCeilingBudget{4};

struct ReleaseInstance {
  halyard_instance* instance = nullptr;
  ~ReleaseInstance() { halyard_instance_release(instance); }
};

// The ceilings of a device, measured when they are first asked for.
class MeasuredCeilings {
 public:
  MeasuredCeilings(halyard_device* device, const operators::ContractCatalog& contracts)
      : device_(device),
        contracts_(contracts) {}

  base::Result<const services::Ceilings*> get() {
    if (!measured_) {
      const services::ContractSource source = [this](const std::string& name) {
        return contracts_.find(name);
      };
      HALYARD_TRY_ASSIGN(measured_,
                         services::measure_ceilings(device_, source, {}, kCeilingBudget));
    }
    return &*measured_;
  }

 private:
  halyard_device* device_;
  const operators::ContractCatalog& contracts_;
  std::optional<services::Ceilings> measured_;
};

}  // namespace

base::Result<Surroundings> surroundings_of(halyard_device* device) {
  ReleaseInstance held;
  HALYARD_TRY(services::library_status(halyard_device_get_instance(device, &held.instance)));
  std::size_t size = 0;
  HALYARD_TRY(services::library_status(halyard_instance_report(held.instance, 0, nullptr, &size)));
  std::string text(size, '\0');
  HALYARD_TRY(
      services::library_status(halyard_instance_report(held.instance, size, text.data(), &size)));
  text.resize(size - 1);
  HALYARD_TRY_ASSIGN(const boost::json::value document, base::parse_json(text, "report"));
  HALYARD_TRY_ASSIGN(const auto report, base::JsonObject::from(document, "report"));
  Surroundings found;
  HALYARD_TRY_ASSIGN(found.data_directory, report.required_string("data_directory"));
  HALYARD_TRY_ASSIGN(const auto kept, report.required_object("store"));
  HALYARD_TRY_ASSIGN(found.store_url, kept.required_string("url"));
  return found;
}

base::Result<VerificationReport> verify_for_device(halyard_device* device,
                                                   const std::string& directory,
                                                   const Surroundings& surroundings,
                                                   const std::string& worker_program,
                                                   const VerificationOptions& options) {
  const operators::ContractCatalog contracts(surroundings.data_directory);
  HALYARD_TRY_ASSIGN(const store::Bundle bundle, store::Bundle::open(surroundings.data_directory));
  VerificationSetting setting;
  setting.contracts = &contracts;
  setting.bundle = &bundle;
  setting.data_directory = surroundings.data_directory;
  setting.worker_program = worker_program;
  if (worker_program.empty()) {
    HALYARD_TRY_ASSIGN(setting.worker_program, find_worker_program());
  }
  MeasuredCeilings ceilings(device, contracts);
  HALYARD_TRY_ASSIGN(const VerifiedDevice described,
                     describe_device(device, [&ceilings] { return ceilings.get(); }));
  return verify_package(directory, described, setting, options);
}

}  // namespace halyard::verification
