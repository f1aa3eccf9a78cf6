/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_STATUS_H_
#define HALYARD_STATUS_H_

#include "halyard/export.h"

HALYARD_BEGIN_DECLS

/* What a caller can act on differently. Values are never reused; readers accept unknown ones. */
typedef enum halyard_status {
  HALYARD_STATUS_OK = 0,
  HALYARD_STATUS_INVALID_ARGUMENT = 1, /* The call is wrong: fix it. */
  HALYARD_STATUS_NOT_FOUND = 2,        /* No such device, contract, kernel. */
  HALYARD_STATUS_OUT_OF_MEMORY = 3,    /* The device or the host has no room. */
  HALYARD_STATUS_NO_KERNEL = 4,        /* The store has nothing that may run; a request is noted. */
  HALYARD_STATUS_UNSUPPORTED = 5,      /* This device, driver or version cannot do it. */
  HALYARD_STATUS_OUTSIDE_GUARDS =
      6, /* The launch is outside what the kernel serves: prepare again. */
  HALYARD_STATUS_DEADLINE_EXCEEDED = 7,  /* Not done in time; the work goes on. */
  HALYARD_STATUS_DEVICE_LOST = 8,        /* The device is gone until the process ends. */
  HALYARD_STATUS_UNAVAILABLE = 9,        /* A driver or store is not there now. */
  HALYARD_STATUS_CORRUPT_DATA = 10,      /* Bytes do not match their hash or format. */
  HALYARD_STATUS_PERMISSION_DENIED = 11, /* Policy or the file system refuses. */
  HALYARD_STATUS_IO_ERROR = 12,          /* Reading or writing failed. */
  HALYARD_STATUS_INTERNAL = 13,          /* A defect of Halyard. */
  HALYARD_STATUS_KERNEL_FAULT = 14,      /* A kernel did what it must not, and was stopped. */
  HALYARD_STATUS_FORCE_32_BIT = 0x7fffffff
} halyard_status;

/* "OK", "INVALID_ARGUMENT", …; "UNKNOWN" for a value this version does not know. Borrowed.
 *
 * Threads: any. */
HALYARD_API const char* halyard_status_name(halyard_status status);

/* The sentence that explains the last failed call of this thread: what, where, and the limit.
 * Replaced by the thread's next failing call, untouched by success; empty before any failure.
 * Borrowed.
 *
 * Threads: each has its own. */
HALYARD_API const char* halyard_last_error_message(void);

/* Makes a copy of `message` (NULL: "") that sentence for this thread, and gives `status` back: for
 * libraries that add functions of the same manners.
 *
 * Threads: each has its own. */
HALYARD_API halyard_status halyard_last_error_set(halyard_status status, const char* message);

HALYARD_END_DECLS

#endif
