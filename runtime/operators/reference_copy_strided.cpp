// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/element_reader.h"
#include "runtime/operators/reference_factories.h"

namespace halyard::operators {
namespace {

class CopyStridedReference final : public Reference {
 public:
  CopyStridedReference(const ReferenceInputs& inputs, const ShapeTable& shapes)
      : Reference(inputs, shapes) {}

 private:
  enum Tensor : std::size_t { kX, kY };

  Element element(std::size_t tensor, std::uint64_t index) override {
    static_cast<void>(tensor);
    return {read_element(input(kX), element_offset(input(kX), index)), 0};
  }
};

}  // namespace

std::unique_ptr<Reference> make_copy_strided_reference(const ReferenceInputs& inputs,
                                                       const ShapeTable& shapes) {
  return std::make_unique<CopyStridedReference>(inputs, shapes);
}

}  // namespace halyard::operators
