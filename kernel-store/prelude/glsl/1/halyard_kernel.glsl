// SPDX-License-Identifier: Apache-2.0
// What a GLSL kernel includes, directly after its #version line.
//
// Tensors are storage buffers of set 0; scalars, axes and strides (in elements) are push constants.
// Values are computed in float and rounded once, when they are stored.
#ifndef HALYARD_KERNEL_GLSL
#define HALYARD_KERNEL_GLSL

#extension GL_EXT_control_flow_attributes : require

#include "math.glsl"
#include "types.glsl"

// Linear index of the workgroup, and their number, in a grid of up to two dimensions: 65535 groups
// per dimension is all that a device need offer.
uint halyard_group_index() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }
uint halyard_group_count() { return gl_NumWorkGroups.x * gl_NumWorkGroups.y; }

// Linear index of the invocation, and their number. Macros, because gl_WorkGroupSize is 1 to any
// function that stands before the layout of the local size.
#define halyard_invocation_index() \
  (halyard_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationID.x)
#define halyard_invocation_count() (halyard_group_count() * gl_WorkGroupSize.x)

#endif
