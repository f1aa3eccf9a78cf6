// SPDX-License-Identifier: Apache-2.0
#pragma once

// The ABI of a CPU kernel. A kernel is one translation unit, compiled without any system header
// and linked without any library, so this prelude is all that it can use.

using int8_t = signed char;
using int16_t = short;
using int32_t = int;
using int64_t = long;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
using uint64_t = unsigned long;
using size_t = unsigned long;

static_assert(sizeof(int64_t) == 8 && sizeof(void*) == 8, "CPU kernels are 64-bit code.");

// One contiguous range of groups, run by one thread. Groups are numbered with x fastest:
// index = x + grid[0] * (y + grid[1] * z).
struct halyard_range {
  uint64_t begin;
  uint64_t end;
  uint32_t grid[3];
  uint32_t thread;
  uint32_t thread_count;
  void* scratch;  // Private to the thread, 64-byte aligned, contents undefined.
  uint64_t scratch_bytes;
};

#define HALYARD_INLINE static inline __attribute__((always_inline, unused))

// An entry point. `arguments` holds one 8-byte slot for each element of the stage's "arguments".
#define HALYARD_ENTRY(name)                                                              \
  extern "C" __attribute__((visibility("default"))) void name(const uint64_t* arguments, \
                                                              const halyard_range* range)

namespace halyard {

// Reads the slots in the order of kernel.json: `auto x = next.pointer<const T>();`.
class Arguments {
 public:
  explicit Arguments(const uint64_t* slots) : slot_(slots) {}

  template <typename E>
  E* pointer() {
    return reinterpret_cast<E*>(*slot_++);
  }
  int64_t integer() { return static_cast<int64_t>(*slot_++); }
  float f32() { return __builtin_bit_cast(float, static_cast<uint32_t>(*slot_++)); }

 private:
  const uint64_t* slot_;
};

template <typename E>
HALYARD_INLINE constexpr E min(E a, E b) {
  return b < a ? b : a;
}

template <typename E>
HALYARD_INLINE constexpr E max(E a, E b) {
  return a < b ? b : a;
}

HALYARD_INLINE constexpr int64_t ceil_div(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

}  // namespace halyard

// The compiler may turn the copy or the zeroing of an aggregate into these calls.
extern "C" {
__attribute__((visibility("hidden"), weak, used, no_builtin)) inline void* memcpy(void* to,
                                                                                  const void* from,
                                                                                  size_t count) {
  void* result = to;
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
  return result;
}

__attribute__((visibility("hidden"), weak, used, no_builtin)) inline void* memset(void* to,
                                                                                  int value,
                                                                                  size_t count) {
  void* result = to;
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(value) : "memory");
  return result;
}
}
