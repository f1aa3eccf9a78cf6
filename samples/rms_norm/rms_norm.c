/* SPDX-License-Identifier: Apache-2.0 */
#include "halyard/halyard.h"

#include <stdio.h>

#define TRY(call) \
  if (call) return fprintf(stderr, "%s\n", halyard_last_error_message()), 1

int main(void) {
  const float x[4] = {1, 2, 3, 4}, weight[4] = {1, 1, 1, 1};
  float y[4];
  const int64_t batch = 1;
  const halyard_type_binding type = {"T", HALYARD_TYPE_F32};
  const halyard_axis hidden = {"hidden", 4};
  halyard_instance* instance;
  halyard_device* device;
  halyard_operation* operation;
  halyard_queue* queue;
  halyard_buffer* buffer;
  halyard_operation_desc norm = HALYARD_OPERATION_DESC_INIT;
  halyard_buffer_desc size = HALYARD_BUFFER_DESC_INIT;
  halyard_launch launch = HALYARD_LAUNCH_INIT;
  norm.contract = "rms_norm", norm.types = &type, norm.type_count = 1;
  norm.axes = &hidden, norm.axis_count = 1, size.size_bytes = 768;
  TRY(halyard_instance_create(NULL, &instance));
  TRY(halyard_device_get(instance, NULL, &device)); /* The best one that is not software. */
  TRY(halyard_operation_prepare(device, &norm, &operation));
  TRY(halyard_queue_create(device, &queue));
  TRY(halyard_buffer_create(device, &size, &buffer));
  TRY(halyard_buffer_write(buffer, 0, x, sizeof x));
  TRY(halyard_buffer_write(buffer, 256, weight, sizeof weight));
  const halyard_view views[3] = {
      {buffer, 0, 16, NULL}, {buffer, 256, 16, NULL}, {buffer, 512, 16, NULL}};
  launch.views = views, launch.view_count = 3, launch.axes = &batch, launch.axis_count = 1;
  TRY(halyard_operation_enqueue(operation, queue, &launch));
  TRY(halyard_queue_synchronize(queue, HALYARD_TIMEOUT_FOREVER));
  TRY(halyard_buffer_read(buffer, 512, y, sizeof y));
  return printf("%f %f %f %f\n", y[0], y[1], y[2], y[3]) < 0;
}
