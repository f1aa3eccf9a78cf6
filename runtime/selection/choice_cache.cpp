// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/choice_cache.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <variant>

namespace halyard::selection {
namespace {

// Writes values one after another so that no two lists of them give one text.
class NameWriter {
 public:
  NameWriter() { name_.reserve(512); }

  template <typename Number>
  void number(Number value) {
    char bytes[sizeof(value)];
    std::memcpy(bytes, &value, sizeof(value));
    name_.append(bytes, sizeof(value));
  }
  void address(const void* value) { number(std::bit_cast<std::uintptr_t>(value)); }
  void text(std::string_view value) {
    number(value.size());
    name_.append(value);
  }
  void attribute(const operators::AttributeValue& value) {
    number(value.index());
    if (const auto* held = std::get_if<std::string>(&value)) return text(*held);
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return number(*integer);
    number(std::get<double>(value));
  }
  void constant(const dispatch::Constant& value) {
    number(value.type());
    number(value.shape().size());
    for (const std::int64_t size : value.shape())
      number(size);
  }

  std::string take() { return std::move(name_); }

 private:
  std::string name_;
};

}  // namespace

std::string choice_name(const core::Device& device, const PrepareRequest& request) {
  NameWriter writer;
  writer.address(&device);
  writer.number(request.allow_reference);
  writer.text(request.contract);
  writer.number(request.kernel.has_value());
  if (request.kernel) writer.text(*request.kernel);
  writer.number(request.types.size());
  for (const auto& [variable, type] : request.types) {
    writer.text(variable);
    writer.number(type);
  }
  writer.number(request.attributes.size());
  for (const auto& [name, value] : request.attributes) {
    writer.text(name);
    writer.attribute(value);
  }
  writer.number(request.axes.size());
  for (const operators::AxisValue& axis : request.axes) {
    writer.text(axis.name);
    writer.number(axis.value);
  }
  for (const auto& [tensor, constant] : request.constants) {
    writer.text(tensor);
    writer.address(&constant->device());
    writer.constant(*constant);
  }
  return writer.take();
}

// What goes is handed out, so that it goes without the lock.
ChoiceCache::Entries ChoiceCache::take_outdated(std::uint64_t generation) {
  if (generation <= generation_) return {};
  generation_ = generation;
  return std::exchange(entries_, {});
}

base::Ref<const KnownChoice> ChoiceCache::take_oldest() {
  if (entries_.size() <= kMaxChoices) return {};
  const auto oldest = std::min_element(
      entries_.begin(), entries_.end(),
      [](const auto& a, const auto& b) { return a.second.last_use < b.second.last_use; });
  base::Ref<const KnownChoice> taken = std::move(oldest->second.choice);
  entries_.erase(oldest);
  return taken;
}

base::Ref<const KnownChoice> ChoiceCache::find(const std::string& name, std::uint64_t generation) {
  Entries outdated;
  const std::scoped_lock lock(mutex_);
  outdated = take_outdated(generation);
  const auto found = entries_.find(name);
  if (found == entries_.end() || generation != generation_) return {};
  found->second.last_use = ++uses_;
  return found->second.choice;
}

void ChoiceCache::insert(std::string name, std::uint64_t generation,
                         base::Ref<const KnownChoice> choice) {
  Entries outdated;
  base::Ref<const KnownChoice> oldest;
  const std::scoped_lock lock(mutex_);
  outdated = take_outdated(generation);
  if (generation != generation_) return;
  entries_.insert_or_assign(std::move(name), Entry{std::move(choice), ++uses_});
  oldest = take_oldest();
}

}  // namespace halyard::selection
