// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/float_formats.h"
#include "runtime/operators/element_reader.h"
#include "runtime/operators/reference_factories.h"

#include <array>
#include <cmath>
#include <vector>

namespace halyard::operators {
namespace {

class AddRmsNormReference final : public Reference {
 public:
  AddRmsNormReference(const ReferenceInputs& inputs, const ShapeTable& shapes)
      : Reference(inputs, shapes),
        epsilon_(std::get<double>(problem().attribute("epsilon"))),
        sums_(static_cast<std::size_t>(size(kX, 1))),
        addends_(sums_.size()) {}

  std::int64_t elements_together(std::size_t tensor) const override { return size(tensor, 1); }

 private:
  enum Tensor : std::size_t { kX, kResidual, kWeight, kY };

  Element element(std::size_t tensor, std::uint64_t index) override {
    const auto hidden = static_cast<std::uint64_t>(size(tensor, 1));
    const auto column = static_cast<std::size_t>(index % hidden);
    load_row(static_cast<std::int64_t>(index / hidden));
    if (tensor == kResidual) return {sums_[column], std::abs(sums_[column])};
    const ReferenceTensor& weight = input(kWeight);
    const double scale =
        read_element(weight, static_cast<std::int64_t>(column) * weight.strides[0]);
    const double value = sums_[column] * factor_ * scale;
    return {value, std::abs(value)};
  }

  // The contract's sum: in f32, then rounded to T.
  double rounded_sum(double a, double b) const {
    const float sum = static_cast<float>(a) + static_cast<float>(b);
    std::array<unsigned char, 8> stored{};
    base::store_from_double(input(kX).type, static_cast<double>(sum), stored.data());
    return base::load_as_double(input(kX).type, stored.data());
  }

  void load_row(std::int64_t row) {
    if (row == row_) return;
    row_ = row;
    const ReferenceTensor& x = input(kX);
    const ReferenceTensor& residual = input(kResidual);
    read_elements(x, row * x.strides[0], x.strides[1], addends_);
    read_elements(residual, row * residual.strides[0], residual.strides[1], sums_);
    double sum = 0;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      sums_[i] = rounded_sum(sums_[i], addends_[i]);
      sum += sums_[i] * sums_[i];
    }
    factor_ = 1 / std::sqrt(sum / static_cast<double>(sums_.size()) + epsilon_);
  }

  double epsilon_;
  std::int64_t row_ = -1;
  std::vector<double> sums_;
  std::vector<double> addends_;
  double factor_ = 0;
};

}  // namespace

std::unique_ptr<Reference> make_add_rms_norm_reference(const ReferenceInputs& inputs,
                                                       const ShapeTable& shapes) {
  return std::make_unique<AddRmsNormReference>(inputs, shapes);
}

}  // namespace halyard::operators
