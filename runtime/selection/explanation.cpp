// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/explanation.h"

#include "runtime/base/canonical_json.h"
#include "runtime/base/text.h"
#include "runtime/selection/candidate_evidence.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace halyard::selection {
namespace {

namespace json = boost::json;

json::object request_members(const core::Device& device, const BoundRequest& request) {
  const operators::Problem& problem = request.problem;
  json::object types;
  for (const auto& [variable, type] : problem.types()) {
    types[variable] = std::string(base::data_type_name(type));
  }
  json::object axes;
  for (const auto& axis : problem.prepare_axes())
    axes[axis.name] = axis.value;
  json::object bounds;
  for (std::size_t i = 0; i < request.hints.size(); ++i) {
    const auto axis = problem.contract().launch_axes()[i];
    if (request.hints[i]) bounds[problem.contract().axes()[axis].name] = *request.hints[i];
  }
  json::object members;
  members["contract"] = base::concat(problem.contract().name(), "@", problem.contract().version());
  members["device"] = device.info().id;
  members["targets"] = json::array(device.info().targets.begin(), device.info().targets.end());
  members["types"] = std::move(types);
  members["attributes"] = attribute_values(problem);
  members["axes"] = std::move(axes);
  members["launch_bounds"] = std::move(bounds);
  return members;
}

std::string_view verdict_name(CandidateVerdict verdict) {
  switch (verdict) {
    case CandidateVerdict::kEligible:
      return "eligible";
    case CandidateVerdict::kRefused:
      return "refused";
    case CandidateVerdict::kOutranked:
      return "outranked";
    case CandidateVerdict::kChosen:
      return "chosen";
  }
  return "";
}

json::object candidate_members(const Candidate& candidate) {
  const store::KernelRecord& record = candidate.kernel->package.record;
  json::object members;
  members["kernel"] = record.name;
  members["version"] = record.version;
  members["id"] = store::digest_text(candidate.kernel->package.id);
  members["origin"] = candidate.stored ? "store" : "bundled";
  members["target"] = candidate.target;
  members["state"] = std::string(store::kernel_state_name(candidate.state));
  members["verdict"] = std::string(verdict_name(candidate.verdict));
  members["reason"] = candidate.reason;
  if (!candidate.stale.empty()) members["stale"] = candidate.stale;
  if (!candidate.note.empty()) members["note"] = candidate.note;
  return members;
}

}  // namespace

std::string explanation_json(const core::Device& device, const BoundRequest& request,
                             std::span<const Candidate> candidates, bool takes_reference) {
  json::object document = request_members(device, request);
  document["format"] = "halyard.explanation/1";
  document["chosen"] = nullptr;
  json::array list;
  for (const Candidate& candidate : candidates) {
    list.push_back(candidate_members(candidate));
    if (candidate.verdict == CandidateVerdict::kChosen) {
      document["chosen"] = candidate_members(candidate);
    }
  }
  document["candidates"] = std::move(list);
  document["reference"] = takes_reference;
  return base::canonical_json(document);
}

std::string refusal_sentence(const core::Device& device, const BoundRequest& request,
                             std::span<const Candidate> candidates) {
  const std::string subject =
      base::concat("No kernel of ", request.problem.contract().name(), " for ",
                   operators::type_bindings_text(request.problem.types()), " can run on device ",
                   device.info().id);
  if (candidates.empty()) {
    return base::concat(
        subject, request.kernel
                     ? base::concat("; there is none called \"", *request.kernel, "\" for it.")
                     : std::string("; the store has none for its targets."));
  }
  std::string text = subject + ".";
  std::size_t shown = 0;
  for (const Candidate& candidate : candidates) {
    if (candidate.verdict != CandidateVerdict::kRefused || shown == 3) continue;
    text += base::concat(" ", candidate.kernel->package.record.name, " (", candidate.target,
                         "): ", candidate.reason);
    ++shown;
  }
  return text;
}

std::string request_json(const core::Device& device, const BoundRequest& request) {
  json::object document = request_members(device, request);
  document.erase("device");
  document["format"] = "halyard.request/1";
  document["fingerprint"] = device.info().fingerprint;
  document["goal"] = "missing";
  return base::canonical_json(document);
}

}  // namespace halyard::selection
