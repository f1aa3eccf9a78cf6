// SPDX-License-Identifier: Apache-2.0
#include "runtime/dispatch/constant.h"

#include <utility>

namespace halyard::dispatch {

Constant::Constant(base::DataType type, std::vector<std::int64_t> shape,
                   base::Ref<core::Buffer> source)
    : type_(type),
      shape_(std::move(shape)),
      source_(std::move(source)) {}

base::Result<base::Ref<Constant>> Constant::create(core::Device& device, base::DataType type,
                                                   std::span<const std::int64_t> shape,
                                                   std::span<const std::byte> bytes) {
  // A constant without elements still has a buffer, so that it can be bound like any other.
  const std::uint64_t size = bytes.empty() ? 1 : bytes.size();
  HALYARD_TRY_ASSIGN(base::Ref<core::Buffer> source,
                     device.create_buffer({size, core::kBufferUsageKernel}));
  HALYARD_TRY(source->write(0, bytes));
  return base::Ref<Constant>::adopt(
      new Constant(type, std::vector<std::int64_t>(shape.begin(), shape.end()), std::move(source)));
}

base::Result<base::Ref<core::Buffer>> Constant::packed(const std::string& key, const Pack& pack) {
  const std::scoped_lock lock(mutex_);
  const auto it = packed_.find(key);
  if (it != packed_.end()) return it->second;
  HALYARD_TRY_ASSIGN(base::Ref<core::Buffer> buffer, pack());
  packed_.emplace(key, buffer);
  return buffer;
}

bool Constant::has_packed(const std::string& key) {
  const std::scoped_lock lock(mutex_);
  return packed_.find(key) != packed_.end();
}

void Constant::drop_packed(const std::string& key) {
  const std::scoped_lock lock(mutex_);
  packed_.erase(key);
}

std::uint64_t Constant::size_bytes() {
  const std::scoped_lock lock(mutex_);
  std::uint64_t total = source_->size_bytes();
  for (const auto& [key, buffer] : packed_)
    total += buffer->size_bytes();
  return total;
}

}  // namespace halyard::dispatch
