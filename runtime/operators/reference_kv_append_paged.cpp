// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/element_reader.h"
#include "runtime/operators/reference_factories.h"

#include <algorithm>
#include <unordered_map>

namespace halyard::operators {
namespace {

class KvAppendPagedReference final : public Reference {
 public:
  KvAppendPagedReference(const ReferenceInputs& inputs, const ShapeTable& shapes)
      : Reference(inputs, shapes),
        row_(size(kKCache, 2) * size(kKCache, 3)) {
    const std::int64_t slots = size(kKCache, 0) * size(kKCache, 1);
    for (std::int64_t token = 0; token < size(kSlots, 0); ++token) {
      const std::int64_t slot = read_integer(input(kSlots), token);
      if (slot >= 0 && slot < slots) token_of_slot_[slot] = token;
    }
  }

  bool written_elements(std::size_t tensor, std::vector<std::uint64_t>& elements) const override {
    static_cast<void>(tensor);
    elements.clear();
    for (const auto& [slot, token] : token_of_slot_) {
      for (std::int64_t i = 0; i < row_; ++i) {
        elements.push_back(static_cast<std::uint64_t>(slot * row_ + i));
      }
    }
    std::sort(elements.begin(), elements.end());
    return true;
  }

 private:
  enum Tensor : std::size_t { kK, kV, kSlots, kKCache, kVCache };

  Element element(std::size_t tensor, std::uint64_t index) override {
    const auto slot = static_cast<std::int64_t>(index) / row_;
    const auto token = token_of_slot_.find(slot);
    if (token == token_of_slot_.end()) {
      return {read_element(input(tensor), element_offset(input(tensor), index)), 0};
    }
    const ReferenceTensor& source = input(tensor == kKCache ? kK : kV);
    const std::int64_t element = token->second * row_ + static_cast<std::int64_t>(index) % row_;
    return {read_element(source, element_offset(source, static_cast<std::uint64_t>(element))), 0};
  }

  std::int64_t row_;
  std::unordered_map<std::int64_t, std::int64_t> token_of_slot_;
};

}  // namespace

std::unique_ptr<Reference> make_kv_append_paged_reference(const ReferenceInputs& inputs,
                                                          const ShapeTable& shapes) {
  return std::make_unique<KvAppendPagedReference>(inputs, shapes);
}

}  // namespace halyard::operators
