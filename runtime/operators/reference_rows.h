// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/operators/reference.h"

#include <cstdint>
#include <span>
#include <vector>

namespace halyard::operators {

// A reference that computes its elements from whole rows of the first tensor, one at a time.
class RowReference : public Reference {
 protected:
  RowReference(const ReferenceInputs& inputs, const ShapeTable& shapes);

  // The row, loaded unless it is the one that was asked for last.
  std::span<const double> row(std::int64_t index);
  virtual void load(std::int64_t index, std::span<double> out);

 private:
  std::vector<double> row_;
  std::int64_t loaded_ = -1;
};

// A reference that scales each row by the inverse of its root mean square.
class RowNormReference : public RowReference {
 public:
  std::int64_t elements_together(std::size_t tensor) const override { return size(tensor, 1); }

 protected:
  // `weight` is the tensor with a factor for each column.
  RowNormReference(const ReferenceInputs& inputs, const ShapeTable& shapes, std::size_t weight);

  // Of elements numbered as those of the first tensor.
  double plain(std::uint64_t index);
  Element normalized(std::uint64_t index);

 private:
  void load(std::int64_t index, std::span<double> out) final;
  virtual void load_plain(std::int64_t index, std::span<double> out);

  std::size_t weight_;
  double epsilon_;
  double factor_ = 0;  // of the loaded row
};

}  // namespace halyard::operators
