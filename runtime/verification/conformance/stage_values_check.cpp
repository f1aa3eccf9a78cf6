// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/stage_values_check.h"

#include "runtime/base/expression.h"

#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string>

namespace halyard::verification {
namespace {

using descriptors::CapabilityKey;

constexpr std::string_view kDevicePrefix = "device.";
constexpr std::int64_t kMostGroups = 0xffffffff;
constexpr std::int64_t kMostLanes = 1024;  // where the device does not say
constexpr std::int64_t kMostMemoryBytes = std::int64_t{1} << 40;

class StageValuesCheck {
 public:
  StageValuesCheck(const StageValues& values, FindingList& findings)
      : values_(values),
        record_(values.record),
        slots_(values.problem.slots()),
        findings_(findings) {}

  bool run() {
    if (!add_names()) return false;
    for (const std::string& text : record_.where) {
      const auto holds = value_of(text, "the condition");
      if (!holds || *holds == 0) return false;
    }
    for (const store::KernelWorkspace& region : record_.workspace)
      check_range(region.bytes.text, 0, kMostMemoryBytes, "the workspace", region.name);
    for (const store::PackedLayout& layout : record_.packed_layouts)
      check_range(layout.bytes.text, 0, kMostMemoryBytes, "the packed layout", layout.name);
    for (const store::KernelStage& stage : record_.stages)
      check_stage(stage);
    return findings_.empty();
  }

 private:
  bool add_names();
  void check_stage(const store::KernelStage& stage);
  std::optional<std::int64_t> value_of(const std::string& text, std::string_view what);
  std::optional<std::int64_t> check_range(const std::string& text, std::int64_t least,
                                          std::int64_t most, std::string_view what,
                                          std::string_view of);
  std::int64_t limit(CapabilityKey key, std::int64_t otherwise) const {
    const auto known =
        values_.capabilities == nullptr ? std::nullopt : values_.capabilities->number(key);
    return known ? std::llround(*known) : otherwise;
  }
  std::vector<std::string> texts() const;

