// SPDX-License-Identifier: Apache-2.0
// Reductions over a workgroup of any power of two of invocations, without subgroup operations.
// Include after the layout of the local size; all invocations of the workgroup must call.
#ifndef HALYARD_REDUCE_GLSL
#define HALYARD_REDUCE_GLSL

shared float halyard_partial[gl_WorkGroupSize.x];

// The sum of `value`, given to every invocation; added in the same order each time.
float halyard_workgroup_sum(float value) {
  uint lane = gl_LocalInvocationID.x;
  halyard_partial[lane] = value;
  barrier();
  for (uint step = gl_WorkGroupSize.x / 2; step > 0; step /= 2) {
    if (lane < step) halyard_partial[lane] += halyard_partial[lane + step];
    barrier();
  }
  float sum = halyard_partial[0];
  barrier();
  return sum;
}

// The largest `value`, none of which is NaN.
float halyard_workgroup_max(float value) {
  uint lane = gl_LocalInvocationID.x;
  halyard_partial[lane] = value;
  barrier();
  for (uint step = gl_WorkGroupSize.x / 2; step > 0; step /= 2) {
    if (lane < step) {
      halyard_partial[lane] = max(halyard_partial[lane], halyard_partial[lane + step]);
    }
    barrier();
  }
  float largest = halyard_partial[0];
  barrier();
  return largest;
}

#endif
