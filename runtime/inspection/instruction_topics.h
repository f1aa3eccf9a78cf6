// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"
#include "runtime/inspection/contract_traits.h"

#include <cstdint>
#include <string>
#include <vector>

namespace halyard::services {

// Instructions that serve one purpose of a kernel, most useful first.
struct TopicInstructions {
  std::string title;                        // "Matrix products"
  std::vector<std::uint32_t> instructions;  // indices
};

struct TopicList {
  std::vector<TopicInstructions> topics;  // by relevance; none is empty
  std::uint32_t left_out = 0;             // instructions that the contract does not need
};

// What of `set` a kernel with these traits may use: each instruction under the first row of
// instruction_topics.inc that asks for no trait which is absent and has a pattern for its name.
// Without traits every row counts, and what no row names follows by its group.
TopicList instructions_by_topic(const isa::InstructionSet& set, const ContractTraits* traits);

// Whether `name` is matched by one of the patterns, with blanks between them. '*' stands for any
// text; a pattern behind '!' refuses what it matches.
bool matches_patterns(std::string_view name, std::string_view patterns);

}  // namespace halyard::services
