// SPDX-License-Identifier: Apache-2.0
#include "runtime/stewardship/kernel_lock.h"

#include "runtime/base/canonical_json.h"
#include "runtime/base/json.h"
#include "runtime/base/text.h"
#include "runtime/stewardship/lockable_kernel.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace halyard::stewardship {
namespace {

namespace json = boost::json;
using base::concat;
using base::Result;
using store::KernelState;
using store::LockPin;

enum class Standing : std::uint8_t { kPromoted, kVerified, kBundled, kNone };

struct Pinnable {
  LockPin pin;
  Standing standing;
  bool serves_all_axes;
};

using Use = std::tuple<std::string, store::TypeBinding, std::string>;
using Pinnables = std::map<Use, std::vector<Pinnable>>;

Standing standing_of(const LockableKernel& kernel, const store::StateChange* last) {
  const KernelState state = last == nullptr ? KernelState::kCandidate : last->state;
  switch (state) {
    case KernelState::kPromoted:
      return Standing::kPromoted;
    case KernelState::kVerified:
      return Standing::kVerified;
    case KernelState::kCandidate:
    case KernelState::kSelfTested:
      return kernel.bundled ? Standing::kBundled : Standing::kNone;
    case KernelState::kQuarantined:
    case KernelState::kRetired:
      break;
  }
  return Standing::kNone;
}

bool is_of(const std::vector<std::string>& wanted, const std::string& name) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
}

void add_pinnables(const LockableKernel& kernel, const LockScope& scope, Pinnables& out) {
  const store::KernelRecord& record = kernel.package.record;
  for (const std::string& target : record.targets) {
    if (!is_of(scope.targets, target)) continue;
    const store::StateChange* const last = last_in_effect(kernel, target);
    const Standing standing = standing_of(kernel, last);
    if (standing == Standing::kNone) continue;
    const bool is_limited = last != nullptr && (!last->where.empty() || last->share_percent < 100);
    for (const store::TypeBinding& types : record.types) {
      const store::KernelBuild* const build = build_for(kernel, target, types);
      if (build == nullptr) continue;
      LockPin pin{record.contract,   types,         target,
                  kernel.package.id, build->sha256, concat(record.name, ' ', record.version)};
      const Use use(record.contract, types, target);
      out[use].push_back({std::move(pin), standing, record.where.empty() && !is_limited});
    }
  }
}

// The pins of one use: of the best standing, and of the next ones until one serves all axes.
void take_best(std::vector<Pinnable> pinnables, std::vector<LockPin>& out) {
  std::stable_sort(pinnables.begin(), pinnables.end(),
                   [](const Pinnable& a, const Pinnable& b) { return a.standing < b.standing; });
  bool is_covered = false;
  for (std::size_t i = 0; i < pinnables.size(); ++i) {
    if (is_covered && pinnables[i].standing != pinnables[i - 1].standing) return;
    is_covered = is_covered || pinnables[i].serves_all_axes;
    out.push_back(std::move(pinnables[i].pin));
  }
}

Result<std::vector<std::string>> contracts_in(const StewardedStore& stewarded,
                                              const LockScope& scope) {
  HALYARD_TRY_ASSIGN(const auto bundled, stewarded.bundle().contracts());
  HALYARD_TRY_ASSIGN(const auto stored, stewarded.store().list_kernels(""));
  std::set<std::string> names(bundled.begin(), bundled.end());
  for (const store::KernelSummary& summary : stored)
    names.insert(summary.contract);
  if (scope.contracts.empty()) return std::vector<std::string>(names.begin(), names.end());
  for (const std::string& name : scope.contracts) {
    if (names.contains(name)) continue;
    return base::Error(base::ErrorCode::kNotFound,
                       concat("There are no kernels of contract \"", name, "\" to lock."));
  }
  return scope.contracts;
}

std::string pinned_names(const std::vector<LockPin>& pins, const LockPin& like) {
  std::vector<std::string> names;
  for (const LockPin& pin : pins) {
    if (pin.is_for(like.contract, like.types) && pin.target == like.target)
      names.push_back(pin.name);
  }
  return names.empty() ? "nothing" : base::join(names);
}

