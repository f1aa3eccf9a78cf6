// SPDX-License-Identifier: Apache-2.0
#include "halyard/services/rollout.h"

#include "kernel-store/process_identity.h"
#include "kernel-store/rollout.h"
#include "runtime/base/canonical_json.h"
#include "runtime/stewardship/handles.h"

#include <array>
#include <boost/json/object.hpp>
#include <string>

namespace {

namespace base = halyard::base;
namespace stewardship = halyard::stewardship;
namespace store = halyard::store;

constexpr std::uint32_t kUsualDevices = 2;

// In the order of RolloutStep.
constexpr auto kSteps = std::to_array<std::string_view>({"none", "waits", "widened", "taken-back"});

base::Result<std::string> advance(const halyard_store& opened, const char* kernel,
                                  const char* target, std::uint32_t least_devices) {
  HALYARD_TRY_ASSIGN(const auto found, stewardship::find_kernel(opened.stewarded, kernel));
  store::RolloutRules rules;
  rules.least_devices = least_devices != 0 ? least_devices : kUsualDevices;
  const std::string who = base::concat("rollout on ", store::this_process().host);
  HALYARD_TRY_ASSIGN(
      const store::RolloutReport report,
      store::advance_rollout(opened.stewarded.store(), found.id, target, rules, who));
  return base::canonical_json(
      boost::json::object{{"format", "halyard.rollout/1"},
                          {"kernel", store::digest_text(found.id)},
                          {"target", target},
                          {"step", kSteps[static_cast<std::size_t>(report.step)]},
                          {"passed_devices", report.passed_devices},
                          {"sentence", report.sentence}});
}

}  // namespace

extern "C" halyard_status halyard_store_advance_rollout(halyard_store* opened, const char* kernel,
                                                        const char* target, uint32_t least_devices,
                                                        halyard_document** out_rollout) {
  return stewardship::make_document(out_rollout, [&]() -> base::Result<std::string> {
    HALYARD_TRY(base::require_not_null(opened, "store"));
    HALYARD_TRY(base::require_not_null(kernel, "kernel"));
    HALYARD_TRY(base::require_not_null(target, "target"));
    return advance(*opened, kernel, target, least_devices);
  });
}
