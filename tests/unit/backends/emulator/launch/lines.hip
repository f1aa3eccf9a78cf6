// SPDX-License-Identifier: Apache-2.0
// A kernel with line numbers; the test knows the line of the store.

extern "C" __attribute__((global)) void store_beyond(unsigned* out) {
  const unsigned item = __builtin_amdgcn_workitem_id_x();
  out[item + 1000] = item;
}
