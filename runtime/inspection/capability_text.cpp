// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/capability_text.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace halyard::services {
namespace {

using base::concat;
using descriptors::Capability;
using descriptors::CapabilityKind;
using descriptors::CapabilityOrigin;

// The order in which a writer of kernels asks; other groups follow by name.
constexpr std::array<std::string_view, 17> kGroups = {
    "target", "compute", "subgroup", "simd", "vgpr",    "accvgpr", "sgpr", "lds", "limit",
    "cache",  "memory",  "clock",    "type", "storage", "matrix",  "rate", "peak"};

// Units that the words of a key say already.
constexpr std::array<std::string_view, 6> kSilentUnits = {"",     "count",    "register",
                                                          "lane", "subgroup", "workgroup"};

std::size_t group_rank(std::string_view group) {
  return static_cast<std::size_t>(std::find(kGroups.begin(), kGroups.end(), group) -
                                  kGroups.begin());
}

bool is_silent(std::string_view unit) {
  return std::find(kSilentUnits.begin(), kSilentUnits.end(), unit) != kSilentUnits.end();
}

struct Member {
  std::string_view name;  // of the key, behind the group
  const Capability* value = nullptr;
};

// The one unit of all numbers; "" where they have several or none.
std::string common_unit(const std::vector<Member>& members) {
  std::string unit;
  for (const Member& member : members) {
    if (member.value->kind != CapabilityKind::kNumber) continue;
    if (!unit.empty() && member.value->unit != unit) return "";
    unit = member.value->unit;
  }
  return unit;
}

std::string member_text(const Member& member, bool with_unit) {
  std::string text = concat(member.name, ' ', capability_value_text(*member.value));
  const std::string& unit = member.value->unit;
  if (with_unit && !is_silent(unit)) text += concat(' ', unit);
  const CapabilityOrigin origin = member.value->origin;
  if (origin != CapabilityOrigin::kDriver && origin != CapabilityOrigin::kDocumented) {
    text += concat(" (", descriptors::capability_origin_name(origin), ')');
  }
  return text;
}

std::string group_line(std::string_view group, const std::vector<Member>& members) {
  const std::string unit = common_unit(members);
  const bool shared = members.size() > 1 && !is_silent(unit);
  std::vector<std::string> texts;
  texts.reserve(members.size());
  for (const Member& member : members)
    texts.push_back(member_text(member, !shared));
  return shared ? concat(group, " (", unit, "): ", base::join(texts))
                : concat(group, ": ", base::join(texts));
}

}  // namespace

std::string capability_value_text(const Capability& capability) {
  switch (capability.kind) {
    case CapabilityKind::kFlag:
      return capability.number != 0 ? "yes" : "no";
    case CapabilityKind::kNumber:
      break;
    case CapabilityKind::kText:
      return capability.text;
  }
  return concat(capability.number);
}

std::vector<std::string> capability_lines(const descriptors::CapabilitySet& capabilities,
                                          const std::function<bool(std::string_view)>& wanted) {
  std::vector<std::pair<std::string_view, std::vector<Member>>> groups;
  for (const auto& [key, value] : capabilities.all()) {
    if (!wanted(key)) continue;
    const std::string_view whole = key;
    const std::size_t dot = whole.find('.');
    const std::string_view group = whole.substr(0, dot);
    if (groups.empty() || groups.back().first != group) groups.push_back({group, {}});
    groups.back().second.push_back(
        {dot == std::string_view::npos ? whole : whole.substr(dot + 1), &value});
  }
  std::stable_sort(groups.begin(), groups.end(), [](const auto& left, const auto& right) {
    return group_rank(left.first) < group_rank(right.first);
  });
  std::vector<std::string> lines;
  lines.reserve(groups.size());
  for (const auto& [group, members] : groups)
    lines.push_back(group_line(group, members));
  return lines;
}

}  // namespace halyard::services
