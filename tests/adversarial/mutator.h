// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::adversarial {

// One edit of a source.
struct Mutation {
  std::string kind;  // "operator", "literal", "bound", "index", "arguments", "statement", "barrier"
  std::size_t line = 0;    // from 1
  std::size_t offset = 0;  // of the text
  std::string before;
  std::string after;
};

// The edits that can be made to a source in C++ or GLSL, in the order of its text: one operator for
// another, literals and bounds that are off by one, an index beside, swapped arguments, a statement
// or barrier left out. Comments, directives and declarations of layouts are left alone.
std::vector<Mutation> find_mutations(std::string_view source);

std::string mutated(std::string_view source, const Mutation& mutation);

}  // namespace halyard::adversarial
