// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a kernel in HIP C++ includes. It is compiled for the device alone, without a vendor's
// headers or libraries, so this prelude is all that it can use.
//
// The arguments of an entry are those of its stage in kernel.json, in their order: an address is a
// pointer, a value has its own size. The block is one-dimensional, of as many lanes as kernel.json
// says; it is a multiple of kWaveLanes.

using int8_t = signed char;
using int16_t = short;
using int32_t = int;
using int64_t = long;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
using uint64_t = unsigned long;
using size_t = unsigned long;

#define HALYARD_DEVICE static __attribute__((device, always_inline, unused)) inline

// In a class.
#define HALYARD_MEMBER __attribute__((device, always_inline)) inline

// Declares memory of the workgroup within a function: `HALYARD_SHARED float parts[64];`.
#define HALYARD_SHARED __attribute__((shared))

// An entry point for workgroups of `lanes` lanes.
#define HALYARD_ENTRY(name, lanes) \
  extern "C" __attribute__((global, amdgpu_flat_work_group_size(lanes, lanes))) void name

namespace halyard {

#if defined(__GFX9__)
inline constexpr int kWaveLanes = 64;
#else
inline constexpr int kWaveLanes = 32;
#endif

HALYARD_DEVICE int thread_index() {
  return static_cast<int>(__builtin_amdgcn_workitem_id_x());
}
HALYARD_DEVICE int lane_index() {
  return thread_index() % kWaveLanes;
}
// Of the wave in its workgroup; the same in all lanes, which the compiler is told.
HALYARD_DEVICE int wave_index() {
  return static_cast<int>(__builtin_amdgcn_readfirstlane(
      static_cast<int>(__builtin_amdgcn_workitem_id_x()) / kWaveLanes));
}

HALYARD_DEVICE uint32_t group_x() {
  return __builtin_amdgcn_workgroup_id_x();
}
HALYARD_DEVICE uint32_t group_y() {
  return __builtin_amdgcn_workgroup_id_y();
}
HALYARD_DEVICE uint32_t group_z() {
  return __builtin_amdgcn_workgroup_id_z();
}

// The grid in workgroups, from the arguments that the driver adds.
HALYARD_DEVICE uint32_t group_count(int dimension) {
  using Counts = const __attribute__((address_space(4))) uint32_t*;
  return ((Counts)__builtin_amdgcn_implicitarg_ptr())[dimension];
}

// Waits for all waves of the workgroup; what they have written to shared memory is seen by all.
HALYARD_DEVICE void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
}

// The same for memory of the device too.
HALYARD_DEVICE void barrier_and_memory() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

// `value`, which the compiler knows nothing of any more: what is computed from it stays behind this
// place. It is the same in all lanes.
HALYARD_DEVICE uint32_t opaque(uint32_t value) {
  __asm__ volatile("" : "+s"(value));
  return value;
}

// The same for a value that differs from lane to lane.
HALYARD_DEVICE uint32_t opaque_in_lanes(uint32_t value) {
  __asm__ volatile("" : "+v"(value));
  return value;
}

// Linear index of the lane in the first dimension of the grid, and the number of them.
template <int Lanes>
HALYARD_DEVICE uint32_t grid_index() {
  return group_x() * Lanes + static_cast<uint32_t>(thread_index());
}
template <int Lanes>
HALYARD_DEVICE uint32_t grid_size() {
  return group_count(0) * Lanes;
}

template <typename E>
HALYARD_DEVICE constexpr E min(E a, E b) {
  return b < a ? b : a;
}

template <typename E>
HALYARD_DEVICE constexpr E max(E a, E b) {
  return a < b ? b : a;
}

HALYARD_DEVICE constexpr int64_t ceil_div(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

template <typename E, int N>
using Vector = E __attribute__((ext_vector_type(N)));

}  // namespace halyard
