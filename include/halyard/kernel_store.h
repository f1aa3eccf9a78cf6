/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_KERNEL_STORE_H_
#define HALYARD_KERNEL_STORE_H_

#include "halyard/export.h"
#include "halyard/instance.h"
#include "halyard/status.h"

#include <stddef.h>
#include <stdint.h>

HALYARD_BEGIN_DECLS

/* The kernels of an instance: the bundled ones, read-only, below those of its store. The store says
 * in which state each is; the user's policy, trusted keys and lock file say which may be chosen.
 * Texts are JSON by the text protocol of halyard_instance_report. */

/* A number that grows when this instance adds to the store something that may change a choice;
 * poll it to decide on halyard_operation_refresh. What other processes add does not raise it. Costs
 * no system call.
 *
 * Threads: any number at once. */
HALYARD_API uint64_t halyard_instance_store_generation(halyard_instance* instance);

/* The kernels of `contract` (NULL: of all): name, id, version, targets, types, origin and the
 * states recorded ("halyard.kernels/1").
 *
 * Threads: any number at once.
 * Errors: INVALID_ARGUMENT; NOT_FOUND; IO_ERROR. */
HALYARD_API halyard_status halyard_kernel_store_list(halyard_instance* instance,
                                                     const char* contract, size_t capacity,
                                                     char* out_text, size_t* out_size);

/* One kernel by its id, 8 or more leading digits of it, or its name: record, builds, states,
 * approvals and evidence ("halyard.kernel-detail/1").
 *
 * Threads: any number at once.
 * Errors: INVALID_ARGUMENT when several match; NOT_FOUND; IO_ERROR. */
HALYARD_API halyard_status halyard_kernel_store_show(halyard_instance* instance, const char* kernel,
                                                     size_t capacity, char* out_text,
                                                     size_t* out_size);

HALYARD_END_DECLS

#endif
