// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/element_reader.h"
#include "runtime/operators/reference_factories.h"

#include <cmath>
#include <vector>

namespace halyard::operators {
namespace {

class RmsNormReference final : public Reference {
 public:
  RmsNormReference(const ReferenceInputs& inputs, const ShapeTable& shapes)
      : Reference(inputs, shapes),
        epsilon_(std::get<double>(problem().attribute("epsilon"))),
        row_values_(static_cast<std::size_t>(size(kX, 1))) {}

  std::int64_t elements_together(std::size_t tensor) const override { return size(tensor, 1); }

 private:
  enum Tensor : std::size_t { kX, kWeight, kY };

  Element element(std::size_t tensor, std::uint64_t index) override {
    const auto hidden = static_cast<std::uint64_t>(size(tensor, 1));
    const auto column = static_cast<std::size_t>(index % hidden);
    load_row(static_cast<std::int64_t>(index / hidden));
    const ReferenceTensor& weight = input(kWeight);
    const double scale =
        read_element(weight, static_cast<std::int64_t>(column) * weight.strides[0]);
    const double value = row_values_[column] * factor_ * scale;
    return {value, std::abs(value)};
  }

  void load_row(std::int64_t row) {
    if (row == row_) return;
    row_ = row;
    const ReferenceTensor& x = input(kX);
    read_elements(x, row * x.strides[0], x.strides[1], row_values_);
    double sum = 0;
    for (const double value : row_values_)
      sum += value * value;
    factor_ = 1 / std::sqrt(sum / static_cast<double>(row_values_.size()) + epsilon_);
  }

  double epsilon_;
  std::int64_t row_ = -1;
  std::vector<double> row_values_;
  double factor_ = 0;
};

}  // namespace

std::unique_ptr<Reference> make_rms_norm_reference(const ReferenceInputs& inputs,
                                                   const ShapeTable& shapes) {
  return std::make_unique<RmsNormReference>(inputs, shapes);
}

}  // namespace halyard::operators
