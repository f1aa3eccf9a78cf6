// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/reference.h"

#include "runtime/base/text.h"
#include "runtime/operators/element_reader.h"
#include "runtime/operators/reference_factories.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

namespace halyard::operators {
namespace {

struct NamedFactory {
  std::string_view contract;
  ReferenceFactory* make;
};

constexpr std::array<NamedFactory, 14> kFactories{{
    {"add_rms_norm", make_add_rms_norm_reference},
    {"argmax", make_argmax_reference},
    {"attention_decode_paged", make_attention_decode_paged_reference},
    {"cast", make_cast_reference},
    {"copy_strided", make_copy_strided_reference},
    {"embedding", make_embedding_reference},
    {"gemm", make_gemm_reference},
    {"kv_append_paged", make_kv_append_paged_reference},
    {"probe_fma", make_probe_fma_reference},
    {"probe_read", make_probe_read_reference},
    {"rms_norm", make_rms_norm_reference},
    {"rope", make_rope_reference},
    {"silu_mul", make_silu_mul_reference},
    {"softmax", make_softmax_reference},
}};

base::Error invalid(std::string message) {
  return base::Error(base::ErrorCode::kInvalidArgument, std::move(message));
}

std::string shape_text(std::span<const std::int64_t> sizes) {
  return base::concat('[', base::join(sizes), ']');
}

base::Status check_tensor(const ContractTensor& tensor, const TensorShape& wanted,
                          const ReferenceTensor& given) {
  if (!wanted.present) return base::ok();
  if (tensor.role == TensorRole::kOutput && given.data == nullptr) return base::ok();
  if (given.type != wanted.type) {
    return invalid(base::concat("Tensor \"", tensor.name, "\" has type ",
                                base::data_type_name(given.type), ", not ",
                                base::data_type_name(wanted.type), "."));
  }
  const std::span<const std::int64_t> sizes(wanted.sizes.data(), wanted.rank);
  const std::span<const std::int64_t> given_sizes(given.shape.data(),
                                                  std::min<std::size_t>(given.rank, kMaxRank));
  if (!std::equal(sizes.begin(), sizes.end(), given_sizes.begin(), given_sizes.end())) {
    return invalid(base::concat("Tensor \"", tensor.name, "\" has shape ", shape_text(given_sizes),
                                ", not ", shape_text(sizes), "."));
  }
  if (given.data == nullptr && wanted.element_count != 0) {
    return invalid(base::concat("Tensor \"", tensor.name, "\" has no data, and it has ",
                                wanted.element_count, " elements."));
  }
  return base::ok();
}

base::Status check_inputs(const ReferenceInputs& inputs, const ShapeTable& shapes) {
  const Contract& contract = inputs.problem->contract();
  if (inputs.tensors.size() != shapes.tensor_count) {
    return invalid(base::concat("Contract \"", contract.name(), "\" has ", shapes.tensor_count,
                                " tensors, and ", inputs.tensors.size(), " are given."));
  }
  if (inputs.scalars.size() != contract.scalars().size()) {
    return invalid(base::concat("Contract \"", contract.name(), "\" has ",
                                contract.scalars().size(), " scalars, and ", inputs.scalars.size(),
                                " are given."));
  }
  for (std::size_t i = 0; i < inputs.tensors.size(); ++i) {
    HALYARD_TRY(check_tensor(contract.tensors()[i], shapes.tensors[i], inputs.tensors[i]));
  }
  return base::ok();
}

}  // namespace

WritableTensor dense_tensor(const TensorShape& shape, void* data) {
  WritableTensor tensor{shape.type, data, shape.rank, shape.sizes, {}};
  std::int64_t stride = 1;
  for (std::uint32_t i = shape.rank; i-- > 0;) {
    tensor.strides[i] = stride;
    stride *= std::max<std::int64_t>(shape.sizes[i], 1);
  }
  return tensor;
}

std::int64_t element_offset(const ReferenceTensor& tensor, std::uint64_t element) {
  std::int64_t offset = 0;
  for (std::uint32_t i = tensor.rank; i-- > 0;) {
    const auto size = static_cast<std::uint64_t>(tensor.shape[i]);
    offset += static_cast<std::int64_t>(element % size) * tensor.strides[i];
    element /= size;
  }
  return offset;
}

Reference::Reference(const ReferenceInputs& inputs, const ShapeTable& shapes)
    : problem_(inputs.problem),
      shapes_(shapes) {
  std::copy(inputs.tensors.begin(), inputs.tensors.end(), tensors_.begin());
  std::copy(inputs.scalars.begin(), inputs.scalars.end(), scalars_.begin());
}

base::Result<std::unique_ptr<Reference>> Reference::create(const ReferenceInputs& inputs) {
  HALYARD_TRY_ASSIGN(const ShapeTable shapes, inputs.problem->shapes(inputs.launch_axes));
  HALYARD_TRY(check_inputs(inputs, shapes));
  const std::string& name = inputs.problem->contract().name();
  for (const NamedFactory& factory : kFactories) {
    if (factory.contract == name) return factory.make(inputs, shapes);
  }
  return base::Error(base::ErrorCode::kUnsupported,
                     base::concat("Contract \"", name, "\" has no built-in reference."));
}

base::Status Reference::evaluate(std::size_t tensor, std::span<const std::uint64_t> elements,
                                 std::span<double> value, std::span<double> magnitude) {
  const std::vector<ContractTensor>& tensors = problem_->contract().tensors();
  if (tensor >= tensors.size() || tensors[tensor].role == TensorRole::kInput) {
    return invalid(base::concat("Tensor ", tensor, " of contract \"", problem_->contract().name(),
                                "\" is no output."));
  }
  if (value.size() != elements.size() || magnitude.size() != elements.size()) {
    return invalid(base::concat(elements.size(), " elements are asked for, and there is room for ",
                                value.size(), " values and ", magnitude.size(), " magnitudes."));
  }
  const auto count = static_cast<std::uint64_t>(shapes_.tensors[tensor].element_count);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i] >= count) {
      return invalid(base::concat("Element ", elements[i], " is past the end of tensor \"",
                                  tensors[tensor].name, "\" (", count, " elements)."));
    }
    const Element computed = element(tensor, elements[i]);
    value[i] = computed.value;
    magnitude[i] = computed.magnitude;
  }
  return base::ok();
}

