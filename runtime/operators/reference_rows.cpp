// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/reference_rows.h"

#include "runtime/operators/element_reader.h"

#include <cmath>
#include <variant>

namespace halyard::operators {

RowReference::RowReference(const ReferenceInputs& inputs, const ShapeTable& shapes)
    : Reference(inputs, shapes),
      row_(static_cast<std::size_t>(size(0, 1))) {}

std::span<const double> RowReference::row(std::int64_t index) {
  if (index != loaded_) load(index, row_);
  loaded_ = index;
  return row_;
}

void RowReference::load(std::int64_t index, std::span<double> out) {
  const ReferenceTensor& x = input(0);
  read_elements(x, index * x.strides[0], x.strides[1], out);
}

RowNormReference::RowNormReference(const ReferenceInputs& inputs, const ShapeTable& shapes,
                                   std::size_t weight)
    : RowReference(inputs, shapes),
      weight_(weight),
      epsilon_(std::get<double>(problem().attribute("epsilon"))) {}

double RowNormReference::plain(std::uint64_t index) {
  const auto hidden = static_cast<std::uint64_t>(size(0, 1));
  return row(static_cast<std::int64_t>(index / hidden))[index % hidden];
}

Reference::Element RowNormReference::normalized(std::uint64_t index) {
  const double element = plain(index);
  const ReferenceTensor& weight = input(weight_);
  const auto column = static_cast<std::int64_t>(index % static_cast<std::uint64_t>(size(0, 1)));
  const double value = element * factor_ * read_element(weight, column * weight.strides[0]);
  return {value, std::abs(value)};
}

void RowNormReference::load(std::int64_t index, std::span<double> out) {
  load_plain(index, out);
  double sum = 0;
  for (const double value : out)
    sum += value * value;
  factor_ = 1 / std::sqrt(sum / static_cast<double>(out.size()) + epsilon_);
}

void RowNormReference::load_plain(std::int64_t index, std::span<double> out) {
  RowReference::load(index, out);
}

}  // namespace halyard::operators
