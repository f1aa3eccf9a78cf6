// SPDX-License-Identifier: Apache-2.0
// c = a * b, each of n * n floats, n a multiple of 64. A workgroup of 64 work-items makes a tile of
// 64 * 64, each work-item 8 * 8 of it in registers.

using Float4 = float __attribute__((ext_vector_type(4)));

constexpr unsigned kTile = 64;
constexpr unsigned kDepth = 8;
constexpr unsigned kBlock = 8;

extern "C" __attribute__((global, amdgpu_flat_work_group_size(64, 64))) void gemm(
    const float* __restrict a, const float* __restrict b, float* __restrict c, unsigned n) {
  __attribute__((shared)) static float a_tile[kDepth][kTile];
  __attribute__((shared)) static float b_tile[kDepth][kTile];
  const unsigned item = __builtin_amdgcn_workitem_id_x();
  const unsigned row = __builtin_amdgcn_workgroup_id_y() * kTile;
  const unsigned column = __builtin_amdgcn_workgroup_id_x() * kTile;
  const unsigned block_row = item / 8 * kBlock;
  const unsigned block_column = item % 8 * kBlock;
  float sums[kBlock][kBlock] = {};
  for (unsigned depth = 0; depth < n; depth += kDepth) {
    for (unsigned k = 0; k < kDepth; ++k) {
      a_tile[k][item] = a[(row + item) * n + depth + k];
      b_tile[k][item] = b[(depth + k) * n + column + item];
    }
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
#pragma unroll
    for (unsigned k = 0; k < kDepth; ++k) {
      float left[kBlock];
      float right[kBlock];
#pragma unroll
      for (unsigned i = 0; i < kBlock; i += 4) {
        *reinterpret_cast<Float4*>(&left[i]) =
            *reinterpret_cast<const Float4*>(&a_tile[k][block_row + i]);
        *reinterpret_cast<Float4*>(&right[i]) =
            *reinterpret_cast<const Float4*>(&b_tile[k][block_column + i]);
      }
#pragma unroll
      for (unsigned i = 0; i < kBlock; ++i)
#pragma unroll
        for (unsigned j = 0; j < kBlock; ++j)
          sums[i][j] = __builtin_fmaf(left[i], right[j], sums[i][j]);
    }
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  }
#pragma unroll
  for (unsigned i = 0; i < kBlock; ++i)
#pragma unroll
    for (unsigned j = 0; j < kBlock; ++j)
      c[(row + block_row + i) * n + column + block_column + j] = sums[i][j];
}
