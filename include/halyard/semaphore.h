/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_SEMAPHORE_H_
#define HALYARD_SEMAPHORE_H_

#include "halyard/device.h"
#include "halyard/export.h"
#include "halyard/status.h"

#include <stdint.h>

HALYARD_BEGIN_DECLS

/* A timeline: a 64-bit value that only grows, signalled and awaited by queues and by the host. */
typedef struct halyard_semaphore halyard_semaphore;

#define HALYARD_TIMEOUT_FOREVER UINT64_MAX

/* Creates a semaphore for the queues of `device`. *out_semaphore receives one reference.
 *
 * Threads: any number at once.
 * Errors: INVALID_ARGUMENT; OUT_OF_MEMORY. */
HALYARD_API halyard_status halyard_semaphore_create(halyard_device* device, uint64_t initial_value,
                                                    halyard_semaphore** out_semaphore);

/* Adds or drops a reference; release takes NULL. Once neither an application nor enqueued work can
 * signal a value any more, a CPU queue that waits for it drops what is behind the wait, and says so
 * in halyard_queue_synchronize.
 *
 * Threads: any. */
HALYARD_API void halyard_semaphore_retain(halyard_semaphore* semaphore);
HALYARD_API void halyard_semaphore_release(halyard_semaphore* semaphore);

/* The value reached so far.
 *
 * Threads: any number at once.
 * Errors: DEVICE_LOST. */
HALYARD_API halyard_status halyard_semaphore_value(halyard_semaphore* semaphore,
                                                   uint64_t* out_value);

/* Raises the value from the host.
 *
 * Threads: any number at once.
 * Errors: INVALID_ARGUMENT when `value` is not above the present one; DEVICE_LOST. */
HALYARD_API halyard_status halyard_semaphore_signal(halyard_semaphore* semaphore, uint64_t value);

/* Blocks until `value` is reached.
 *
 * Threads: any number at once.
 * Errors: DEADLINE_EXCEEDED after `timeout_ns`; DEVICE_LOST. */
HALYARD_API halyard_status halyard_semaphore_wait(halyard_semaphore* semaphore, uint64_t value,
                                                  uint64_t timeout_ns);

HALYARD_END_DECLS

#endif
