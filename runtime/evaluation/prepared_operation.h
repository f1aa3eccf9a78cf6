// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/evaluation/tensor_set.h"

#include <cstdint>
#include <string>
#include <vector>

namespace halyard::services {

struct KernelWish {
  const char* kernel = nullptr;  // Just this one; NULL: the best.
  bool allow_reference = false;
};

// An operation of a workload with its kernel and everything that one launch of it needs. One thread
// at a time; borrows the tensors.
class PreparedOperation {
 public:
  // Errors: NO_KERNEL and the others of halyard_operation_prepare, naming the operation;
  // OUT_OF_MEMORY.
  static base::Result<PreparedOperation> create(halyard_device* device,
                                                const BoundOperation& operation,
                                                const TensorSet& tensors, const KernelWish& wish);

  base::Status enqueue(halyard_queue* queue) const;
  base::Status append_to(halyard_sequence* sequence) const;

  halyard_operation_info info() const;
  // "halyard.explanation/1".
  const char* explanation() const { return halyard_operation_explanation(operation_.get()); }
  std::uint64_t flops() const { return flops_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  base::Status prepare(halyard_device* device, const BoundOperation& bound,
                       const TensorSet& tensors, const KernelWish& wish);
  void place_views(const BoundOperation& bound, const TensorSet& tensors);
  base::Status make_workspace(halyard_device* device);
  halyard_launch launch() const;

  Operation operation_;
  Buffer workspace_;
  std::uint64_t workspace_bytes_ = 0;
  std::vector<halyard_view> views_;  // Their strides lie in the bound operation.
  std::vector<std::int64_t> axes_;
  std::vector<halyard_scalar> scalars_;
  std::uint64_t flops_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace halyard::services
