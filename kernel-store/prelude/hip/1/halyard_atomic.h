// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard_kernel.h"

// Atomic operations on memory of the device, in no order with other accesses. Each gives the value
// from before.

namespace halyard {

HALYARD_DEVICE uint32_t atomic_add(uint32_t* at, uint32_t value) {
  return __hip_atomic_fetch_add(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
HALYARD_DEVICE int32_t atomic_add(int32_t* at, int32_t value) {
  return __hip_atomic_fetch_add(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
HALYARD_DEVICE float atomic_add(float* at, float value) {
  return __hip_atomic_fetch_add(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
HALYARD_DEVICE uint32_t atomic_max(uint32_t* at, uint32_t value) {
  return __hip_atomic_fetch_max(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
HALYARD_DEVICE uint32_t atomic_exchange(uint32_t* at, uint32_t value) {
  return __hip_atomic_exchange(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
// Stores `wanted` where the value is `expected`.
HALYARD_DEVICE uint32_t atomic_compare_exchange(uint32_t* at, uint32_t expected, uint32_t wanted) {
  __hip_atomic_compare_exchange_strong(at, &expected, wanted, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                       __HIP_MEMORY_SCOPE_AGENT);
  return expected;
}

// The same in shared memory, seen by the workgroup.
HALYARD_DEVICE uint32_t shared_atomic_add(uint32_t* at, uint32_t value) {
  return __hip_atomic_fetch_add(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
HALYARD_DEVICE float shared_atomic_add(float* at, float value) {
  return __hip_atomic_fetch_add(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}

}  // namespace halyard
