// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/data_type.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"
#include "runtime/core/device.h"
#include "runtime/core/handle.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace halyard::dispatch {

// Weights on one device in the layout they were given in, and in each packed layout that a
// selected kernel has asked for.
// Threads: any number at once.
class Constant final : public ::halyard_constant, public base::RefCounted {
 public:
  // Copies `bytes`, which must be just the packed elements of `shape`.
  static base::Result<base::Ref<Constant>> create(core::Device& device, base::DataType type,
                                                  std::span<const std::int64_t> shape,
                                                  std::span<const std::byte> bytes);
  // Over a buffer that holds just these elements already, and that nobody changes meanwhile.
  static base::Result<base::Ref<Constant>> create_over(base::Ref<core::Buffer> source,
                                                       base::DataType type,
                                                       std::span<const std::int64_t> shape);

  core::Device& device() const { return source_->device(); }
  base::DataType type() const { return type_; }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  core::Buffer& source() const { return *source_; }

  using Pack = std::function<base::Result<base::Ref<core::Buffer>>()>;
  // The buffer of the packed layout `key`, which names kernel build and layout; made by `pack` when
  // there is none yet, once even when several threads ask. Who asks for another layout does not
  // wait meanwhile.
  base::Result<base::Ref<core::Buffer>> packed(const std::string& key, const Pack& pack);
  bool has_packed(const std::string& key);
  // Forgets a packed layout; operations that use it keep it.
  void drop_packed(const std::string& key);

  // Of the source and all packed layouts.
  std::uint64_t size_bytes();

 private:
  struct Layout final : public base::RefCounted {
    std::mutex packing;              // held while the layout is packed
    base::Ref<core::Buffer> buffer;  // guarded by the constant's mutex; null until packed
  };

  Constant(base::DataType type, std::vector<std::int64_t> shape, base::Ref<core::Buffer> source);
  base::Ref<Layout> layout(const std::string& key);

  base::DataType type_;
  std::vector<std::int64_t> shape_;
  base::Ref<core::Buffer> source_;
  std::mutex mutex_;  // guards layouts_ and their buffers
  std::map<std::string, base::Ref<Layout>, std::less<>> layouts_;
};

}  // namespace halyard::dispatch