bool Reference::written_elements(std::size_t tensor, std::vector<std::uint64_t>& elements) const {
  static_cast<void>(tensor);
  static_cast<void>(elements);
  return false;
}

std::int64_t Reference::elements_together(std::size_t tensor) const {
  static_cast<void>(tensor);
  return 1;
}

base::Status run_reference(const Problem& problem, std::span<const std::int64_t> launch_axes,
                           std::span<const WritableTensor> tensors,
                           std::span<const double> scalars) {
  const std::vector<ReferenceTensor> readable(tensors.begin(), tensors.end());
  HALYARD_TRY_ASSIGN(const std::unique_ptr<Reference> reference,
                     Reference::create({&problem, launch_axes, readable, scalars}));
  struct Output {
    std::vector<std::uint64_t> elements;
    std::vector<double> values;
  };
  std::vector<Output> outputs(tensors.size());
  const std::vector<ContractTensor>& named = problem.contract().tensors();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::int64_t count = reference->shapes().tensors[i].element_count;
    if (named[i].role == TensorRole::kInput || count == 0) continue;
    if (tensors[i].data == nullptr) {
      return invalid(base::concat("Tensor \"", named[i].name, "\" has no data, and it has ", count,
                                  " elements."));
    }
    Output& output = outputs[i];
    if (!reference->written_elements(i, output.elements)) {
      output.elements.resize(static_cast<std::size_t>(count));
      std::iota(output.elements.begin(), output.elements.end(), std::uint64_t{0});
    }
    output.values.resize(output.elements.size());
    std::vector<double> magnitudes(output.elements.size());
    HALYARD_TRY(reference->evaluate(i, output.elements, output.values, magnitudes));
  }
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    for (std::size_t j = 0; j < outputs[i].elements.size(); ++j) {
      write_element(tensors[i], element_offset(tensors[i], outputs[i].elements[j]),
                    outputs[i].values[j]);
    }
  }
  return base::ok();
}

}  // namespace halyard::operators
