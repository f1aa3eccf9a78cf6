// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/nearest_name.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace halyard::base {
namespace {

// Beyond this length no name of ours is meant, and the distance costs the product of the lengths.
constexpr std::size_t kLongestName = 128;
// A shorter name is a part of too many.
constexpr std::size_t kShortestPart = 3;

// How far a name that may be meant is at most away.
std::size_t farthest(std::string_view name) {
  return std::max<std::size_t>(1, name.size() / 3);
}

}  // namespace

std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < left.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < right.size(); ++j) {
      const std::size_t replaced = diagonal + (left[i] == right[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

std::optional<std::string_view> nearest_name(std::string_view name,
                                             std::span<const std::string_view> known) {
  if (name.size() > kLongestName) return std::nullopt;
  std::optional<std::string_view> nearest;
  std::size_t limit = farthest(name) + 1;
  for (const std::string_view candidate : known) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance >= limit || distance >= candidate.size()) continue;
    limit = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string nearest_name_clause(std::string_view name, std::span<const std::string_view> known) {
  const std::optional<std::string_view> nearest = nearest_name(name, known);
  return nearest ? concat("; the nearest is \"", *nearest, "\"") : std::string();
}

std::vector<std::string_view> nearest_names(std::string_view name,
                                            std::span<const std::string_view> known,
                                            std::size_t count) {
  if (name.size() > kLongestName) return {};
  std::vector<std::pair<std::size_t, std::string_view>> found;
  for (const std::string_view candidate : known) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance <= farthest(name) && distance < candidate.size()) {
      found.emplace_back(distance, candidate);
    } else if (name.size() >= kShortestPart && candidate.find(name) != std::string_view::npos) {
      found.emplace_back(kLongestName + candidate.size(), candidate);
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& left, const auto& right) { return left.first < right.first; });
  std::vector<std::string_view> names;
  for (const auto& [distance, candidate] : found) {
    if (names.size() < count) names.push_back(candidate);
  }
  return names;
}

std::string nearest_names_clause(std::string_view name, std::span<const std::string_view> known) {
  constexpr std::size_t kMost = 3;
  const std::vector<std::string_view> names = nearest_names(name, known, kMost);
  if (names.empty()) return {};
  if (names.size() == 1) return concat("; the nearest is \"", names.front(), "\"");
  std::string clause = "; the nearest are ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) clause += i + 1 == names.size() ? " and " : ", ";
    clause += concat('"', names[i], '"');
  }
  return clause;
}

}  // namespace halyard::base
