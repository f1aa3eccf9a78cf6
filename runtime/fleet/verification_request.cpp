// SPDX-License-Identifier: Apache-2.0
#include "runtime/fleet/verification_request.h"

#include "runtime/base/canonical_json.h"
#include "runtime/base/json.h"

#include <array>
#include <boost/json/object.hpp>

namespace halyard::fleet {

constexpr std::string_view kFormat = "halyard.verification-request/1";

std::string verification_request_json(const store::KernelId& kernel) {
  return base::canonical_json(
      boost::json::object{{"format", kFormat}, {"kernel", store::digest_text(kernel)}});
}

base::Result<store::KernelId> parse_verification_request(std::string_view document) {
  HALYARD_TRY_ASSIGN(const boost::json::value value, base::parse_json(document, "request"));
  HALYARD_TRY_ASSIGN(const auto request, base::JsonObject::from(value, "request"));
  HALYARD_TRY(request.refuse_unknown_keys({"format", "kernel"}));
  static constexpr auto kFormats = std::to_array<std::string_view>({kFormat});
  HALYARD_TRY(request.required_choice("format", kFormats));
  HALYARD_TRY_ASSIGN(const std::string text, request.required_string("kernel"));
  if (const auto kernel = store::digest_from_text(text)) return *kernel;
  return request.error("kernel", "is not 64 lower-case hexadecimal digits");
}

}  // namespace halyard::fleet