  const StageValues& values_;
  const store::KernelRecord& record_;
  operators::SlotTable slots_;
  FindingList& findings_;
  bool has_unknown_ = false;  // a fact of the device that has no value here
  std::set<std::string> unknown_;
};

std::vector<std::string> StageValuesCheck::texts() const {
  std::vector<std::string> out = record_.where;
  for (const auto& region : record_.workspace)
    out.push_back(region.bytes.text);
  for (const auto& layout : record_.packed_layouts)
    out.push_back(layout.bytes.text);
  for (const auto& stage : record_.stages) {
    for (std::size_t d = 0; d < 3; ++d) {
      out.push_back(stage.grid[d].text);
      out.push_back(stage.block[d].text);
    }
    if (stage.shared_bytes) out.push_back(stage.shared_bytes->text);
    if (stage.cpu && stage.cpu->scratch_bytes) out.push_back(stage.cpu->scratch_bytes->text);
    for (const auto& argument : stage.arguments) {
      if (argument.kind == store::ArgumentKind::kExpression) {
        out.push_back(argument.expression.text);
      }
    }
  }
  return out;
}

bool StageValuesCheck::add_names() {
  for (std::size_t i = 0; i < values_.launch_axes.size(); ++i)
    slots_.set(static_cast<std::uint32_t>(i), values_.launch_axes[i]);
  for (const store::KernelParameter& parameter : record_.parameters) {
    if (slots_.add(parameter.name, parameter.default_value)) continue;
    findings_.refuse("has a parameter named \"", parameter.name, "\" as ",
                     values_.problem.contract().name(), " has an axis");
    return false;
  }
  for (const std::string& text : texts()) {
    for (const std::string& name : base::Expression::names_of(text)) {
      if (!name.starts_with(kDevicePrefix) || slots_.slot_of(name)) continue;
      const auto* capability = values_.capabilities == nullptr
                                   ? nullptr
                                   : values_.capabilities->find(name.substr(kDevicePrefix.size()));
      const bool is_known =
          capability != nullptr && capability->kind != descriptors::CapabilityKind::kText;
      if (!is_known) unknown_.insert(name);
      if (!slots_.add(name, is_known ? std::llround(capability->number) : 1)) return false;
    }
  }
  return true;
}

std::optional<std::int64_t> StageValuesCheck::value_of(const std::string& text,
                                                       std::string_view what) {
  const auto expression = base::Expression::compile(text, slots_.resolver());
  if (!expression) {
    findings_.refuse("has ", what, " \"", printable(text), "\", which is no expression over ",
                     values_.problem.contract().name(), " (", reason_of(expression.error()), ")");
    return std::nullopt;
  }
  has_unknown_ = false;
  for (const std::string& name : expression->names())
    has_unknown_ = has_unknown_ || unknown_.contains(name);
  const auto value = expression->evaluate(slots_.values());
  if (value || has_unknown_) return value ? std::optional(*value) : std::nullopt;
  findings_.refuse("has ", what, " \"", printable(text), "\" without a value (",
                   reason_of(value.error()), ")");
  return std::nullopt;
}

std::optional<std::int64_t> StageValuesCheck::check_range(const std::string& text,
                                                          std::int64_t least, std::int64_t most,
                                                          std::string_view what,
                                                          std::string_view of) {
  const auto value = value_of(text, what);
  if (!value || has_unknown_) return std::nullopt;
  if (*value >= least && *value <= most) return value;
  findings_.refuse("has ", what, " of \"", printable(of), "\" at ", *value, " (\"", printable(text),
                   "\"), not between ", least, " and ", most);
  return std::nullopt;
}

void StageValuesCheck::check_stage(const store::KernelStage& stage) {
  constexpr std::array kGridKeys = {CapabilityKey::kLimitGridX, CapabilityKey::kLimitGridY,
                                    CapabilityKey::kLimitGridZ};
  constexpr std::array kBlockKeys = {CapabilityKey::kLimitWorkgroupSizeX,
                                     CapabilityKey::kLimitWorkgroupSizeY,
                                     CapabilityKey::kLimitWorkgroupSizeZ};
  const std::int64_t most_lanes = limit(CapabilityKey::kLimitWorkgroupInvocations, kMostLanes);
  std::int64_t lanes = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    // A split dispatch is cut to what the device takes.
    const std::int64_t most = stage.split ? kMostGroups : limit(kGridKeys[d], kMostGroups);
    check_range(stage.grid[d].text, 0, most, "the grid", stage.name);
    const auto size = check_range(stage.block[d].text, 1, limit(kBlockKeys[d], most_lanes),
                                  "the block", stage.name);
    if (size && __builtin_mul_overflow(lanes, *size, &lanes)) lanes = most_lanes + 1;
  }
  if (lanes > most_lanes) {
    findings_.refuse("has ", lanes, " lanes in a group of stage \"", stage.name, "\", more than ",
                     most_lanes);
  }
  if (stage.shared_bytes) {
    check_range(stage.shared_bytes->text, 0, limit(CapabilityKey::kLimitSharedBytes, 1 << 20),
                "the shared memory", stage.name);
  }
  if (stage.cpu && stage.cpu->scratch_bytes) {
    check_range(stage.cpu->scratch_bytes->text, 0, kMostMemoryBytes, "the scratch memory",
                stage.name);
  }
  for (const store::KernelArgument& argument : stage.arguments) {
    if (argument.kind == store::ArgumentKind::kExpression) {
      static_cast<void>(value_of(argument.expression.text, "the argument"));
    }
  }
}

}  // namespace

bool check_stage_values(const StageValues& values, FindingList& findings) {
  return StageValuesCheck(values, findings).run();
}

}  // namespace halyard::verification
