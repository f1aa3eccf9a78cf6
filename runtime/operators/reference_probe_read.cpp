// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/element_reader.h"
#include "runtime/operators/reference_factories.h"

#include <cmath>
#include <vector>

namespace halyard::operators {
namespace {

class ProbeReadReference final : public Reference {
 public:
  ProbeReadReference(const ReferenceInputs& inputs, const ShapeTable& shapes)
      : Reference(inputs, shapes),
        row_(static_cast<std::size_t>(size(kX, 1))) {}

 private:
  enum Tensor : std::size_t { kX, kY };

  Element element(std::size_t tensor, std::uint64_t index) override {
    static_cast<void>(tensor);
    const ReferenceTensor& x = input(kX);
    read_elements(x, static_cast<std::int64_t>(index) * x.strides[0], x.strides[1], row_);
    Element result;
    for (const double value : row_) {
      result.value += value;
      result.magnitude += std::abs(value);
    }
    return result;
  }

  std::vector<double> row_;
};

}  // namespace

std::unique_ptr<Reference> make_probe_read_reference(const ReferenceInputs& inputs,
                                                     const ShapeTable& shapes) {
  return std::make_unique<ProbeReadReference>(inputs, shapes);
}

}  // namespace halyard::operators
