// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace halyard::base {

// An intrusive reference count. retain() and release() may be called from any thread; the last
// release deletes the object on the calling thread.
class RefCounted {
 public:
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;

  void retain() const { references_.fetch_add(1, std::memory_order_relaxed); }
  void release() const {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 protected:
  RefCounted() = default;
  virtual ~RefCounted() = default;

 private:
  mutable std::atomic<std::uint32_t> references_{1};
};

// Holds one reference to a RefCounted object, or none.
template <typename T>
class Ref {
 public:
  Ref() = default;
  Ref(const Ref& other) : pointer_(other.pointer_) {
    if (pointer_ != nullptr) pointer_->retain();
  }
  Ref(Ref&& other) noexcept : pointer_(std::exchange(other.pointer_, nullptr)) {}
  template <typename U>
  Ref(Ref<U> other) : pointer_(other.detach()) {}  // NOLINT(google-explicit-constructor): upcast.
  ~Ref() {
    if (pointer_ != nullptr) pointer_->release();
  }
  Ref& operator=(Ref other) noexcept {
    std::swap(pointer_, other.pointer_);
    return *this;
  }

  // Takes over a reference that the caller owns.
  static Ref adopt(T* pointer) {
    Ref ref;
    ref.pointer_ = pointer;
    return ref;
  }
  // Adds a reference to a borrowed object.
  static Ref share(T* pointer) {
    if (pointer != nullptr) pointer->retain();
    return adopt(pointer);
  }

  T* get() const { return pointer_; }
  T* detach() { return std::exchange(pointer_, nullptr); }
  T* operator->() const { return pointer_; }
  T& operator*() const { return *pointer_; }
  explicit operator bool() const { return pointer_ != nullptr; }

 private:
  T* pointer_ = nullptr;
};

template <typename T, typename... Args>
Ref<T> make_ref(Args&&... args) {
  return Ref<T>::adopt(new T(std::forward<Args>(args)...));
}

}  // namespace halyard::base
