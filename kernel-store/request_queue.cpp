// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/request_queue.h"

#include <array>

namespace halyard::store {
namespace {

constexpr auto kKindNames =
    std::to_array<std::string_view>({"kernel", "verification", "measurement"});
constexpr auto kStatusNames =
    std::to_array<std::string_view>({"open", "claimed", "done", "failed", "cancelled"});

template <typename E, std::size_t N>
std::optional<E> from_name(const std::array<std::string_view, N>& names, std::string_view name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view request_kind_name(RequestKind kind) {
  return kKindNames[static_cast<std::size_t>(kind)];
}

std::optional<RequestKind> request_kind_from_name(std::string_view name) {
  return from_name<RequestKind>(kKindNames, name);
}

std::string_view request_status_name(RequestStatus status) {
  return kStatusNames[static_cast<std::size_t>(status)];
}

std::optional<RequestStatus> request_status_from_name(std::string_view name) {
  return from_name<RequestStatus>(kStatusNames, name);
}

}  // namespace halyard::store
