// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/element_reader.h"
#include "runtime/operators/reference_factories.h"

#include <cmath>

namespace halyard::operators {
namespace {

class RopeReference final : public Reference {
 public:
  RopeReference(const ReferenceInputs& inputs, const ShapeTable& shapes)
      : Reference(inputs, shapes),
        is_neox_(std::get<std::string>(problem().attribute("style")) == "neox"),
        half_(problem().prepare_axis("rotary_dim") / 2) {}

 private:
  enum Tensor : std::size_t { kQ, kK, kTable, kPositions, kQOut, kKOut };

  Element element(std::size_t tensor, std::uint64_t index) override {
    const ReferenceTensor& source = input(tensor == kQOut ? kQ : kK);
    const auto head_dim = static_cast<std::uint64_t>(size(tensor, 2));
    const auto heads = static_cast<std::uint64_t>(size(tensor, 1));
    const auto i = static_cast<std::int64_t>(index % head_dim);
    const auto token = static_cast<std::int64_t>(index / head_dim / heads);
    const std::int64_t head = element_offset(source, index) - i * source.strides[2];
    const auto at = [&](std::int64_t j) {
      return read_element(source, head + j * source.strides[2]);
    };

    const std::int64_t position = read_integer(input(kPositions), token);
    if (i >= 2 * half_ || position < 0 || position >= size(kTable, 0)) return {at(i), 0};
    const std::int64_t pair = is_neox_ ? i % half_ : i / 2;
    const bool is_first = is_neox_ ? i < half_ : i % 2 == 0;
    const double first = at(is_neox_ ? pair : 2 * pair);
    const double second = at(is_neox_ ? pair + half_ : 2 * pair + 1);
    const ReferenceTensor& table = input(kTable);
    const std::int64_t row = position * table.strides[0];
    const double cosine = read_element(table, row + pair * table.strides[1]);
    const double sine = read_element(table, row + (pair + half_) * table.strides[1]);
    const double straight = (is_first ? first : second) * cosine;
    const double crossed = (is_first ? -second : first) * sine;
    return {straight + crossed, std::abs(straight) + std::abs(crossed)};
  }

  bool is_neox_;
  std::int64_t half_;
};

}  // namespace

std::unique_ptr<Reference> make_rope_reference(const ReferenceInputs& inputs,
                                               const ShapeTable& shapes) {
  return std::make_unique<RopeReference>(inputs, shapes);
}

}  // namespace halyard::operators
