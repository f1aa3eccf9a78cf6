// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/kernel_json_reader.h"
#include "runtime/base/nearest_name.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <map>
#include <set>

namespace halyard::store::reader {
namespace {

using base::concat;
using base::Error;
using base::JsonObject;
using base::Status;

template <typename Items>
std::vector<std::string_view> names_of(const Items& items) {
  std::vector<std::string_view> names;
  names.reserve(items.size());
  for (const auto& item : items)
    names.push_back(item.name);
  return names;
}

bool contains(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Status check_unique(const JsonObject& document, std::string_view key,
                    const std::vector<std::string_view>& names) {
  std::set<std::string_view> seen;
  for (const std::string_view name : names) {
    if (!seen.insert(name).second) {
      return document.error(key, concat("has two elements named \"", name, "\""));
    }
  }
  return base::ok();
}

Status check_packed_layouts(const KernelRecord& record, const JsonObject& document) {
  for (const PackedLayout& layout : record.packed_layouts) {
    const KernelStage* const stage = record.find_stage(layout.stage);
    if (stage == nullptr) {
      return document.error(
          "packed_layouts",
          concat("layout \"", layout.name, "\" is made by stage \"", layout.stage,
                 "\", which does not exist",
                 base::nearest_name_clause(layout.stage, names_of(record.stages))));
    }
    if (stage->cadence != StageCadence::kPerConstant) {
      return document.error(
          "packed_layouts",
          concat("layout \"", layout.name, "\" is made by stage \"", layout.stage,
                 "\", whose cadence is ", word_of(stage->cadence), ", not per-constant"));
    }
  }
  return base::ok();
}

// Checks of one stage; each error holds the pointer of the argument.
class StageChecker {
 public:
  StageChecker(const KernelRecord& record, const JsonObject& document, std::size_t index)
      : record_(record),
        document_(document),
        index_(index),
        stage_(record.stages[index]) {}

  Status run() {
    for (std::size_t i = 0; i < stage_.arguments.size(); ++i) {
      at_ = i;
      HALYARD_TRY(check_names(stage_.arguments[i]));
      HALYARD_TRY(check_place(stage_.arguments[i]));
    }
    return base::ok();
  }

 private:
  Error error(std::string_view what) const {
    return Error(base::ErrorCode::kCorruptData,
                 concat(document_.source_name(), ": ", document_.path_of("stages", index_),
                        "/arguments/", at_, ' ', what, '.'));
  }

  Status check_known(std::string_view what, std::string_view name,
                     const std::vector<std::string_view>& known) const {
    if (contains(known, name)) return base::ok();
    return error(concat("names the ", what, " \"", name, "\", which the kernel does not have",
                        base::nearest_name_clause(name, known)));
  }

  Status check_names(const KernelArgument& argument) const {
    switch (argument.kind) {
      case ArgumentKind::kWorkspace:
        return check_known("workspace", argument.name, names_of(record_.workspace));
      case ArgumentKind::kParameter:
        return check_known("parameter", argument.name, names_of(record_.parameters));
      case ArgumentKind::kAxisOffset:
        if (!stage_.split || stage_.split->axis != argument.name) {
          return error(concat("is the offset of axis \"", argument.name,
                              "\", along which the stage is not split"));
        }
        return base::ok();
      case ArgumentKind::kHidden:
        if (record_.language == KernelLanguage::kAmdgcnAssembly ||
            record_.language == KernelLanguage::kObject) {
          return base::ok();
        }
        return error(concat("is hidden, which ", word_of(record_.language), " has not"));
      case ArgumentKind::kTensor:
        return argument.packed.empty() ? base::ok() : check_packed(argument);
      default:
        return base::ok();
    }
  }

  Status check_packed(const KernelArgument& argument) const {
    HALYARD_TRY(check_known("packed layout", argument.packed, names_of(record_.packed_layouts)));
    for (const PackedLayout& layout : record_.packed_layouts) {
      if (layout.name == argument.packed && layout.tensor != argument.name) {
        return error(concat("passes tensor \"", argument.name, "\" in layout \"", layout.name,
                            "\", which is of tensor \"", layout.tensor, "\""));
      }
    }
    return base::ok();
  }

  Status check_place(const KernelArgument& argument) {
    if (!record_.is_vulkan()) {
      if (!argument.binding && !argument.push) return base::ok();
      return error(
          concat("has a binding or push offset, which ", word_of(record_.language), " has not"));
    }
    if (argument.kind == ArgumentKind::kTensorMap)
      return error("is a tensor map, which Vulkan has not");
    if (argument.binding.has_value() == argument.push.has_value()) {
      return error("does not have exactly one of binding and push");
    }
    if (argument.binding) {
      if (is_value_argument(argument.kind)) return error("is a value and has a binding, not push");
      if (bindings_.insert(*argument.binding).second) return base::ok();
      return error(concat("repeats binding ", *argument.binding));
    }
    return check_push(argument);
  }

  Status check_push(const KernelArgument& argument) {
    const std::uint32_t size =
        is_value_argument(argument.kind) ? base::data_type_size_bytes(argument.type) : 8;
    const std::uint32_t begin = *argument.push;
    if (begin % size != 0) {
      return error(concat("has push offset ", begin, ", no multiple of its size (", size, ")"));
    }
    for (const auto& [other, other_size] : pushes_) {
      if (begin < other + other_size && other < begin + size) {
        return error(concat("has push bytes ", begin, " to ", begin + size - 1,
                            ", which overlap those at ", other));
      }
    }
    pushes_.emplace(begin, size);
    return base::ok();
  }

  const KernelRecord& record_;
  const JsonObject& document_;
  std::size_t index_;
  const KernelStage& stage_;
  std::size_t at_ = 0;
  std::set<std::uint32_t> bindings_;
  std::map<std::uint32_t, std::uint32_t> pushes_;  // Offset to size.
};

Status check_parameters(const KernelRecord& record, const JsonObject& document) {
  std::set<std::uint32_t> ids;
  for (const KernelParameter& parameter : record.parameters) {
    if (parameter.kind != ParameterKind::kConstant) continue;
    if (!record.is_vulkan()) {
      return document.error("parameters",
                            concat("\"", parameter.name, "\" is a specialisation constant, which ",
                                   word_of(record.language), " has not"));
    }
    if (!ids.insert(parameter.constant_id).second) {
      return document.error("parameters", concat("\"", parameter.name, "\" repeats constant id ",
                                                 parameter.constant_id));
    }
  }
  return base::ok();
}

}  // namespace

Status check_kernel_record(const KernelRecord& record, const JsonObject& document) {
  HALYARD_TRY(check_unique(document, "parameters", names_of(record.parameters)));
  HALYARD_TRY(check_unique(document, "workspace", names_of(record.workspace)));
  HALYARD_TRY(check_unique(document, "packed_layouts", names_of(record.packed_layouts)));
  HALYARD_TRY(check_unique(document, "stages", names_of(record.stages)));
  HALYARD_TRY(check_parameters(record, document));
  HALYARD_TRY(check_packed_layouts(record, document));
  for (std::size_t i = 0; i < record.stages.size(); ++i) {
    HALYARD_TRY(StageChecker(record, document, i).run());
  }
  return base::ok();
}

}  // namespace halyard::store::reader
