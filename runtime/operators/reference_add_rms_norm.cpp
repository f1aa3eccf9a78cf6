// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/float_formats.h"
#include "runtime/operators/element_reader.h"
#include "runtime/operators/reference_factories.h"
#include "runtime/operators/reference_rows.h"

#include <array>
#include <cmath>
#include <vector>

namespace halyard::operators {
namespace {

class AddRmsNormReference final : public RowNormReference {
 public:
  AddRmsNormReference(const ReferenceInputs& inputs, const ShapeTable& shapes)
      : RowNormReference(inputs, shapes, kWeight),
        addends_(static_cast<std::size_t>(size(kX, 1))) {}

 private:
  enum Tensor : std::size_t { kX, kResidual, kWeight, kY };

  Element element(std::size_t tensor, std::uint64_t index) override {
    if (tensor != kResidual) return normalized(index);
    const double sum = plain(index);
    return {sum, std::abs(sum)};
  }

  // The contract's sum: in f32, then rounded to T.
  double rounded_sum(double a, double b) const {
    const float sum = static_cast<float>(a) + static_cast<float>(b);
    std::array<unsigned char, 8> stored{};
    base::store_from_double(input(kX).type, static_cast<double>(sum), stored.data());
    return base::load_as_double(input(kX).type, stored.data());
  }

  void load_plain(std::int64_t row, std::span<double> sums) override {
    const ReferenceTensor& x = input(kX);
    const ReferenceTensor& residual = input(kResidual);
    read_elements(x, row * x.strides[0], x.strides[1], addends_);
    read_elements(residual, row * residual.strides[0], residual.strides[1], sums);
    for (std::size_t i = 0; i < sums.size(); ++i)
      sums[i] = rounded_sum(sums[i], addends_[i]);
  }

  std::vector<double> addends_;
};

}  // namespace

std::unique_ptr<Reference> make_add_rms_norm_reference(const ReferenceInputs& inputs,
                                                       const ShapeTable& shapes) {
  return std::make_unique<AddRmsNormReference>(inputs, shapes);
}

}  // namespace halyard::operators
