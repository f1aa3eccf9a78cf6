// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/instruction_topics.h"

#include "runtime/inspection/instruction_text.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

namespace halyard::services {
namespace {

struct TopicRow {
  std::string_view title;
  std::string_view traits;
  std::string_view patterns;
};

constexpr TopicRow kRows[] = {
#define HALYARD_INSTRUCTION_TOPIC(title, traits, patterns) {title, traits, patterns},
#include "runtime/inspection/instruction_topics.inc"
};

// Takes the text up to `separator` off the front of `rest`.
std::string_view take_word(std::string_view& rest, char separator) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return word;
}

bool holds(std::string_view needs, const ContractTraits& traits) {
  while (!needs.empty()) {
    std::string_view alternatives = take_word(needs, ' ');
    bool one = false;
    while (!alternatives.empty())
      one = traits.contains(take_word(alternatives, '|')) || one;
    if (!one) return false;
  }
  return true;
}

bool matches(std::string_view name, std::string_view pattern) {
  std::size_t at = 0;
  std::size_t in_pattern = 0;
  std::size_t star = std::string_view::npos;
  std::size_t retry = 0;
  while (at < name.size()) {
    if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
      star = in_pattern++;
      retry = at;
    } else if (in_pattern < pattern.size() && pattern[in_pattern] == name[at]) {
      ++in_pattern;
      ++at;
    } else if (star != std::string_view::npos) {
      in_pattern = star + 1;
      at = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in_pattern) == std::string_view::npos;
}

// The place of the pattern that takes `name`; nothing where none does or one refuses it.
std::optional<std::uint32_t> place_of(std::string_view name, std::string_view patterns) {
  std::optional<std::uint32_t> place;
  for (std::uint32_t index = 0; !patterns.empty(); ++index) {
    std::string_view pattern = take_word(patterns, ' ');
    const bool refuses = pattern.starts_with('!');
    if (refuses) pattern.remove_prefix(1);
    if (!matches(name, pattern)) continue;
    if (refuses) return std::nullopt;
    if (!place) place = index;
  }
  return place;
}

// Where an instruction belongs: its topic, then its row and place in it.
struct Position {
  std::size_t row = 0;
  std::uint32_t place = 0;
};

std::optional<Position> position_of(std::string_view name, const ContractTraits* traits) {
  for (std::size_t row = 0; row < std::size(kRows); ++row) {
    if (traits != nullptr && !holds(kRows[row].traits, *traits)) continue;
    if (const auto place = place_of(name, kRows[row].patterns)) return Position{row, *place};
  }
  return std::nullopt;
}

// The instructions in no topic, by group; a topic's order is that of the table of instructions.
void add_groups(const isa::InstructionSet& set, const std::vector<std::uint32_t>& others,
                TopicList& list) {
  std::map<std::string, std::vector<std::uint32_t>> groups;
  for (const std::uint32_t index : others) {
    const std::string& group = set.instructions[index].group;
    groups["Other " + (group.empty() ? std::string("instructions") : group)].push_back(index);
  }
  for (auto& [title, instructions] : groups)
    list.topics.push_back({title, std::move(instructions)});
}

}  // namespace

bool matches_patterns(std::string_view name, std::string_view patterns) {
  return place_of(name, patterns).has_value();
}

TopicList instructions_by_topic(const isa::InstructionSet& set, const ContractTraits* traits) {
  using Entry = std::tuple<std::size_t, std::uint32_t, std::uint32_t>;  // row, place, instruction
  std::map<std::string_view, std::vector<Entry>> by_title;
  std::vector<std::uint32_t> others;
  for (std::uint32_t index = 0; index < set.instructions.size(); ++index) {
    const auto position = position_of(assembly_name(set.instructions[index]), traits);
    if (position) {
      by_title[kRows[position->row].title].emplace_back(position->row, position->place, index);
    } else {
      others.push_back(index);
    }
  }
  TopicList list;
  for (const TopicRow& row : kRows) {
    const auto found = by_title.find(row.title);
    if (found == by_title.end()) continue;
    std::sort(found->second.begin(), found->second.end());
    TopicInstructions topic{std::string(row.title), {}};
    for (const auto& [in_row, place, index] : found->second)
      topic.instructions.push_back(index);
    list.topics.push_back(std::move(topic));
    by_title.erase(found);
  }
  if (traits == nullptr) {
    add_groups(set, others, list);
  } else {
    list.left_out = static_cast<std::uint32_t>(others.size());
  }
  return list;
}

}  // namespace halyard::services
