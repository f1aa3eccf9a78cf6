// SPDX-License-Identifier: Apache-2.0
#include "halyard/contract.h"
#include "halyard/instance.h"
#include "halyard/services/verification.h"

#include "kernel-store/open_store.h"
#include "runtime/base/boundary.h"
#include "runtime/base/canonical_json.h"
#include "runtime/base/document_handle.h"
#include "runtime/base/json.h"
#include "runtime/evaluation/library_call.h"
#include "runtime/verification/kept_verdict.h"
#include "runtime/verification/package_verification.h"
#include "runtime/verification/verdict_document.h"
#include "runtime/verification/worker_program.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace {

namespace base = halyard::base;
namespace json = boost::json;
namespace services = halyard::services;
namespace store = halyard::store;
namespace verification = halyard::verification;
namespace worker = halyard::worker;

constexpr std::chrono::seconds kCeilingBudget{4};

// Where the instance of a device keeps its things.
struct Surroundings {
  std::string data_directory;
  std::string store_url;
};

base::Result<Surroundings> surroundings_of(halyard_instance* instance) {
  std::size_t size = 0;
  HALYARD_TRY(services::library_status(halyard_instance_report(instance, 0, nullptr, &size)));
  std::string text(size, '\0');
  HALYARD_TRY(
      services::library_status(halyard_instance_report(instance, size, text.data(), &size)));
  text.resize(size - 1);
  HALYARD_TRY_ASSIGN(const json::value document, base::parse_json(text, "report"));
  HALYARD_TRY_ASSIGN(const auto report, base::JsonObject::from(document, "report"));
  Surroundings found;
  HALYARD_TRY_ASSIGN(found.data_directory, report.required_string("data_directory"));
  HALYARD_TRY_ASSIGN(const auto kept, report.required_object("store"));
  HALYARD_TRY_ASSIGN(found.store_url, kept.required_string("url"));
  return found;
}

base::Result<verification::VerificationOptions> read_options(
    const halyard_verification_desc& desc) {
  verification::VerificationOptions options;
  options.seed = desc.seed;
  options.times = desc.times != 0;
  switch (desc.least_isolation) {
    case HALYARD_ISOLATION_DEFAULT:
    case HALYARD_ISOLATION_REDUCED:
      break;
    case HALYARD_ISOLATION_NONE:
      options.rules.accepts_none = true;
      break;
    case HALYARD_ISOLATION_FULL:
      options.rules.accepts_reduced = false;
      break;
    default:
      return base::invalid_argument(
          base::concat("There is no isolation number ", desc.least_isolation, "."));
  }
  if (desc.launch_patience_ms != 0) {
    options.launch_patience = std::chrono::milliseconds(desc.launch_patience_ms);
  }
  if (desc.budget_ms != 0) options.budget = std::chrono::milliseconds(desc.budget_ms);
  if (desc.counter_example != nullptr) {
    HALYARD_TRY_ASSIGN(options.reproduce,
                       verification::parse_counter_example(desc.counter_example));
    options.seed = options.reproduce->seed;
  }
  if (desc.progress != nullptr) {
    options.progress = [desc](verification::Stage stage, const std::string& subject) {
      desc.progress(desc.progress_user_data, std::string(verification::stage_name(stage)).c_str(),
                    subject.c_str());
    };
  }
  return options;
}

base::Result<std::string> worker_of(const char* given) {
  if (given != nullptr) return std::string(given);
  return verification::find_worker_program();
}

base::Result<verification::VerifiedDevice> describe(
    halyard_device* device, bool times, const halyard::operators::ContractCatalog& contracts) {
  if (!times) return verification::describe_device(device, nullptr);
  const services::ContractSource source = [&](const std::string& name) {
    return contracts.find(name);
  };
  HALYARD_TRY_ASSIGN(const services::Ceilings ceilings,
                     services::measure_ceilings(device, source, {}, kCeilingBudget));
  return verification::describe_device(device, &ceilings);
}

