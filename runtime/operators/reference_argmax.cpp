// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/element_reader.h"
#include "runtime/operators/reference_factories.h"

#include <cmath>
#include <vector>

namespace halyard::operators {
namespace {

class ArgmaxReference final : public Reference {
 public:
  ArgmaxReference(const ReferenceInputs& inputs, const ShapeTable& shapes)
      : Reference(inputs, shapes),
        row_(static_cast<std::size_t>(size(kX, 1))) {}

 private:
  enum Tensor : std::size_t { kX, kIndex };

  Element element(std::size_t tensor, std::uint64_t index) override {
    static_cast<void>(tensor);
    const ReferenceTensor& x = input(kX);
    read_elements(x, static_cast<std::int64_t>(index) * x.strides[0], x.strides[1], row_);
    std::size_t best = 0;
    for (std::size_t i = 0; i < row_.size() && !std::isnan(row_[best]); ++i) {
      if (std::isnan(row_[i]) || row_[i] > row_[best]) best = i;
    }
    return {static_cast<double>(best), 0};
  }

  std::vector<double> row_;
};

}  // namespace

std::unique_ptr<Reference> make_argmax_reference(const ReferenceInputs& inputs,
                                                 const ShapeTable& shapes) {
  return std::make_unique<ArgmaxReference>(inputs, shapes);
}

}  // namespace halyard::operators
