/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the median time of creating an instance, and the time from creating an instance
 * to the end of the first launch on the CPU, self-test included, in this fresh process with an
 * empty store: instance_create_bench [MOST_CREATE_MS MOST_DISPATCH_MS]. Exits with 1 above those.
 */
/* NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): POSIX names it. */
#define _POSIX_C_SOURCE 200809L
#include "halyard/halyard.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { kCreations = 200, kHidden = 4096 };

static double now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int compare(const void* left, const void* right) {
  const double a = *(const double*)left;
  const double b = *(const double*)right;
  return (a > b) - (a < b);
}

static void check(halyard_status status) {
  if (status == HALYARD_STATUS_OK) return;
  fprintf(stderr, "%s: %s\n", halyard_status_name(status), halyard_last_error_message());
  exit(1);
}

static double median_creation_ms(void) {
  static double times[kCreations];
  for (int i = 0; i < kCreations; ++i) {
    halyard_instance* instance = NULL;
    const double start = now_ms();
    check(halyard_instance_create(NULL, &instance));
    times[i] = now_ms() - start;
    halyard_instance_release(instance);
  }
  qsort(times, kCreations, sizeof times[0], compare);
  return times[kCreations / 2];
}

static void run_rms_norm(halyard_device* device) {
  const halyard_type_binding type = {"T", HALYARD_TYPE_F32};
  const halyard_axis axis = {"hidden", kHidden};
  halyard_operation_desc desc = HALYARD_OPERATION_DESC_INIT;
  desc.contract = "rms_norm";
  desc.type_count = 1;
  desc.types = &type;
  desc.axis_count = 1;
  desc.axes = &axis;
  halyard_operation* operation = NULL;
  check(halyard_operation_prepare(device, &desc, &operation));

  halyard_view views[3] = {{NULL, 0, 0, NULL}, {NULL, 0, 0, NULL}, {NULL, 0, 0, NULL}};
  halyard_buffer_desc buffer = HALYARD_BUFFER_DESC_INIT;
  buffer.size_bytes = kHidden * sizeof(float);
  for (int i = 0; i < 3; ++i)
    check(halyard_buffer_create(device, &buffer, &views[i].buffer));
  const int64_t batch = 1;
  halyard_launch launch = HALYARD_LAUNCH_INIT;
  launch.view_count = 3;
  launch.views = views;
  launch.axis_count = 1;
  launch.axes = &batch;
  halyard_queue* queue = NULL;
  check(halyard_queue_create(device, &queue));
  for (int i = 0; i < 2; ++i)
    check(halyard_queue_fill(queue, views[i].buffer, 0, buffer.size_bytes, 0x3f800000u));
  check(halyard_operation_enqueue(operation, queue, &launch));
  check(halyard_queue_synchronize(queue, HALYARD_TIMEOUT_FOREVER));

  halyard_queue_release(queue);
  for (int i = 0; i < 3; ++i)
    halyard_buffer_release(views[i].buffer);
  halyard_operation_release(operation);
}

static double first_dispatch_ms(void) {
  halyard_instance_desc desc = HALYARD_INSTANCE_DESC_INIT;
  desc.store_url = "memory:";
  const double start = now_ms();
  halyard_instance* instance = NULL;
  halyard_device* device = NULL;
  check(halyard_instance_create(&desc, &instance));
  check(halyard_device_get(instance, "cpu:0", &device));
  run_rms_norm(device);
  const double time = now_ms() - start;
  halyard_device_release(device);
  halyard_instance_release(instance);
  return time;
}

int main(int argc, char** argv) {
  const double dispatch = first_dispatch_ms();
  const double creation = median_creation_ms();
  printf("instance creation: median %.3f ms of %d\n", creation, (int)kCreations);
  printf("first CPU dispatch of the process, instance and self-test included: %.3f ms\n", dispatch);
  if (argc != 3) return 0;
  return creation < atof(argv[1]) && dispatch < atof(argv[2]) ? 0 : 1;
}
