// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/conformance_message.h"

#include "capability-descriptors/isa/instruction_set_json.h"
#include "runtime/base/json.h"
#include "runtime/verification/conformance/conformance.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

namespace halyard::verification {
namespace {

namespace json = boost::json;

constexpr std::string_view kSource = "conformance";
constexpr std::size_t kMostFindings = 64;
constexpr std::size_t kMostSentenceBytes = 2048;

Finding refusal(std::string sentence) {
  return {Stage::kConformance, VerdictClass::kStatic, std::move(sentence), std::nullopt};
}

json::object capabilities_json(const descriptors::CapabilitySet& capabilities) {
  json::object out;
  for (const auto& [name, capability] : capabilities.all()) {
    out[name] = json::object{{"kind", static_cast<std::uint64_t>(capability.kind)},
                             {"origin", static_cast<std::uint64_t>(capability.origin)},
                             {"number", capability.number},
                             {"text", capability.text}};
  }
  return out;
}

base::Result<descriptors::CapabilitySet> parse_capabilities(const base::JsonObject& members) {
  descriptors::CapabilitySet capabilities;
  for (const auto& member : members.members()) {
    const std::string name(member.key());
    HALYARD_TRY_ASSIGN(const base::JsonObject object, members.required_object(name));
    descriptors::Capability capability;
    HALYARD_TRY_ASSIGN(const std::int64_t kind, object.required_integer("kind", {0, 255}));
    HALYARD_TRY_ASSIGN(const std::int64_t origin, object.required_integer("origin", {0, 255}));
    capability.kind = static_cast<descriptors::CapabilityKind>(kind);
    capability.origin = static_cast<descriptors::CapabilityOrigin>(origin);
    HALYARD_TRY_ASSIGN(capability.number, object.required_number("number"));
    HALYARD_TRY_ASSIGN(capability.text, object.required_string("text"));
    capabilities.set(name, std::move(capability));
  }
  return capabilities;
}

base::Result<ConformanceRequest> parse_request(std::string_view text) {
  HALYARD_TRY_ASSIGN(const json::value document, base::parse_json(text, kSource));
  HALYARD_TRY_ASSIGN(const auto object, base::JsonObject::from(document, kSource));
  ConformanceRequest request;
  HALYARD_TRY_ASSIGN(request.kernel, object.required_string("kernel"));
  HALYARD_TRY_ASSIGN(request.target, object.required_string("target"));
  HALYARD_TRY_ASSIGN(request.is_foreign, object.required_boolean("foreign"));
  HALYARD_TRY_ASSIGN(const auto parameters, object.required_object("parameters"));
  for (const auto& member : parameters.members()) {
    const std::string name(member.key());
    HALYARD_TRY_ASSIGN(request.parameters[name], parameters.required_integer(name));
  }
  HALYARD_TRY_ASSIGN(const auto capabilities, object.required_object("capabilities"));
  HALYARD_TRY_ASSIGN(request.capabilities, parse_capabilities(capabilities));
  HALYARD_TRY_ASSIGN(request.instruction_set, object.required_string("instruction_set"));
  return request;
}

base::Result<std::vector<Finding>> findings_of(std::string_view request_json,
                                               std::span<const std::byte> code) {
  HALYARD_TRY_ASSIGN(const ConformanceRequest request, parse_request(request_json));
  HALYARD_TRY_ASSIGN(const store::KernelRecord record,
                     store::parse_kernel_record(request.kernel, "kernel.json"));
  CodeUnderTest under_test;
  under_test.record = &record;
  under_test.target = request.target;
  under_test.parameters = request.parameters;
  under_test.bytes = {reinterpret_cast<const char*>(code.data()), code.size()};
  under_test.is_foreign = request.is_foreign;
  under_test.capabilities = &request.capabilities;
  isa::InstructionSet set;
  if (!request.instruction_set.empty()) {
    HALYARD_TRY_ASSIGN(set, isa::parse_instruction_set(request.instruction_set, kSource));
    under_test.instruction_set = &set;
  }
  return check_code(under_test);
}

}  // namespace

std::string conformance_request_json(const ConformanceRequest& request) {
  json::object parameters;
  for (const auto& [name, value] : request.parameters)
    parameters[name] = value;
  json::object out;
  out["kernel"] = request.kernel;
  out["target"] = request.target;
  out["foreign"] = request.is_foreign;
  out["parameters"] = std::move(parameters);
  out["capabilities"] = capabilities_json(request.capabilities);
  out["instruction_set"] = request.instruction_set;
  return json::serialize(out);
}

std::string answer_conformance(std::string_view request_json, std::span<const std::byte> code) {
  auto found = findings_of(request_json, code);
  std::vector<Finding> findings;
  if (found) {
    findings = std::move(*found);
  } else {
    findings.push_back(refusal(found.error().message()));
  }
  json::array sentences;
  for (const Finding& finding : findings) {
    if (sentences.size() == kMostFindings) break;
    sentences.push_back(json::value(finding.sentence.substr(0, kMostSentenceBytes)));
  }
  return json::serialize(json::object{{"findings", std::move(sentences)}});
}

base::Result<std::vector<Finding>> parse_conformance_answer(std::string_view text) {
  HALYARD_TRY_ASSIGN(const json::value document, base::parse_json(text, kSource));
  HALYARD_TRY_ASSIGN(const auto object, base::JsonObject::from(document, kSource));
  HALYARD_TRY(object.refuse_unknown_keys({"findings"}));
  HALYARD_TRY_ASSIGN(const std::vector<std::string> sentences, object.required_strings("findings"));
  std::vector<Finding> findings;
  for (const std::string& sentence : sentences) {
    std::string printable = sentence.substr(0, kMostSentenceBytes);
    std::replace_if(
        printable.begin(), printable.end(),
        [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
    findings.push_back(refusal(std::move(printable)));
  }
  return findings;
}

}  // namespace halyard::verification
