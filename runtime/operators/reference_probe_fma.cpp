// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/element_reader.h"
#include "runtime/operators/reference_factories.h"

#include <cmath>

namespace halyard::operators {
namespace {

class ProbeFmaReference final : public Reference {
 public:
  ProbeFmaReference(const ReferenceInputs& inputs, const ShapeTable& shapes)
      : Reference(inputs, shapes) {
    const auto slot = problem().slots().slot_of("steps");
    if (slot) steps_ = static_cast<double>(inputs.launch_axes[*slot]);
  }

 private:
  enum Tensor : std::size_t { kX, kY };

  Element element(std::size_t tensor, std::uint64_t index) override {
    static_cast<void>(tensor);
    if (steps_ == 0) return {};
    const ReferenceTensor& x = input(kX);
    const std::int64_t offset = static_cast<std::int64_t>(index) * x.strides[1];
    const double even = read_element(x, offset);
    const double odd = read_element(x, offset + x.strides[0]);
    return {steps_ * (even + odd), steps_ * (std::abs(even) + std::abs(odd))};
  }

  double steps_ = 0;
};

}  // namespace

std::unique_ptr<Reference> make_probe_fma_reference(const ReferenceInputs& inputs,
                                                    const ShapeTable& shapes) {
  return std::make_unique<ProbeFmaReference>(inputs, shapes);
}

}  // namespace halyard::operators