base::Result<verification::VerificationReport> verify(halyard_device* device, const char* directory,
                                                      const halyard_verification_desc& desc,
                                                      const Surroundings& surroundings) {
  HALYARD_TRY_ASSIGN(const verification::VerificationOptions options, read_options(desc));
  const halyard::operators::ContractCatalog contracts(surroundings.data_directory);
  HALYARD_TRY_ASSIGN(const store::Bundle bundle, store::Bundle::open(surroundings.data_directory));
  verification::VerificationSetting setting;
  setting.contracts = &contracts;
  setting.bundle = &bundle;
  setting.data_directory = surroundings.data_directory;
  HALYARD_TRY_ASSIGN(setting.worker_program, worker_of(desc.worker));
  HALYARD_TRY_ASSIGN(const verification::VerifiedDevice described,
                     describe(device, options.times && !options.reproduce, contracts));
  return verification::verify_package(directory, described, setting, options);
}

// Before the work is done, so that nobody waits for a verdict that cannot be kept.
base::Result<std::unique_ptr<store::KernelStore>> open_for_keeping(const std::string& url) {
  HALYARD_TRY_ASSIGN(auto kept, store::open_store(url));
  HALYARD_TRY_ASSIGN(const store::StoreCondition condition, kept->condition());
  if (condition.mode == store::StoreCondition::Mode::kReadWrite) return kept;
  return base::Error(
      base::ErrorCode::kPermissionDenied,
      base::concat("The verdict cannot be kept: ",
                   condition.reason.empty() ? "The store is in memory only." : condition.reason));
}

struct ReleaseInstance {
  halyard_instance* instance = nullptr;
  ~ReleaseInstance() { halyard_instance_release(instance); }
};

std::string isolation_json(const worker::IsolationReport& report) {
  json::array mechanisms;
  for (const worker::IsolationMechanism& mechanism : report.mechanisms) {
    mechanisms.push_back(json::object{{"name", mechanism.name},
                                      {"available", mechanism.is_available},
                                      {"detail", mechanism.detail}});
  }
  return base::canonical_json(json::object{{"format", "halyard.isolation/1"},
                                           {"level", worker::isolation_name(report.level)},
                                           {"shortfall", report.shortfall()},
                                           {"mechanisms", std::move(mechanisms)}});
}

}  // namespace

extern "C" halyard_status halyard_verification_run(halyard_device* device, const char* directory,
                                                   const halyard_verification_desc* given,
                                                   halyard_document** out_verdict,
                                                   uint32_t* out_accepted) {
  return base::guard([&]() -> base::Status {
    HALYARD_TRY(base::require_not_null(out_verdict, "out_verdict"));
    *out_verdict = nullptr;
    if (out_accepted != nullptr) *out_accepted = 0;
    HALYARD_TRY(base::require_not_null(device, "device"));
    HALYARD_TRY(base::require_not_null(directory, "directory"));
    HALYARD_TRY_ASSIGN(const halyard_verification_desc desc,
                       base::read_struct(given, sizeof(halyard_verification_desc), "desc"));
    ReleaseInstance held;
    HALYARD_TRY(services::library_status(halyard_device_get_instance(device, &held.instance)));
    HALYARD_TRY_ASSIGN(const Surroundings surroundings, surroundings_of(held.instance));
    std::unique_ptr<store::KernelStore> kept;
    if (desc.keeps != 0) {
      HALYARD_TRY_ASSIGN(kept, open_for_keeping(surroundings.store_url));
    }
    HALYARD_TRY_ASSIGN(const verification::VerificationReport report,
                       verify(device, directory, desc, surroundings));
    if (kept) HALYARD_TRY(verification::keep_verdict(*kept, report));
    *out_verdict = new halyard_document(verification::verdict_json(report));
    if (out_accepted != nullptr) {
      *out_accepted = report.decision.verdict == verification::VerdictClass::kAccept ? 1 : 0;
    }
    return base::ok();
  });
}

extern "C" halyard_status halyard_isolation_report(const char* given,
                                                   halyard_document** out_report) {
  return base::guard([&]() -> base::Status {
    HALYARD_TRY(base::require_not_null(out_report, "out_report"));
    *out_report = nullptr;
    HALYARD_TRY_ASSIGN(const std::string program, worker_of(given));
    *out_report = new halyard_document(isolation_json(worker::probe_isolation(program)));
    return base::ok();
  });
}
