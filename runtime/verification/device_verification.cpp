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

base::Result<VerifiedDevice> describe(halyard_device* device, bool times,
                                      const operators::ContractCatalog& contracts) {
  if (!times) return describe_device(device, nullptr);
  const services::ContractSource source = [&](const std::string& name) {
    return contracts.find(name);
  };
  HALYARD_TRY_ASSIGN(const services::Ceilings ceilings,
                     services::measure_ceilings(device, source, {}, kCeilingBudget));
  return describe_device(device, &ceilings);
}

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
  HALYARD_TRY_ASSIGN(const VerifiedDevice described,
                     describe(device, options.times && !options.reproduce, contracts));
  return verify_package(directory, described, setting, options);
}

}  // namespace halyard::verification
