/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_SEQUENCE_H_
#define HALYARD_SEQUENCE_H_

#include "halyard/export.h"
#include "halyard/operation.h"
#include "halyard/queue.h"
#include "halyard/status.h"

#include <stdint.h>

HALYARD_BEGIN_DECLS

/* A chain of launches recorded once and replayed, each seeing the results of those before it.
 * The sequence keeps operations, buffers and constants alive.
 *
 * Threads: one at a time per sequence. This holds for every function below that takes one. */
typedef struct halyard_sequence halyard_sequence;

/* Creates an empty sequence. *out_sequence receives one reference.
 *
 * Threads: any number at once.
 * Errors: INVALID_ARGUMENT. */
HALYARD_API halyard_status halyard_sequence_create(halyard_device* device,
                                                   halyard_sequence** out_sequence);

/* Adds or drops a reference; release takes NULL.
 *
 * Threads: any. */
HALYARD_API void halyard_sequence_retain(halyard_sequence* sequence);
HALYARD_API void halyard_sequence_release(halyard_sequence* sequence);

/* Appends a launch; *out_index (may be NULL) receives its place. The launch is checked as by
 * halyard_operation_enqueue and copied.
 *
 * Threads: see halyard_sequence.
 * Errors: as halyard_operation_enqueue. */
HALYARD_API halyard_status halyard_sequence_add(halyard_sequence* sequence,
                                                halyard_operation* operation,
                                                const halyard_launch* launch, uint32_t* out_index);

/* Replaces the views, axes and scalars of one launch; the next replay uses them.
 *
 * Threads: see halyard_sequence.
 * Errors: as halyard_operation_enqueue; the launch is unchanged then. */
HALYARD_API halyard_status halyard_sequence_update(halyard_sequence* sequence, uint32_t index,
                                                   const halyard_launch* launch);

/* Adds the whole chain to `queue`. It is recorded at the first call after an add or update, and
 * only replayed after that.
 *
 * Threads: see halyard_sequence and halyard_queue.
 * Errors: INVALID_ARGUMENT for a queue of another device; as halyard_operation_enqueue where a
 * refresh has changed a kernel since; KERNEL_FAULT where an emulated device has stopped a kernel,
 * with what it did; OUT_OF_MEMORY; DEVICE_LOST. */
HALYARD_API halyard_status halyard_sequence_enqueue(halyard_sequence* sequence,
                                                    halyard_queue* queue);

HALYARD_END_DECLS

#endif
