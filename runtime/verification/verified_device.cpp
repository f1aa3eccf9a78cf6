// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/verified_device.h"

#include "halyard/capability.h"
#include "halyard/operation.h"

#include "runtime/base/json.h"
#include "runtime/evaluation/library_call.h"
#include "runtime/evaluation/roofline.h"

#include <sstream>
#include <utility>
#include <variant>

namespace halyard::verification {
namespace {

descriptors::CapabilitySet known_capabilities(halyard_device* device) {
  descriptors::CapabilitySet known;
  for (std::uint32_t i = 0; i < halyard_capability_key_count(); ++i) {
    const char* const key = halyard_capability_key_name(i);
    halyard_capability found = HALYARD_CAPABILITY_INIT;
    if (halyard_device_get_capability(device, key, &found) != HALYARD_STATUS_OK) continue;
    if (found.known == 0) continue;
    descriptors::Capability capability;
    capability.kind =
        found.kind == HALYARD_CAPABILITY_KIND_TEXT   ? descriptors::CapabilityKind::kText
        : found.kind == HALYARD_CAPABILITY_KIND_FLAG ? descriptors::CapabilityKind::kFlag
                                                     : descriptors::CapabilityKind::kNumber;
    capability.number = found.number;
    if (found.text != nullptr) capability.text = found.text;
    known.set(key, std::move(capability));
  }
  return known;
}

std::vector<std::string> words_of(const char* text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}

// The arguments of an operation in the form of the C interface.
struct OperationRequest {
  explicit OperationRequest(const operators::Problem& problem) {
    desc.contract = problem.contract().name().c_str();
    for (const auto& [name, type] : problem.types())
      types.push_back({name.c_str(), static_cast<std::uint32_t>(type)});
    for (const operators::AxisValue& axis : problem.prepare_axes())
      axes.push_back({axis.name.c_str(), axis.value});
    for (const auto& [name, value] : problem.attributes()) {
      halyard_attribute attribute{name.c_str(), nullptr, 0};
      if (const auto* text = std::get_if<std::string>(&value)) attribute.text = text->c_str();
      if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        attribute.number = static_cast<double>(*integer);
      }
      if (const auto* number = std::get_if<double>(&value)) attribute.number = *number;
      attributes.push_back(attribute);
    }
    desc.type_count = static_cast<std::uint32_t>(types.size());
    desc.types = types.data();
    desc.axis_count = static_cast<std::uint32_t>(axes.size());
    desc.axes = axes.data();
    desc.attribute_count = static_cast<std::uint32_t>(attributes.size());
    desc.attributes = attributes.data();
  }
  OperationRequest(const OperationRequest&) = delete;
  OperationRequest& operator=(const OperationRequest&) = delete;

  halyard_operation_desc desc = HALYARD_OPERATION_DESC_INIT;
  std::vector<halyard_type_binding> types;
  std::vector<halyard_axis> axes;
  std::vector<halyard_attribute> attributes;
};

std::optional<std::string> chosen_kernel(halyard_device* device,
                                         const operators::Problem& problem) {
  const OperationRequest request(problem);
  std::size_t size = 0;
  if (halyard_operation_explain(device, &request.desc, 0, nullptr, &size) != HALYARD_STATUS_OK) {
    return std::nullopt;
  }
  std::string text(size, '\0');
  if (halyard_operation_explain(device, &request.desc, size, text.data(), &size) !=
          HALYARD_STATUS_OK ||
      size != text.size()) {
    return std::nullopt;
  }
  text.pop_back();
  const auto document = base::parse_json(text, "explanation");
  if (!document) return std::nullopt;
  const boost::json::value* const chosen = document->as_object().if_contains("chosen");
  if (chosen == nullptr || !chosen->is_object()) return std::nullopt;
  const boost::json::value* const id = chosen->as_object().if_contains("id");
  if (id == nullptr || !id->is_string()) return std::nullopt;
  return std::string(id->as_string());
}

double floor_of(const services::Ceilings& ceilings, const operators::Problem& problem,
                std::span<const std::int64_t> axes, bool is_cold) {
  const auto flops = problem.flops(axes);
  const auto bytes = problem.bytes(axes);
  if (!flops || !bytes) return 0;
  const services::Work work{static_cast<std::uint64_t>(*flops), static_cast<std::uint64_t>(*bytes)};
  // Products are of the first type variable's type.
  const base::DataType type =
      problem.types().empty() ? base::DataType::kF32 : problem.types().begin()->second;
  const services::Bound bound = services::launch_bound(work, type, ceilings);
  return is_cold ? bound.least_ns() : bound.arithmetic_ns;
}

}  // namespace

base::Result<VerifiedDevice> describe_device(halyard_device* device, CeilingSource ceilings) {
  halyard_device_info info = HALYARD_DEVICE_INFO_INIT;
  HALYARD_TRY(services::library_status(halyard_device_get_info(device, &info)));
  VerifiedDevice described;
  described.id = info.id;
  described.targets = words_of(info.targets);
  described.driver = info.driver_id;
  described.fingerprint = info.fingerprint;
  described.is_hardware = info.kind != HALYARD_DEVICE_KIND_EMULATOR;
  described.capabilities = known_capabilities(device);
  described.incumbent_id = [device](const operators::Problem& problem) {
    return chosen_kernel(device, problem);
  };
  described.floor_ns = [source = std::move(ceilings)](const operators::Problem& problem,
                                                      std::span<const std::int64_t> axes,
                                                      bool is_cold) -> base::Result<double> {
    if (!source) return 0.0;
    HALYARD_TRY_ASSIGN(const services::Ceilings* measured, source());
    return floor_of(*measured, problem, axes, is_cold);
  };
  return described;
}

}  // namespace halyard::verification
