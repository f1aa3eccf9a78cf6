// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/reference_factories.h"
#include "runtime/operators/reference_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace halyard::operators {
namespace {

// The contract lets exponentials below this be taken as 0.
constexpr double kLeastPower = 0x1p-100;

class SoftmaxReference final : public RowReference {
 public:
  SoftmaxReference(const ReferenceInputs& inputs, const ShapeTable& shapes)
      : RowReference(inputs, shapes) {}

  std::int64_t elements_together(std::size_t tensor) const override { return size(tensor, 1); }

 private:
  Element element(std::size_t tensor, std::uint64_t index) override {
    const auto columns = static_cast<std::uint64_t>(size(tensor, 1));
    const double x = row(static_cast<std::int64_t>(index / columns))[index % columns];
    const double power = std::exp(x - greatest_);
    // The difference is rounded before it becomes an exponent.
    const double distance = std::isfinite(x - greatest_) ? std::abs(x - greatest_) : 0;
    // Half a part in the accumulation type of the floor is worth the floor itself.
    const double floor =
        kLeastPower / base::data_type_unit_roundoff(problem().contract().fields().accumulation);
    const double scale = power < kLeastPower ? floor : power * (1 + distance);
    return {power / sum_, scale / sum_};
  }

  void load(std::int64_t index, std::span<double> out) override {
    RowReference::load(index, out);
    greatest_ = -std::numeric_limits<double>::infinity();
    for (const double value : out)
      greatest_ = std::max(greatest_, value);
    sum_ = 0;
    for (const double value : out)
      sum_ += std::exp(value - greatest_);
  }

  double greatest_ = 0;  // of the loaded row
  double sum_ = 0;
};

}  // namespace

std::unique_ptr<Reference> make_softmax_reference(const ReferenceInputs& inputs,
                                                  const ShapeTable& shapes) {
  return std::make_unique<SoftmaxReference>(inputs, shapes);
}

}  // namespace halyard::operators
