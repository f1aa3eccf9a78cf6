// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/kernel_state.h"

#include "runtime/base/sha256.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <array>

namespace halyard::store {
namespace {

constexpr auto kNames = std::to_array<std::string_view>(
    {"candidate", "self-tested", "verified", "promoted", "quarantined", "retired"});

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Takes a run of digits off the front of `text`, without its leading zeros.
std::string_view take_digits(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end]))
    ++end;
  std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  while (digits.size() > 1 && digits[0] == '0')
    digits.remove_prefix(1);
  return digits;
}

// Below, at or above 0 as `left` is before, equal to or after `right`; runs of digits are numbers.
int compare_natural(std::string_view left, std::string_view right) {
  while (!left.empty() && !right.empty()) {
    if (is_digit(left[0]) && is_digit(right[0])) {
      const std::string_view a = take_digits(left);
      const std::string_view b = take_digits(right);
      if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
      if (const int order = a.compare(b); order != 0) return order;
      continue;
    }
    if (left[0] != right[0]) return left[0] < right[0] ? -1 : 1;
    left.remove_prefix(1);
    right.remove_prefix(1);
  }
  return left.empty() ? (right.empty() ? 0 : -1) : 1;
}

}  // namespace

std::string_view kernel_state_name(KernelState state) {
  return kNames[static_cast<std::size_t>(state)];
}

std::optional<KernelState> kernel_state_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<KernelState>(i);
  }
  return std::nullopt;
}

bool DriverRange::contains(std::string_view driver) const {
  return (first.empty() || compare_natural(first, driver) <= 0) &&
         (last.empty() || compare_natural(driver, last) <= 0);
}

bool DriverRange::contains(const DriverRange& other) const {
  const bool begins =
      first.empty() || (!other.first.empty() && compare_natural(first, other.first) <= 0);
  const bool ends = last.empty() || (!other.last.empty() && compare_natural(other.last, last) <= 0);
  return begins && ends;
}

bool DriverRange::overlaps(const DriverRange& other) const {
  const auto ends_before = [](const std::string& last_of_one, const std::string& first_of_other) {
    return !last_of_one.empty() && !first_of_other.empty() &&
           compare_natural(last_of_one, first_of_other) < 0;
  };
  return !ends_before(last, other.first) && !ends_before(other.last, first);
}

bool DriverRange::is_turned_round() const {
  return !first.empty() && !last.empty() && compare_natural(last, first) < 0;
}

std::string driver_range_text(const DriverRange& drivers) {
  if (drivers.first.empty() && drivers.last.empty()) return "all drivers";
  if (drivers.first == drivers.last) return base::concat("driver ", drivers.first);
  if (drivers.first.empty()) return base::concat("drivers up to ", drivers.last);
  if (drivers.last.empty()) return base::concat("drivers from ", drivers.first);
  return base::concat("drivers ", drivers.first, " to ", drivers.last);
}

bool in_share(const KernelId& kernel, std::string_view host, std::uint32_t percent) {
  if (percent >= 100) return true;
  if (host.empty()) return false;
  const auto digest = base::Sha256()
                          .update_field("kernel", std::as_bytes(std::span(kernel)))
                          .update_field("host", host)
                          .finish();
  std::uint64_t place = 0;
  for (std::size_t i = 0; i < sizeof(place); ++i)
    place = place << 8U | digest[i];
  return place % 100 < percent;
}

std::vector<const StateChange*> changes_in_effect(std::span<const StateChange> history) {
  std::vector<std::int64_t> taken_back;
  for (const StateChange& change : history) {
    if (change.reverts) taken_back.push_back(*change.reverts);
  }
  std::sort(taken_back.begin(), taken_back.end());
  std::vector<const StateChange*> changes;
  for (const StateChange& change : history) {
    if (change.reverts) continue;
    if (!std::binary_search(taken_back.begin(), taken_back.end(), change.sequence)) {
      changes.push_back(&change);
    }
  }
  return changes;
}

const StateChange* last_change(std::span<const StateChange> history, const StatePlace& place) {
  const StateChange* last = nullptr;
  for (const StateChange* const change : changes_in_effect(history)) {
    if (change->target == place.target && change->drivers.contains(place.driver) &&
        in_share(change->kernel, place.host, change->share_percent)) {
      last = change;
    }
  }
  return last;
}

}  // namespace halyard::store
