// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/kernel_state.h"

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

const StateChange* last_change(std::span<const StateChange> history, std::string_view target,
                               std::string_view driver) {
  const StateChange* last = nullptr;
  for (const StateChange& change : history) {
    if (change.target == target && change.drivers.contains(driver)) last = &change;
  }
  return last;
}

}  // namespace halyard::store
