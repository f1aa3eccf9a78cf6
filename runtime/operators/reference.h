// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/operators/problem.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace halyard::operators {

// A tensor in host memory that is read. Strides count elements; data may be unaligned.
struct ReferenceTensor {
  base::DataType type = base::DataType::kF32;
  const void* data = nullptr;
  std::uint32_t rank = 0;
  std::array<std::int64_t, kMaxRank> shape{};
  std::array<std::int64_t, kMaxRank> strides{};
};

// A tensor in host memory that is written; reads as a ReferenceTensor.
struct WritableTensor {
  base::DataType type = base::DataType::kF32;
  void* data = nullptr;
  std::uint32_t rank = 0;
  std::array<std::int64_t, kMaxRank> shape{};
  std::array<std::int64_t, kMaxRank> strides{};

  operator ReferenceTensor() const {  // NOLINT(google-explicit-constructor): reading is implied.
    return ReferenceTensor{type, data, rank, shape, strides};
  }
};

// A packed row-major tensor of `shape` at `data`.
WritableTensor dense_tensor(const TensorShape& shape, void* data);

// Where element number `element` (row-major over the shape) lies, in elements from `data`.
std::int64_t element_offset(const ReferenceTensor& tensor, std::uint64_t element);

struct ReferenceInputs {
  const Problem* problem = nullptr;
  std::span<const std::int64_t> launch_axes;
  // In contract order. Inputs and inouts hold the values before the launch; outputs and tensors
  // that are not present are not read and may have no data.
  std::span<const ReferenceTensor> tensors;
  std::span<const double> scalars;  // In contract order.
};

// The f64 computation of one launch. Borrows the problem and the tensors' memory, copies the rest.
// One thread at a time; several objects over the same inputs may run at once.
class Reference {
 public:
  // Errors: INVALID_ARGUMENT when tensors or scalars do not fit the problem; UNSUPPORTED for a
  // contract without a built-in reference.
  static base::Result<std::unique_ptr<Reference>> create(const ReferenceInputs& inputs);

  virtual ~Reference() = default;
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  // Computes chosen elements (numbered row-major over the shape) of an output or inout: the value r
  // and the magnitude S of the tolerance, 0 for exact contracts. Elements in rising order are
  // cheapest: what a row or head shares is kept. Errors: INVALID_ARGUMENT when `tensor` is no
  // output, an element is past its end, or the spans differ in length.
  base::Status evaluate(std::size_t tensor, std::span<const std::uint64_t> elements,
                        std::span<double> value, std::span<double> magnitude);

  // The elements that a launch writes, when it does not write all; false when it does.
  virtual bool written_elements(std::size_t tensor, std::vector<std::uint64_t>& elements) const;

  // How many neighbouring elements of an output one computation gives, as a row of a norm: all of
  // them cost what one costs.
  virtual std::int64_t elements_together(std::size_t tensor) const;

  const ShapeTable& shapes() const { return shapes_; }

 protected:
  struct Element {
    double value = 0;
    double magnitude = 0;
  };

  explicit Reference(const ReferenceInputs& inputs, const ShapeTable& shapes);

  virtual Element element(std::size_t tensor, std::uint64_t index) = 0;

  const Problem& problem() const { return *problem_; }
  const ReferenceTensor& input(std::size_t tensor) const { return tensors_[tensor]; }
  double scalar(std::size_t index) const { return scalars_[index]; }
  std::int64_t size(std::size_t tensor, std::size_t dimension) const {
    return shapes_.tensors[tensor].sizes[dimension];
  }

 private:
  const Problem* problem_;
  ShapeTable shapes_;
  std::array<ReferenceTensor, kMaxTensors> tensors_{};
  std::array<double, kMaxScalars> scalars_{};
};

// Computes a whole launch on the host and writes each output rounded to its type. `tensors` are in
// contract order; outputs may alias inputs as the contract allows. Errors as Reference::create();
// nothing is written on failure.
base::Status run_reference(const Problem& problem, std::span<const std::int64_t> launch_axes,
                           std::span<const WritableTensor> tensors,
                           std::span<const double> scalars);

}  // namespace halyard::operators
