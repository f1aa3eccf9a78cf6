/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_CAPABILITY_H_
#define HALYARD_CAPABILITY_H_

#include "halyard/export.h"
#include "halyard/status.h"

#include <stddef.h>
#include <stdint.h>

HALYARD_BEGIN_DECLS

typedef enum halyard_capability_kind {
  HALYARD_CAPABILITY_KIND_FLAG = 1,
  HALYARD_CAPABILITY_KIND_NUMBER = 2,
  HALYARD_CAPABILITY_KIND_TEXT = 3,
  HALYARD_CAPABILITY_KIND_FORCE_32_BIT = 0x7fffffff
} halyard_capability_kind;

/* Who says so. */
typedef enum halyard_capability_origin {
  HALYARD_CAPABILITY_ORIGIN_DRIVER = 1,
  HALYARD_CAPABILITY_ORIGIN_DOCUMENTED = 2,
  HALYARD_CAPABILITY_ORIGIN_COMPUTED = 3,
  HALYARD_CAPABILITY_ORIGIN_MEASURED = 4,
  HALYARD_CAPABILITY_ORIGIN_DERIVED = 5,
  HALYARD_CAPABILITY_ORIGIN_FORCE_32_BIT = 0x7fffffff
} halyard_capability_origin;

/* A named fact about a device. Unknown is neither no nor zero: look at `known` first. */
typedef struct halyard_capability {
  uint32_t struct_size; /* Set by HALYARD_CAPABILITY_INIT. */
  uint32_t known;  /* 1 when the value is known, else 0 and the rest but `kind`, `unit` is empty. */
  uint32_t kind;   /* halyard_capability_kind. */
  uint32_t origin; /* halyard_capability_origin. */
  double number;   /* Flags are 0 or 1. */
  const char* text; /* Texts; else "". Borrowed from the device. */
  const char* unit; /* "byte", "ns", …; "" where there is none. Borrowed. */
} halyard_capability;

#define HALYARD_CAPABILITY_INIT \
  { sizeof(halyard_capability), 0, 0, 0, 0.0, NULL, NULL }

/* The number of known capability keys, and the name and meaning of one ("" past the end).
 * Borrowed, live for ever. A device may also have keys `vendor.<name>.<key>`.
 *
 * Threads: any. */
HALYARD_API uint32_t halyard_capability_key_count(void);
HALYARD_API const char* halyard_capability_key_name(uint32_t index);
HALYARD_API const char* halyard_capability_key_meaning(uint32_t index);

HALYARD_END_DECLS

#endif
