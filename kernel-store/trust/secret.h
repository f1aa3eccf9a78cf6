// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace halyard::store {

// Bytes that are kept off the swap device and out of core dumps where the system allows it, and
// wiped when they go. Move-only.
class Secret {
 public:
  Secret() = default;
  // `size` zero bytes.
  explicit Secret(std::size_t size);
  Secret(Secret&& other) noexcept;
  Secret& operator=(Secret&& other) noexcept;
  ~Secret();

  static Secret copy_of(std::string_view text);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::uint8_t* data() { return bytes_; }
  const std::uint8_t* data() const { return bytes_; }
  std::span<std::uint8_t> bytes() { return {bytes_, size_}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(bytes_), size_}; }
  // Keeps the first `size` bytes and wipes the others.
  void shrink(std::size_t size);

 private:
  std::uint8_t* bytes_ = nullptr;
  std::size_t size_ = 0;
  std::size_t allocated_ = 0;
};

}  // namespace halyard::store
