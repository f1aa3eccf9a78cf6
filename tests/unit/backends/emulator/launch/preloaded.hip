// SPDX-License-Identifier: Apache-2.0
// A kernel whose arguments are in registers at its start.

extern "C" __attribute__((global)) void preloaded(unsigned* out, unsigned a, unsigned b) {
  out[__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x()] =
      a * 100 + b + __builtin_amdgcn_workgroup_id_x();
}
