// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/element_reader.h"
#include "runtime/operators/reference_factories.h"

namespace halyard::operators {
namespace {

class EmbeddingReference final : public Reference {
 public:
  EmbeddingReference(const ReferenceInputs& inputs, const ShapeTable& shapes)
      : Reference(inputs, shapes) {}

 private:
  enum Tensor : std::size_t { kIds, kTable, kY };

  Element element(std::size_t tensor, std::uint64_t index) override {
    const std::int64_t hidden = size(tensor, 1);
    const std::int64_t id = read_integer(input(kIds), static_cast<std::int64_t>(index) / hidden);
    if (id < 0 || id >= size(kTable, 0)) return {};
    const ReferenceTensor& table = input(kTable);
    const std::int64_t column = static_cast<std::int64_t>(index) % hidden;
    return {read_element(table, id * table.strides[0] + column * table.strides[1]), 0};
  }
};

}  // namespace

std::unique_ptr<Reference> make_embedding_reference(const ReferenceInputs& inputs,
                                                    const ShapeTable& shapes) {
  return std::make_unique<EmbeddingReference>(inputs, shapes);
}

}  // namespace halyard::operators
