// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_id.h"
#include "runtime/base/result.h"

#include <string>
#include <string_view>

namespace halyard::fleet {

// The document of a request for verification: {"format":"halyard.verification-request/1",
// "kernel":"<id>"}. The kernel is in the store.
std::string verification_request_json(const store::KernelId& kernel);

// Errors: kCorruptData with the JSON pointer of what is wrong.
base::Result<store::KernelId> parse_verification_request(std::string_view document);

}  // namespace halyard::fleet
