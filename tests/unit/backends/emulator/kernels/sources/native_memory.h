// SPDX-License-Identifier: Apache-2.0
// Atomics and buffers of device.h for this machine, where one work-item runs at a time.
#pragma once

#define ATOMIC(name, result)               \
  template <typename T>                    \
  DEVICE T atomic_##name(T* at, T value) { \
    const T old = *at;                     \
    *at = result;                          \
    return old;                            \
  }                                        \
  template <typename T>                    \
  DEVICE T local_##name(T* at, T value) {  \
    return atomic_##name(at, value);       \
  }
ATOMIC(add, old + value)
ATOMIC(sub, old - value)
ATOMIC(min, old < value ? old : value)
ATOMIC(max, old > value ? old : value)
ATOMIC(and, old& value)
ATOMIC(or, old | value)
ATOMIC(xor, old ^ value)
ATOMIC(exchange, value)
#undef ATOMIC

template <typename T>
DEVICE bool atomic_replace(T* at, T* expected, T value) {
  if (*at != *expected) {
    *expected = *at;
    return false;
  }
  *at = value;
  return true;
}
template <typename T>
DEVICE bool local_replace(T* at, T* expected, T value) {
  return atomic_replace(at, expected, value);
}
template <typename T>
DEVICE T atomic_load(T* at) {
  return *at;
}
DEVICE u32 atomic_wrapping_increment(u32* at, u32 limit) {
  const u32 old = *at;
  *at = old >= limit ? 0 : old + 1;
  return old;
}
DEVICE u32 atomic_wrapping_decrement(u32* at, u32 limit) {
  const u32 old = *at;
  *at = old == 0 || old > limit ? limit : old - 1;
  return old;
}
template <typename T>
DEVICE T* hidden(T* at) {
  return at;
}

// Beyond its end there are zeros, and stores go nowhere.
class Buffer {
 public:
  Buffer(void* at, u32 bytes) : at_(static_cast<u8*>(at)), bytes_(bytes) {}

  u32 load(u32 at) const { return get<u32>(at); }
  Vector<u32, 2> load2(u32 at) const { return {load(at), load(at + 4)}; }
  Vector<u32, 4> load4(u32 at) const {
    return {load(at), load(at + 4), load(at + 8), load(at + 12)};
  }
  u32 load_byte(u32 at) const { return get<u8>(at); }
  u32 load_short(u32 at) const { return get<u16>(at); }
  void store(u32 at, u32 value) const { set(at, value); }
  void store2(u32 at, Vector<u32, 2> value) const {
    store(at, value.x);
    store(at + 4, value.y);
  }
  void store4(u32 at, Vector<u32, 4> value) const {
    store2(at, value.xy);
    store2(at + 8, value.zw);
  }
  void store_byte(u32 at, u32 value) const { set(at, static_cast<u8>(value)); }
  void store_short(u32 at, u32 value) const { set(at, static_cast<u16>(value)); }

 private:
  template <typename T>
  T get(u32 at) const {
    T value = 0;
    if (at + sizeof value <= bytes_) __builtin_memcpy(&value, at_ + at, sizeof value);
    return value;
  }
  template <typename T>
  void set(u32 at, T value) const {
    if (at + sizeof value <= bytes_) __builtin_memcpy(at_ + at, &value, sizeof value);
  }

  u8* at_;
  u32 bytes_;
};
