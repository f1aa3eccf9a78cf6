// SPDX-License-Identifier: Apache-2.0
#include "halyard/services/verification.h"

#include "kernel-store/open_store.h"
#include "runtime/base/boundary.h"
#include "runtime/base/canonical_json.h"
#include "runtime/base/document_handle.h"
#include "runtime/verification/device_verification.h"
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
namespace store = halyard::store;
namespace verification = halyard::verification;
namespace worker = halyard::worker;

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
    HALYARD_TRY_ASSIGN(const verification::VerificationOptions options, read_options(desc));
    HALYARD_TRY_ASSIGN(const verification::Surroundings surroundings,
                       verification::surroundings_of(device));
    std::unique_ptr<store::KernelStore> kept;
    if (desc.keeps != 0) {
      HALYARD_TRY_ASSIGN(kept, open_for_keeping(surroundings.store_url));
    }
    HALYARD_TRY_ASSIGN(
        const verification::VerificationReport report,
        verification::verify_for_device(device, directory, surroundings,
                                        desc.worker != nullptr ? desc.worker : "", options));
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
