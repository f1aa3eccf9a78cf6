/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_QUEUE_H_
#define HALYARD_QUEUE_H_

#include "halyard/buffer.h"
#include "halyard/device.h"
#include "halyard/export.h"
#include "halyard/semaphore.h"
#include "halyard/status.h"

#include <stdint.h>

HALYARD_BEGIN_DECLS

/* Work on one device in order: each command sees the results of those before it. A
 * CPU queue executes inside the call that enqueues, unless it waits for a semaphore. Work keeps
 * what it uses alive.
 *
 * Threads: a queue is used by one thread at a time; different queues, of one device too, by any
 * number at once. This holds for every function below that takes a queue. */
typedef struct halyard_queue halyard_queue;

typedef enum halyard_clock {
  HALYARD_CLOCK_HOST = 1,   /* CLOCK_MONOTONIC, noted when the work was seen to be done. */
  HALYARD_CLOCK_DEVICE = 2, /* Timestamps that the device wrote. */
  HALYARD_CLOCK_FORCE_32_BIT = 0x7fffffff
} halyard_clock;

#define HALYARD_QUEUE_TIMESTAMP_SLOTS 256u

/* Creates a queue. *out_queue receives one reference.
 *
 * Threads: any number at once.
 * Errors: INVALID_ARGUMENT; OUT_OF_MEMORY; DEVICE_LOST. */
HALYARD_API halyard_status halyard_queue_create(halyard_device* device, halyard_queue** out_queue);

/* Adds or drops a reference; release takes NULL. The last one flushes and does not wait: work that
 * was enqueued is still done.
 *
 * Threads: any. */
HALYARD_API void halyard_queue_retain(halyard_queue* queue);
HALYARD_API void halyard_queue_release(halyard_queue* queue);

/* Copies between two buffers of the queue's device; ranges of one buffer must not overlap.
 *
 * Threads: see halyard_queue.
 * Errors: INVALID_ARGUMENT; DEVICE_LOST. */
HALYARD_API halyard_status halyard_queue_copy(halyard_queue* queue, halyard_buffer* source,
                                              uint64_t source_offset_bytes,
                                              halyard_buffer* destination,
                                              uint64_t destination_offset_bytes,
                                              uint64_t size_bytes);

/* Fills a range with a repeated 32-bit pattern; offset and size are multiples of 4.
 *
 * Threads: see halyard_queue.
 * Errors: INVALID_ARGUMENT; DEVICE_LOST. */
HALYARD_API halyard_status halyard_queue_fill(halyard_queue* queue, halyard_buffer* buffer,
                                              uint64_t offset_bytes, uint64_t size_bytes,
                                              uint32_t pattern);

/* Later commands start once `semaphore` has reached `value`. The wait may come before its signal
 * is submitted: Vulkan holds the submission on the host until the signal is submitted or reached,
 * the CPU hands the queue to a thread of its own.
 *
 * Threads: see halyard_queue.
 * Errors: INVALID_ARGUMENT for a semaphore of another device; DEVICE_LOST. */
HALYARD_API halyard_status halyard_queue_wait(halyard_queue* queue, halyard_semaphore* semaphore,
                                              uint64_t value);

/* `semaphore` takes `value` once all earlier commands are done.
 *
 * Threads: see halyard_queue.
 * Errors: INVALID_ARGUMENT for a semaphore of another device or a value that does not grow;
 * DEVICE_LOST. */
HALYARD_API halyard_status halyard_queue_signal(halyard_queue* queue, halyard_semaphore* semaphore,
                                                uint64_t value);

/* Hands everything enqueued so far to the device, without waiting.
 *
 * Threads: see halyard_queue.
 * Errors: OUT_OF_MEMORY; DEVICE_LOST. */
HALYARD_API halyard_status halyard_queue_flush(halyard_queue* queue);

/* Flushes, and blocks until all is done. What fails behind a wait, after the call that enqueued it,
 * is told here: the first such failure since the last time, with its own status.
 *
 * Threads: see halyard_queue.
 * Errors: DEADLINE_EXCEEDED after `timeout_ns`, the work goes on; those of halyard_queue_flush and
 * of commands behind a wait; DEVICE_LOST. */
HALYARD_API halyard_status halyard_queue_synchronize(halyard_queue* queue, uint64_t timeout_ns);

/* Notes in `slot` the time at which all earlier commands are done.
 *
 * Threads: see halyard_queue.
 * Errors: INVALID_ARGUMENT for a slot ≥ HALYARD_QUEUE_TIMESTAMP_SLOTS; DEVICE_LOST. */
HALYARD_API halyard_status halyard_queue_write_timestamp(halyard_queue* queue, uint32_t slot);

/* The time of a slot in nanoseconds since an arbitrary start, after halyard_queue_synchronize,
 * and the clock it comes from (halyard_clock). Differences between slots of one queue mean
 * something; nothing else does.
 *
 * Threads: see halyard_queue.
 * Errors: INVALID_ARGUMENT for a slot that was not written; UNAVAILABLE while the work before it is
 * not done; DEVICE_LOST. */
HALYARD_API halyard_status halyard_queue_read_timestamp(halyard_queue* queue, uint32_t slot,
                                                        uint64_t* out_time_ns, uint32_t* out_clock);

HALYARD_END_DECLS

#endif
