// SPDX-License-Identifier: Apache-2.0
// What compilers make of ordinary kernels: memory, shared memory, division with its changes of the
// denormal mode, loops, calls, tables of constants, registers given back at the end.
#include "device.h"

DEVICE const float kTable[4] = {1.5f, 2.5f, 3.5f, 4.5f};

KERNEL saxpy(const float* x, float* y, float a, i64 n) {
  const u32 i = index();
  if (i < n) y[i] = a * x[i] + y[i] * kTable[i & 3];
}

KERNEL divide(const float* x, float* y) {
  y[index()] = x[index()] / y[index()];
}

KERNEL reduce(const float* x, float* y, u32 n) {
  SHARED static float partial[256];
  float sum = 0;
  for (u32 i = lane(); i < n; i += 256) sum += x[i];
  partial[lane()] = sum;
  for (u32 step = 128; step > 0; step /= 2) {
    barrier();
    if (lane() < step) partial[lane()] += partial[lane() + step];
  }
  if (lane() == 0) *y = partial[0];
}

__attribute__((noinline)) DEVICE float called(float x, float* y, u32 n) {
  for (u32 i = 0; i < n; ++i) x = x * y[i] + float(i);
  return x;
}

KERNEL calls(const float* x, float* y, u32 n) {
  y[index()] = called(x[index()], y, n) + called(2.0f, y + 1, n + 1);
}

KERNEL choose(const float* x, float* y, u32 n) {
  switch (n) {
    case 0: y[index()] = x[0]; break;
    case 1: y[index()] = x[1] * 2; break;
    case 2: y[index()] = x[2] + 7; break;
    case 3: y[index()] -= x[3]; break;
    case 4: y[index()] *= x[4]; break;
    default: y[index()] = __builtin_sqrtf(x[n]); break;
  }
}
