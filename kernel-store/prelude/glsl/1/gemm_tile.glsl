// SPDX-License-Identifier: Apache-2.0
// Dot products of ROWS rows of A with COLUMNS rows of B, in registers. A kernel includes this once
// for each tile, having defined ROWS, COLUMNS, the name TILE, and how to load four neighbouring
// elements as vec4, from element begin + 4 * k4 on:
//   LOAD_A(begin, k4)      LOAD_B(begin, k4)
// TILE(a_begin, b_begin, first_k4, step_k4, end_k4, sums) takes the first elements of the rows, and
// adds the products over every step_k4-th four of elements to sums[row * COLUMNS + column]. The
// arrays are as long as the largest tile, of HALYARD_TILE_ROWS rows, needs. ROWS, COLUMNS, TILE and
// the loads are undefined again at the end.

void TILE(uint a_begin[HALYARD_TILE_ROWS], uint b_begin[COLUMNS], uint first_k4, uint step_k4,
          uint end_k4, inout float sums[HALYARD_TILE_ROWS * COLUMNS]) {
  for (uint k4 = first_k4; k4 < end_k4; k4 += step_k4) {
    vec4 b[COLUMNS];
    [[unroll]] for (uint column = 0; column < COLUMNS; ++column) {
      b[column] = LOAD_B(b_begin[column], k4);
    }
    [[unroll]] for (uint row = 0; row < ROWS; ++row) {
      vec4 a = LOAD_A(a_begin[row], k4);
      [[unroll]] for (uint column = 0; column < COLUMNS; ++column) {
        float sum = sums[row * COLUMNS + column];
        sum = fma(a.x, b[column].x, sum);
        sum = fma(a.y, b[column].y, sum);
        sum = fma(a.z, b[column].z, sum);
        sums[row * COLUMNS + column] = fma(a.w, b[column].w, sum);
      }
    }
  }
}

#undef ROWS
#undef COLUMNS
#undef TILE
#undef LOAD_A
#undef LOAD_B
