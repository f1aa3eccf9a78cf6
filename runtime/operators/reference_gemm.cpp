// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/element_reader.h"
#include "runtime/operators/reference_factories.h"

#include <cmath>
#include <vector>

namespace halyard::operators {
namespace {

class GemmReference final : public Reference {
 public:
  GemmReference(const ReferenceInputs& inputs, const ShapeTable& shapes)
      : Reference(inputs, shapes),
        a_(static_cast<std::size_t>(size(kA, 1))),
        b_(a_.size()) {}

 private:
  enum Tensor : std::size_t { kA, kB, kBias, kC };

  Element element(std::size_t tensor, std::uint64_t index) override {
    const auto columns = static_cast<std::uint64_t>(size(tensor, 1));
    const auto column = static_cast<std::int64_t>(index % columns);
    load(input(kA), static_cast<std::int64_t>(index / columns), a_row_, a_);
    load(input(kB), column, b_row_, b_);
    Element result;
    for (std::size_t i = 0; i < a_.size(); ++i) {
      const double product = a_[i] * b_[i];
      result.value += product;
      result.magnitude += std::abs(product);
    }
    if (shapes().tensors[kBias].present) {
      const double bias = read_element(input(kBias), column * input(kBias).strides[0]);
      result.value += bias;
      result.magnitude += std::abs(bias);
    }
    return result;
  }

  static void load(const ReferenceTensor& matrix, std::int64_t row, std::int64_t& loaded,
                   std::vector<double>& values) {
    if (row == loaded) return;
    loaded = row;
    read_elements(matrix, row * matrix.strides[0], matrix.strides[1], values);
  }

  std::int64_t a_row_ = -1;
  std::int64_t b_row_ = -1;
  std::vector<double> a_;
  std::vector<double> b_;
};

}  // namespace

std::unique_ptr<Reference> make_gemm_reference(const ReferenceInputs& inputs,
                                               const ShapeTable& shapes) {
  return std::make_unique<GemmReference>(inputs, shapes);
}

}  // namespace halyard::operators
