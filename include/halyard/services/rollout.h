/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_SERVICES_ROLLOUT_H_
#define HALYARD_SERVICES_ROLLOUT_H_

#include "halyard/export.h"
#include "halyard/services/document.h"
#include "halyard/services/store.h"
#include "halyard/status.h"

#include <stdint.h>

HALYARD_BEGIN_DECLS

/* Advances the newest promotion of a kernel for a target that began with a share of the hosts: what
 * devices have found since then takes it back when one failed, and lets it reach all hosts once
 * `least_devices` (0: 2) have passed. `kernel` as in halyard_store_history(); `target` is not NULL.
 * *out_rollout receives one reference to a "halyard.rollout/1" document: kernel, target, step
 * ("none", "waits", "widened", "taken-back"), passed_devices and the sentence that says why.
 *
 * Threads: any number at once, and any number of processes: one of them makes the step.
 * Errors: INVALID_ARGUMENT; NOT_FOUND; PERMISSION_DENIED; UNAVAILABLE. */
HALYARD_API halyard_status halyard_store_advance_rollout(halyard_store* store, const char* kernel,
                                                         const char* target, uint32_t least_devices,
                                                         halyard_document** out_rollout);

HALYARD_END_DECLS

#endif
