// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/evaluation/operation_check.h"
#include "runtime/evaluation/tensor_set.h"

#include <map>
#include <vector>

namespace halyard::services {

// What a device holds for one launch, before and after it, read into host memory. One thread at a
// time; borrows what it is made of.
class LaunchCapture {
 public:
  LaunchCapture(const BoundOperation& operation, const TensorSet& tensors);

  // Each once, around the launch, with the queue idle. Errors: DEVICE_LOST.
  base::Status read_before();
  base::Status read_after();

  LaunchRecord record() const;

 private:
  using Bytes = std::map<std::size_t, HostBytes>;  // By shared tensor.

  base::Status read(operators::TensorRole left_out, Bytes& bytes,
                    std::vector<operators::ReferenceTensor>& table);

  const BoundOperation& operation_;
  const TensorSet& tensors_;
  Bytes bytes_before_;
  Bytes bytes_after_;
  std::vector<operators::ReferenceTensor> before_;
  std::vector<operators::ReferenceTensor> after_;
};

}  // namespace halyard::services
