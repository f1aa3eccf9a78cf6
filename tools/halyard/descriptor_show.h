// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace halyard::command_line {

struct FactsOptions {
  std::string contract;  // "" for any
  std::uint32_t token_budget = 0;
};

// A descriptor, an instruction set, or what is known of a device ("cpu:0").
int show_descriptor(const std::string& id, bool as_json);

// What a writer of kernels must know.
int show_facts(const std::string& id, const FactsOptions& options, bool as_json);

// One value; "unknown" where no source gives it.
int query_descriptor(const std::string& id, const std::string& key, bool as_json);

}  // namespace halyard::command_line
