// SPDX-License-Identifier: Apache-2.0
// Kernels of the tests, built as a kernel is: no library, no header of the system.
#include "kernel-store/prelude/c++/1/halyard_kernel.h"

// Adds one to counts[group] and notes the thread in threads[group].
HALYARD_ENTRY(count_groups) {
  halyard::Arguments next(arguments);
  auto* counts = next.pointer<uint32_t>();
  auto* threads = next.pointer<uint32_t>();
  for (uint64_t i = range->begin; i < range->end; ++i) {
    counts[i] += 1;
    threads[i] = range->thread;
  }
}

// y[group] = factor * x[group] + offset.
HALYARD_ENTRY(scale) {
  halyard::Arguments next(arguments);
  auto* x = next.pointer<const float>();
  auto* y = next.pointer<float>();
  const float factor = next.f32();
  const int64_t offset = next.integer();
  for (uint64_t i = range->begin; i < range->end; ++i)
    y[i] = factor * x[i] + static_cast<float>(offset);
}

HALYARD_ENTRY(do_nothing) {
  (void)arguments;
  (void)range;
}
