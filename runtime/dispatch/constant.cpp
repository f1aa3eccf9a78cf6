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
  return create_over(std::move(source), type, shape);
}

base::Result<base::Ref<Constant>> Constant::create_over(base::Ref<core::Buffer> source,
                                                        base::DataType type,
                                                        std::span<const std::int64_t> shape) {
  return base::Ref<Constant>::adopt(
      new Constant(type, std::vector<std::int64_t>(shape.begin(), shape.end()), std::move(source)));
}

base::Ref<Constant::Layout> Constant::layout(const std::string& key) {
  const std::scoped_lock lock(mutex_);
  base::Ref<Layout>& layout = layouts_[key];
  if (!layout) layout = base::make_ref<Layout>();
  return layout;
}

base::Result<base::Ref<core::Buffer>> Constant::packed(const std::string& key, const Pack& pack) {
  const base::Ref<Layout> wanted = layout(key);
  const auto present = [&] {
    const std::scoped_lock lock(mutex_);
    return wanted->buffer;
  };
  if (auto buffer = present()) return buffer;
  const std::scoped_lock packing(wanted->packing);
  if (auto buffer = present()) return buffer;
  HALYARD_TRY_ASSIGN(base::Ref<core::Buffer> buffer, pack());
  const std::scoped_lock lock(mutex_);
  wanted->buffer = buffer;
  return buffer;
}

bool Constant::has_packed(const std::string& key) {
  const std::scoped_lock lock(mutex_);
  const auto found = layouts_.find(key);
  return found != layouts_.end() && found->second->buffer;
}

void Constant::drop_packed(const std::string& key) {
  const std::scoped_lock lock(mutex_);
  layouts_.erase(key);
}

std::uint64_t Constant::size_bytes() {
  const std::scoped_lock lock(mutex_);
  std::uint64_t total = source_->size_bytes();
  for (const auto& [key, layout] : layouts_) {
    if (layout->buffer) total += layout->buffer->size_bytes();
  }
  return total;
}

}  // namespace halyard::dispatch
