// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_state.h"
#include "runtime/base/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::store {

// The history of a kernel as another store tells it: a `halyard.history/1` document, in canonical
// form. It is a claim: nothing in it is taken for true.
std::string history_json(std::span<const StateChange> history);
// Errors: kCorruptData with the JSON pointer of what is wrong.
base::Result<std::vector<StateChange>> parse_history(std::string_view json_text,
                                                     std::string_view source_name,
                                                     const KernelId& kernel);

}  // namespace halyard::store
