// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/element_reader.h"
#include "runtime/operators/reference_factories.h"

#include <algorithm>
#include <cmath>

namespace halyard::operators {
namespace {

// The contract lets silu below this be taken as 0.
constexpr double kLeastSilu = 0x1p-100;

double silu(double gate) {
  if (std::isinf(gate)) return gate > 0 ? gate : -0.0;
  return gate / (1 + std::exp(-gate));
}

class SiluMulReference final : public Reference {
 public:
  SiluMulReference(const ReferenceInputs& inputs, const ShapeTable& shapes)
      : Reference(inputs, shapes) {}

 private:
  enum Tensor : std::size_t { kX, kY };

  Element element(std::size_t tensor, std::uint64_t index) override {
    const std::int64_t hidden = size(tensor, 1);
    const auto row = static_cast<std::int64_t>(index) / hidden;
    const auto column = static_cast<std::int64_t>(index) % hidden;
    const ReferenceTensor& x = input(kX);
    const double gate = read_element(x, row * x.strides[0] + column * x.strides[1]);
    const double up = read_element(x, row * x.strides[0] + (hidden + column) * x.strides[1]);
    const double activated = silu(gate);
    // Half a part in the accumulation type of the floor is worth the floor itself.
    const double floor = kLeastSilu / base::data_type_unit_roundoff(accumulation());
    const double scale = std::abs(activated) < kLeastSilu ? floor : std::abs(activated);
    return {activated * up, scale * std::abs(up)};
  }

  base::DataType accumulation() const { return problem().contract().fields().accumulation; }
};

}  // namespace

std::unique_ptr<Reference> make_silu_mul_reference(const ReferenceInputs& inputs,
                                                   const ShapeTable& shapes) {
  return std::make_unique<SiluMulReference>(inputs, shapes);
}

}  // namespace halyard::operators
