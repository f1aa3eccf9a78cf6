// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/report.h"

#include "runtime/base/canonical_json.h"
#include "runtime/base/version.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace halyard::selection {
namespace {

namespace json = boost::json;

json::array settings(const base::Configuration& configuration) {
  json::array lines;
  for (const base::SettingLine& line : base::setting_lines(configuration)) {
    json::object entry;
    entry["variable"] = std::string(line.variable.name);
    entry["meaning"] = std::string(line.variable.meaning);
    entry["value"] = line.value;
    entry["origin"] = std::string(base::setting_origin_name(line.origin));
    lines.push_back(std::move(entry));
  }
  return lines;
}

std::string_view mode_name(store::StoreCondition::Mode mode) {
  switch (mode) {
    case store::StoreCondition::Mode::kReadWrite:
      return "read-write";
    case store::StoreCondition::Mode::kReadOnly:
      return "read-only";
    case store::StoreCondition::Mode::kMemory:
      return "memory";
  }
  return "";
}

json::object store_members(store::KernelStore& store) {
  json::object members;
  members["url"] = store.url();
  const auto condition = store.condition();
  if (condition) {
    members["mode"] = std::string(mode_name(condition->mode));
    members["reason"] = condition->reason;
  } else {
    members["mode"] = "unusable";
    members["reason"] = condition.error().message();
  }
  return members;
}

json::array backends(core::BackendSet& set) {
  json::array list;
  for (const core::BackendReport& report : set.reports()) {
    json::object entry;
    entry["name"] = report.name;
    entry["devices"] = report.device_count;
    entry["reason"] = report.reason;
    entry["notes"] = json::array(report.notes.begin(), report.notes.end());
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

std::string report_json(Instance& instance) {
  json::object document;
  document["format"] = "halyard.doctor/1";
  document["version"] = base::kVersion;
  document["settings"] = settings(instance.settings().configuration);
  document["data_directory"] = instance.bundle().data_directory();
  document["store"] = store_members(instance.store());
  document["backends"] = backends(instance.backends());
  return base::canonical_json(document);
}

}  // namespace halyard::selection
