// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/evaluation/input_data.h"
#include "runtime/evaluation/library_call.h"

#include <cstdint>
#include <vector>

namespace halyard::services {

// The tensors of a workload on a device: buffers that operations share, and constants, which are
// made when an operation first needs them. One thread at a time.
class TensorSet {
 public:
  // Makes the buffers and fills the inputs. Borrows the workload.
  // Errors: INVALID_ARGUMENT for inputs that do not fit; OUT_OF_MEMORY; DEVICE_LOST.
  static base::Result<TensorSet> create(halyard_device* device, const BoundWorkload& workload,
                                        std::uint64_t seed);

  // Makes the constants of an operation, if they are not there, and keeps their values in host
  // memory until release_host().
  base::Status provide_constants(const BoundOperation& operation);
  // Drops host copies of constants that no operation after `operation` uses.
  void release_host(std::size_t operation);

  // NULL for what is no constant.
  halyard_constant* constant(std::size_t shared) const { return constants_[shared].get(); }
  halyard_buffer* buffer(std::size_t shared) const { return buffers_[shared].get(); }
  const HostBytes& constant_bytes(std::size_t shared) const { return host_constants_[shared]; }

  // What the device holds. Errors: DEVICE_LOST.
  base::Result<HostBytes> read(std::size_t shared) const;
  // Gives every input its first values again. Errors: DEVICE_LOST.
  base::Status restore_inputs() const;

 private:
  TensorSet(halyard_device* device, const BoundWorkload& workload, std::uint64_t seed)
      : device_(device),
        workload_(&workload),
        seed_(seed) {}

  halyard_device* device_;
  const BoundWorkload* workload_;
  std::uint64_t seed_;
  std::vector<Buffer> buffers_;
  std::vector<Constant> constants_;
  std::vector<HostBytes> host_constants_;
  std::vector<HostBytes> inputs_;
};

}  // namespace halyard::services
