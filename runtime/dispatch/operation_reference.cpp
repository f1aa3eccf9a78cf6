// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/host_bytes.h"
#include "runtime/dispatch/operation.h"
#include "runtime/operators/reference.h"

#include <chrono>
#include <cstring>
#include <vector>

namespace halyard::dispatch {
namespace {

double scalar_value(base::DataType type, std::uint64_t bits) {
  switch (type) {
    case base::DataType::kF64: {
      double value = 0;
      std::memcpy(&value, &bits, sizeof(value));
      return value;
    }
    case base::DataType::kF32: {
      float value = 0;
      std::memcpy(&value, &bits, sizeof(value));
      return static_cast<double>(value);
    }
    case base::DataType::kU32:
      return static_cast<double>(static_cast<std::uint32_t>(bits));
    case base::DataType::kI32:
      return static_cast<double>(static_cast<std::int32_t>(static_cast<std::uint32_t>(bits)));
    case base::DataType::kU64:
      return static_cast<double>(bits);
    default:
      return static_cast<double>(static_cast<std::int64_t>(bits));
  }
}

// One tensor in host memory: in place where the host can reach it, else a copy.
struct HostTensor {
  operators::WritableTensor tensor;
  base::HostBytes copy;
};

base::Status open_tensor(const operators::TensorShape& shape, const BoundTensor& bound,
                         HostTensor& out) {
  out.tensor.type = shape.type;
  out.tensor.rank = shape.rank;
  out.tensor.shape = shape.sizes;
  out.tensor.strides = bound.strides;
  if (!shape.present || bound.buffer == nullptr || bound.length_bytes == 0) return base::ok();
  if (std::byte* bytes = bound.buffer->host_pointer()) {
    out.tensor.data = bytes + bound.offset_bytes;
    return base::ok();
  }
  HALYARD_TRY_ASSIGN(out.copy, base::make_host_bytes(bound.length_bytes));
  out.tensor.data = out.copy.data();
  return bound.buffer->read(bound.offset_bytes, out.copy);
}

}  // namespace

base::Status Operation::run_reference(core::Queue& queue, const Launch& launch) const {
  BoundLaunch bound;
  HALYARD_TRY(bind(launch, bound));
  HALYARD_TRY(queue.synchronize(std::chrono::nanoseconds(-1)));
  const operators::Contract& contract = problem_.contract();
  std::vector<HostTensor> tensors(contract.tensors().size());
  std::vector<operators::WritableTensor> writable;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    HALYARD_TRY(open_tensor(bound.shapes.tensors[i], bound.tensors[i], tensors[i]));
    writable.push_back(tensors[i].tensor);
  }
  std::vector<double> scalars;
  for (std::size_t i = 0; i < contract.scalars().size(); ++i) {
    scalars.push_back(scalar_value(contract.scalars()[i].type, launch.scalars[i]));
  }
  HALYARD_TRY(operators::run_reference(problem_, launch.axes, writable, scalars));
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const bool is_output = contract.tensors()[i].role != operators::TensorRole::kInput;
    if (!is_output || tensors[i].copy.empty()) continue;
    HALYARD_TRY(bound.tensors[i].buffer->write(bound.tensors[i].offset_bytes, tensors[i].copy));
  }
  return base::ok();
}

}  // namespace halyard::dispatch
