// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/launch_capture.h"

#include <utility>

namespace halyard::services {

using operators::ReferenceTensor;
using operators::TensorRole;

LaunchCapture::LaunchCapture(const BoundOperation& operation, const TensorSet& tensors)
    : operation_(operation),
      tensors_(tensors) {
  for (std::size_t i = 0; i < operation.uses.size(); ++i) {
    before_.push_back(operators::dense_tensor(operation.shapes.tensors[i], nullptr));
  }
  after_ = before_;
}

base::Status LaunchCapture::read(TensorRole left_out, Bytes& bytes,
                                 std::vector<ReferenceTensor>& table) {
  const auto& declared = operation_.problem.contract().tensors();
  for (std::size_t i = 0; i < operation_.uses.size(); ++i) {
    const std::optional<BoundUse>& use = operation_.uses[i];
    if (!use || declared[i].role == left_out) continue;
    if (tensors_.buffer(use->shared) == nullptr) {
      table[i].data = tensors_.constant_bytes(use->shared).data();
      continue;
    }
    auto held = bytes.find(use->shared);
    if (held == bytes.end()) {
      HALYARD_TRY_ASSIGN(HostBytes read, tensors_.read(use->shared));
      held = bytes.emplace(use->shared, std::move(read)).first;
    }
    const auto size_bytes = static_cast<std::int64_t>(base::data_type_size_bytes(table[i].type));
    table[i].data = held->second.data() + use->offset * size_bytes;
    if (!use->is_packed) table[i].strides = use->strides;
  }
  return base::ok();
}

base::Status LaunchCapture::read_before() {
  return read(TensorRole::kOutput, bytes_before_, before_);
}

base::Status LaunchCapture::read_after() {
  return read(TensorRole::kInput, bytes_after_, after_);
}

LaunchRecord LaunchCapture::record() const {
  return {&operation_.problem, operation_.launch_axes, operation_.scalars, before_, after_};
}

}  // namespace halyard::services
