// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/tensor_set.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <utility>

namespace halyard::services {
namespace {

constexpr std::int64_t kMinBufferBytes = 64;  // Tensors may be empty, buffers may not.

base::Result<Buffer> create_buffer(halyard_device* device, const SharedTensor& shared) {
  halyard_buffer_desc desc = HALYARD_BUFFER_DESC_INIT;
  desc.size_bytes = static_cast<std::uint64_t>(std::max(shared.size_bytes(), kMinBufferBytes));
  halyard_buffer* buffer = nullptr;
  base::Status created = library_status(halyard_buffer_create(device, &desc, &buffer));
  if (!created) {
    return std::move(created.error())
        .with_context(base::concat("making tensor \"", shared.name, "\""));
  }
  return Buffer(buffer);
}

}  // namespace

base::Result<TensorSet> TensorSet::create(halyard_device* device, const BoundWorkload& workload,
                                          std::uint64_t seed) {
  TensorSet set(device, workload, seed);
  const std::size_t count = workload.tensors.size();
  set.buffers_.resize(count);
  set.constants_.resize(count);
  set.host_constants_.resize(count);
  HALYARD_TRY_ASSIGN(set.inputs_, input_data(workload, seed));
  for (std::size_t i = 0; i < count; ++i) {
    if (workload.tensors[i].is_constant) continue;
    HALYARD_TRY_ASSIGN(set.buffers_[i], create_buffer(device, workload.tensors[i]));
    if (!set.inputs_[i].empty() || workload.tensors[i].element_count == 0) continue;
    // NaN in every float type: what is read before it is written shows.
    HALYARD_TRY_ASSIGN(
        const HostBytes poison,
        base::make_host_bytes(static_cast<std::uint64_t>(workload.tensors[i].size_bytes()),
                              std::byte{0xff}));
    HALYARD_TRY(library_status(
        halyard_buffer_write(set.buffers_[i].get(), 0, poison.data(), poison.size())));
  }
  HALYARD_TRY(set.restore_inputs());
  return set;
}

base::Status TensorSet::provide_constants(const BoundOperation& operation) {
  for (const std::optional<BoundUse>& use : operation.uses) {
    if (!use || !workload_->tensors[use->shared].is_constant) continue;
    const SharedTensor& shared = workload_->tensors[use->shared];
    HostBytes& bytes = host_constants_[use->shared];
    if (bytes.empty()) {
      HALYARD_TRY_ASSIGN(bytes, constant_data(*workload_, use->shared, seed_));
    }
    if (constants_[use->shared]) continue;
    halyard_constant_desc desc = HALYARD_CONSTANT_DESC_INIT;
    desc.type = static_cast<std::uint32_t>(shared.type);
    desc.rank = static_cast<std::uint32_t>(shared.shape.size());
    desc.shape = shared.shape.data();
    desc.data = bytes.data();
    halyard_constant* constant = nullptr;
    base::Status created = library_status(halyard_constant_create(device_, &desc, &constant));
    if (!created) {
      return std::move(created.error())
          .with_context(base::concat("making constant \"", shared.name, "\""));
    }
    constants_[use->shared] = Constant(constant);
  }
  return base::ok();
}

void TensorSet::release_host(std::size_t operation) {
  for (std::size_t i = 0; i < host_constants_.size(); ++i) {
    if (workload_->tensors[i].last_use <= operation) HostBytes().swap(host_constants_[i]);
  }
}

base::Result<HostBytes> TensorSet::read(std::size_t shared) const {
  HALYARD_TRY_ASSIGN(
      HostBytes bytes,
      base::make_host_bytes(static_cast<std::uint64_t>(workload_->tensors[shared].size_bytes())));
  if (bytes.empty()) return bytes;
  HALYARD_TRY(
      library_status(halyard_buffer_read(buffers_[shared].get(), 0, bytes.data(), bytes.size())));
  return bytes;
}

base::Status TensorSet::restore_inputs() const {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i].empty()) continue;
    HALYARD_TRY(library_status(
        halyard_buffer_write(buffers_[i].get(), 0, inputs_[i].data(), inputs_[i].size())));
  }
  return base::ok();
}

}  // namespace halyard::services
