// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/reference_factories.h"
#include "runtime/operators/reference_rows.h"

#include <cmath>

namespace halyard::operators {
namespace {

class ArgmaxReference final : public RowReference {
 public:
  ArgmaxReference(const ReferenceInputs& inputs, const ShapeTable& shapes)
      : RowReference(inputs, shapes) {}

 private:
  Element element(std::size_t tensor, std::uint64_t index) override {
    static_cast<void>(tensor);
    const std::span<const double> values = row(static_cast<std::int64_t>(index));
    std::size_t best = 0;
    for (std::size_t i = 0; i < values.size() && !std::isnan(values[best]); ++i) {
      if (std::isnan(values[i]) || values[i] > values[best]) best = i;
    }
    return {static_cast<double>(best), 0};
  }
};

}  // namespace

std::unique_ptr<Reference> make_argmax_reference(const ReferenceInputs& inputs,
                                                 const ShapeTable& shapes) {
  return std::make_unique<ArgmaxReference>(inputs, shapes);
}

}  // namespace halyard::operators
