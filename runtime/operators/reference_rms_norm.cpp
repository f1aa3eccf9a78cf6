// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/reference_factories.h"
#include "runtime/operators/reference_rows.h"

namespace halyard::operators {
namespace {

class RmsNormReference final : public RowNormReference {
 public:
  RmsNormReference(const ReferenceInputs& inputs, const ShapeTable& shapes)
      : RowNormReference(inputs, shapes, kWeight) {}

 private:
  enum Tensor : std::size_t { kX, kWeight, kY };

  Element element(std::size_t tensor, std::uint64_t index) override {
    static_cast<void>(tensor);
    return normalized(index);
  }
};

}  // namespace

std::unique_ptr<Reference> make_rms_norm_reference(const ReferenceInputs& inputs,
                                                   const ShapeTable& shapes) {
  return std::make_unique<RmsNormReference>(inputs, shapes);
}

}  // namespace halyard::operators
