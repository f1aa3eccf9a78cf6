/* SPDX-License-Identifier: Apache-2.0 */

/* Answers like the stub of libcuda.so that a CUDA toolkit installs for linking. */
int cuInit(unsigned flags);
int cuGetErrorName(int code, const char** name);

int cuInit(unsigned flags) {
  (void)flags;
  return 34;
}

int cuGetErrorName(int code, const char** name) {
  *name = code == 34 ? "CUDA_ERROR_STUB_LIBRARY" : "CUDA_ERROR_UNKNOWN";
  return 0;
}
