/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_SERVICES_WORKER_H_
#define HALYARD_SERVICES_WORKER_H_

#include "halyard/device.h"
#include "halyard/export.h"
#include "halyard/services/verification.h"
#include "halyard/status.h"

#include <stdint.h>

HALYARD_BEGIN_DECLS

typedef enum halyard_worker_event {
  HALYARD_WORKER_EVENT_READY = 1,     /* Store and devices. */
  HALYARD_WORKER_EVENT_CLAIMED = 2,   /* A request, and what for. */
  HALYARD_WORKER_EVENT_SETTLED = 3,   /* The verdict is in the store. */
  HALYARD_WORKER_EVENT_LOST = 4,      /* Another has the request; the verdict is dropped. */
  HALYARD_WORKER_EVENT_WAITING = 5,   /* The store cannot be used now; it is asked again. */
  HALYARD_WORKER_EVENT_GAVE_BACK = 6, /* The request is open again, for the worker was stopped or
                                       * could not work. */
  HALYARD_WORKER_EVENT_FORCE_32_BIT = 0x7fffffff
} halyard_worker_event;

/* One sentence for each event. Called on any thread of the worker, by one at a time. */
typedef void (*halyard_worker_callback)(void* user_data, uint32_t event, const char* sentence);

/* Whether the worker shall end: not 0 when it shall. Asked a few times a second, on any thread. */
typedef uint32_t (*halyard_worker_stop_callback)(void* user_data);

typedef struct halyard_worker_desc {
  uint32_t struct_size;               /* Set by HALYARD_WORKER_DESC_INIT. */
  uint32_t once;                      /* 1: end when no request is left that the devices can do. */
  const char* store;                  /* Its URL: "postgresql://…", a path, or "sqlite:<path>". */
  halyard_device* const* devices;     /* Of one instance; borrowed. */
  uint32_t device_count;              /* Not 0. */
  uint32_t metrics_port;              /* Of the metrics, on 127.0.0.1 only; 0: none. */
  uint32_t lease_ms;                  /* Of a claim, in full seconds; 0: 60 seconds. */
  uint32_t least_isolation;           /* halyard_isolation. */
  uint32_t times;                     /* 1: with the stage of timing. */
  uint32_t reserved;                  /* 0. */
  const char* worker;                 /* The program of the sandbox; NULL: as installed. */
  halyard_worker_callback callback;   /* May be NULL. */
  halyard_worker_stop_callback stops; /* May be NULL. */
  void* user_data;                    /* Of both. */
} halyard_worker_desc;

#define HALYARD_WORKER_DESC_INIT \
  { sizeof(halyard_worker_desc), 0, NULL, NULL, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL }

/* Claims requests for verification from a store, verifies the kernels in it on the devices, and
 * settles each with its evidence and the states that follow, which the store takes only while the
 * claim holds. A claim is renewed while the verification runs. When the worker shall end, the claim
 * that it holds is given back within a second (HALYARD_WORKER_EVENT_GAVE_BACK), and the call
 * returns when the verification that runs has ended; a process that ends before leaves nothing
 * behind but a temporary folder.
 *
 * A store that cannot be reached is tried again, with longer and longer pauses.
 *
 * Threads: one worker per device at a time.
 * Errors: INVALID_ARGUMENT; NOT_FOUND without the sandbox's program; PERMISSION_DENIED when the
 * store cannot be written or the machine isolates less than asked for; UNAVAILABLE at once when
 * the port of the metrics is taken. */
HALYARD_API halyard_status halyard_worker_run(const halyard_worker_desc* desc);

HALYARD_END_DECLS

#endif