Result<CheckedPin> check_pin(const StewardedStore& stewarded, const LockPin& pin,
                             const store::LockFile& now) {
  CheckedPin checked{pin, PinStanding::kPresent, {}};
  HALYARD_TRY_ASSIGN(const auto kernel, lockable_kernel(stewarded, pin.kernel));
  if (!kernel) {
    checked.standing = PinStanding::kMissing;
    checked.reason = "Neither the store nor the bundle has the kernel.";
    return checked;
  }
  const store::KernelBuild* const build = build_for(*kernel, pin.target, pin.types);
  if (build == nullptr) {
    checked.standing = PinStanding::kMissing;
    checked.reason = concat("The kernel has no build for ", pin.target, ".");
    return checked;
  }
  const bool has_build =
      std::any_of(kernel->builds.begin(), kernel->builds.end(), [&](const store::KernelBuild& one) {
        return one.target == pin.target && one.types == pin.types && one.sha256 == *pin.build;
      });
  if (!has_build) {
    checked.standing = PinStanding::kChanged;
    checked.reason = concat("The build has SHA-256 ", store::digest_text(build->sha256),
                            ", and the lock holds ", store::digest_text(*pin.build), ".");
    return checked;
  }
  const store::StateChange* const last = last_in_effect(*kernel, pin.target);
  if (last != nullptr && last->state > KernelState::kPromoted) {
    checked.standing = PinStanding::kRefused;
    checked.reason = concat("It is ", store::kernel_state_name(last->state), ": ", last->why);
    return checked;
  }
  const bool is_pinned_now =
      std::any_of(now.pins.begin(), now.pins.end(), [&](const LockPin& other) {
        return other.is_for(pin.contract, pin.types) && other.target == pin.target &&
               other.kernel == pin.kernel;
      });
  if (!is_pinned_now) {
    checked.standing = PinStanding::kMoved;
    checked.reason = concat("A lock that is written now holds ", pinned_names(now.pins, pin), ".");
  }
  return checked;
}

}  // namespace

Result<store::LockFile> make_lock(const StewardedStore& stewarded, const LockScope& scope) {
  HALYARD_TRY_ASSIGN(const auto contracts, contracts_in(stewarded, scope));
  Pinnables pinnables;
  for (const std::string& contract : contracts) {
    HALYARD_TRY_ASSIGN(const auto kernels, lockable_kernels(stewarded, contract));
    for (const LockableKernel& kernel : kernels)
      add_pinnables(kernel, scope, pinnables);
  }
  store::LockFile lock;
  for (auto& [use, of_use] : pinnables)
    take_best(std::move(of_use), lock.pins);
  return lock;
}

std::string_view pin_standing_name(PinStanding standing) {
  switch (standing) {
    case PinStanding::kPresent:
      return "present";
    case PinStanding::kMoved:
      return "moved";
    case PinStanding::kMissing:
      return "missing";
    case PinStanding::kChanged:
      return "changed";
    case PinStanding::kRefused:
      return "refused";
  }
  return "";
}

Result<std::vector<CheckedPin>> check_lock(const StewardedStore& stewarded,
                                           const store::LockFile& lock) {
  HALYARD_TRY_ASSIGN(const store::LockFile now, make_lock(stewarded, {}));
  std::vector<CheckedPin> checked;
  for (const LockPin& pin : lock.pins) {
    HALYARD_TRY_ASSIGN(CheckedPin one, check_pin(stewarded, pin, now));
    checked.push_back(std::move(one));
  }
  return checked;
}

std::string lock_check_json(const std::string& path, const std::vector<CheckedPin>& checked) {
  json::array pins;
  for (const CheckedPin& one : checked) {
    const std::string_view standing = pin_standing_name(one.standing);
    auto types = base::parse_json(store::type_binding_json(one.pin.types), "types");
    pins.push_back(json::object{{"contract", one.pin.contract},
                                {"types", types ? std::move(*types) : json::value()},
                                {"target", one.pin.target},
                                {"kernel", store::digest_text(one.pin.kernel)},
                                {"name", one.pin.name},
                                {"standing", json::string_view(standing.data(), standing.size())},
                                {"reason", one.reason}});
  }
  return base::canonical_json(
      json::object{{"format", "halyard.lock-check/1"}, {"path", path}, {"pins", std::move(pins)}});
}

}  // namespace halyard::stewardship
