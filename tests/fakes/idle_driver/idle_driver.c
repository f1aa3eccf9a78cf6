/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

/* Answers what the probes of CUDA and HIP ask: version, two devices, and an error on request. */
void fake_answer(int code);
int cuInit(unsigned flags);
int cuDriverGetVersion(int* version);
int cuDeviceGetCount(int* count);
int cuGetErrorName(int code, const char** name);
int hipInit(unsigned flags);
int hipDriverGetVersion(int* version);
int hipGetDeviceCount(int* count);
const char* hipGetErrorName(int code);

static int answer = 0;

/* What the queries answer from now on; 0 is success. */
void fake_answer(int code) {
  answer = code;
}

static int give(int value, int* out) {
  if (answer == 0) *out = value;
  return answer;
}

int cuInit(unsigned flags) {
  (void)flags;
  return 0;
}

int cuDriverGetVersion(int* version) {
  return give(12040, version);
}

int cuDeviceGetCount(int* count) {
  return give(2, count);
}

int cuGetErrorName(int code, const char** name) {
  *name = code == 3 ? "CUDA_ERROR_NOT_INITIALIZED" : NULL;
  return *name == NULL ? 1 : 0;
}

int hipInit(unsigned flags) {
  (void)flags;
  return 0;
}

int hipDriverGetVersion(int* version) {
  return give(50221153, version);
}

int hipGetDeviceCount(int* count) {
  return give(2, count);
}

const char* hipGetErrorName(int code) {
  return code == 100 ? "hipErrorNoDevice" : NULL;
}
