/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_SERVICES_VERIFICATION_H_
#define HALYARD_SERVICES_VERIFICATION_H_

#include "halyard/device.h"
#include "halyard/export.h"
#include "halyard/services/document.h"
#include "halyard/status.h"

#include <stdint.h>

HALYARD_BEGIN_DECLS

/* How well a process that runs unverified code is kept apart. */
typedef enum halyard_isolation {
  HALYARD_ISOLATION_DEFAULT = 0, /* REDUCED. */
  HALYARD_ISOLATION_NONE = 1,    /* Files can be reached: only for code that is trusted anyway. */
  HALYARD_ISOLATION_REDUCED = 2, /* System calls and files are filtered. */
  HALYARD_ISOLATION_FULL = 3,    /* Namespaces of its own besides. */
  HALYARD_ISOLATION_FORCE_32_BIT = 0x7fffffff
} halyard_isolation;

/* The stage that begins ("numerics") and what it is about. Called on the verifying thread. */
typedef void (*halyard_verification_callback)(void* user_data, const char* stage,
                                              const char* subject);

typedef struct halyard_verification_desc {
  uint32_t struct_size;        /* Set by HALYARD_VERIFICATION_DESC_INIT. */
  uint32_t times;              /* 1: with the stage of timing, beside the present kernel. */
  uint64_t seed;               /* Of the inputs and of the shapes held out; 0: a fresh secret. */
  uint32_t least_isolation;    /* halyard_isolation. */
  uint32_t keeps;              /* 1: keep package, builds, evidence and state in the store. */
  uint32_t launch_patience_ms; /* After which a launch counts as hung; 0: 10 seconds. */
  uint32_t budget_ms;          /* Of numerics, of stability and of timing, each; 0: 10 minutes. */
  const char* counter_example; /* That of a verdict, as JSON: only this launch is made; may be
                                * NULL. */
  const char* worker;          /* The program of the worker; NULL: as installed. */
  halyard_verification_callback progress; /* May be NULL. */
  void* progress_user_data;
} halyard_verification_desc;

#define HALYARD_VERIFICATION_DESC_INIT \
  { sizeof(halyard_verification_desc), 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL }

/* Verifies the kernel package in `directory` for `device`: manifest, build, conformance, numerics,
 * stability, timing, decision. Whatever is foreign is compiled and run in a confined process; this
 * process loads none of it. *out_verdict receives one reference to a "halyard.verdict/1" document;
 * *out_accepted (may be NULL) 1 when the package is accepted. A package that is refused is no
 * error.
 *
 * Threads: one verification per device at a time.
 * Errors: INVALID_ARGUMENT; PERMISSION_DENIED when this machine isolates less than asked for,
 * or when the store that is to keep the verdict cannot be written;
 * NOT_FOUND without worker or compiler; UNAVAILABLE. */
HALYARD_API halyard_status halyard_verification_run(halyard_device* device, const char* directory,
                                                    const halyard_verification_desc* desc,
                                                    halyard_document** out_verdict,
                                                    uint32_t* out_accepted);

/* What this machine offers to keep unverified code apart, as JSON ("halyard.isolation/1"): the
 * level, each mechanism with its version or the reason for which it cannot be used. Starts short
 * processes the first time. `worker` as above.
 *
 * Threads: any number at once.
 * Errors: NOT_FOUND without the worker's program. */
HALYARD_API halyard_status halyard_isolation_report(const char* worker,
                                                    halyard_document** out_report);

HALYARD_END_DECLS

#endif
