// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/operators/axis_values.h"
#include "runtime/operators/contract_catalog.h"
#include "runtime/operators/element_reader.h"
#include "runtime/operators/random_inputs.h"
#include "runtime/operators/reference.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::operators::testing {

inline const ContractCatalog& catalog() {
  static const ContractCatalog contracts(HALYARD_SOURCE_DIR "/kernel-store");
  return contracts;
}

inline base::Ref<const Contract> contract(std::string_view name) {
  auto found = catalog().find(name);
  if (!found) {
    ADD_FAILURE() << found.error().message();
    return {};
  }
  return *found;
}

// A problem with packed tensors in host memory; any failure on the way fails the test.
class HostLaunch {
 public:
  HostLaunch(std::string_view name, const TypeBindings& types, const std::vector<AxisValue>& axes,
             const Attributes& attributes = {})
      : problem_(make_problem(name, types, axes, attributes)) {
    launch_ = *problem_.launch_values(split_axes(problem_.contract(), axes)->launch);
    shapes_ = *problem_.shapes(launch_);
    scalars = typical_scalars(problem_);
    memory_.resize(shapes_.tensor_count);
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      memory_[i].assign(static_cast<std::size_t>(shapes_.tensors[i].size_bytes) + 16, 0);
      tensors.push_back(dense_tensor(shapes_.tensors[i], memory_[i].data()));
    }
  }

  const Problem& problem() const { return problem_; }
  const std::vector<std::int64_t>& launch_axes() const { return launch_; }
  const ShapeTable& shapes() const { return shapes_; }
  std::size_t index(std::string_view tensor) const {
    return *problem_.contract().tensor_index(tensor);
  }
  std::uint64_t count(std::string_view tensor) const {
    return static_cast<std::uint64_t>(shapes_.tensors[index(tensor)].element_count);
  }

  void set(std::string_view tensor, const std::vector<double>& values) {
    const WritableTensor& target = tensors[index(tensor)];
    ASSERT_EQ(count(tensor), values.size()) << tensor;
    for (std::size_t i = 0; i < values.size(); ++i) {
      write_element(target, element_offset(target, i), values[i]);
    }
  }
  std::vector<double> get(std::string_view tensor) const {
    std::vector<double> values;
    const ReferenceTensor source = tensors[index(tensor)];
    for (std::uint64_t i = 0; i < count(tensor); ++i) {
      values.push_back(read_element(source, element_offset(source, i)));
    }
    return values;
  }
  void fill(std::uint64_t seed) {
    const base::Status filled = fill_random_inputs(problem_, launch_, seed, tensors);
    ASSERT_TRUE(filled) << filled.error().message();
  }

  std::unique_ptr<Reference> reference() const {
    const std::vector<ReferenceTensor> readable(tensors.begin(), tensors.end());
    auto made = Reference::create({&problem_, launch_, readable, scalars});
    if (!made) {
      ADD_FAILURE() << made.error().message();
      return nullptr;
    }
    return std::move(*made);
  }
  // All elements of an output.
  std::vector<double> evaluate(std::string_view tensor,
                               std::vector<double>* magnitudes = nullptr) const {
    std::vector<std::uint64_t> elements(count(tensor));
    std::iota(elements.begin(), elements.end(), std::uint64_t{0});
    std::vector<double> values(elements.size());
    std::vector<double> scales(elements.size());
    const base::Status done = reference()->evaluate(index(tensor), elements, values, scales);
    if (!done) ADD_FAILURE() << done.error().message();
    if (magnitudes != nullptr) *magnitudes = scales;
    return values;
  }

  std::vector<WritableTensor> tensors;
  std::vector<double> scalars;

 private:
  static Problem make_problem(std::string_view name, const TypeBindings& types,
                              const std::vector<AxisValue>& axes, const Attributes& attributes) {
    const base::Ref<const Contract> bound = contract(name);
    auto problem = Problem::create(bound, types, attributes, split_axes(*bound, axes)->prepare);
    if (!problem) ADD_FAILURE() << problem.error().message();
    return *problem;
  }

  Problem problem_;
  std::vector<std::int64_t> launch_;
  ShapeTable shapes_;
  std::vector<std::vector<unsigned char>> memory_;
};

inline const TypeBindings kF32{{"T", base::DataType::kF32}};
inline const TypeBindings kF16{{"T", base::DataType::kF16}};
inline const TypeBindings kBf16{{"T", base::DataType::kBf16}};

}  // namespace halyard::operators::testing
