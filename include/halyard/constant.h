/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_CONSTANT_H_
#define HALYARD_CONSTANT_H_

#include "halyard/device.h"
#include "halyard/export.h"
#include "halyard/status.h"
#include "halyard/type.h"

#include <stdint.h>

HALYARD_BEGIN_DECLS

/* Weights given once and shared between operations. A kernel that wants another layout repacks
 * them once per layout, however many operations use it. Immutable. */
typedef struct halyard_constant halyard_constant;

#define HALYARD_MAX_RANK 8u

typedef struct halyard_constant_desc {
  uint32_t struct_size; /* Set by HALYARD_CONSTANT_DESC_INIT. */
  uint32_t type;        /* halyard_type. */
  uint32_t rank;        /* At most HALYARD_MAX_RANK. */
  uint32_t flags;       /* 0. */
  const int64_t* shape; /* `rank` sizes; row-major, packed. Copied. */
  const void* data;     /* The elements. Copied to the device before the call returns. */
} halyard_constant_desc;

#define HALYARD_CONSTANT_DESC_INIT \
  { sizeof(halyard_constant_desc), 0, 0, 0, NULL, NULL }

/* Copies `desc->data` to the device. The source may be released afterwards. *out_constant
 * receives one reference.
 *
 * Threads: any number at once.
 * Errors: INVALID_ARGUMENT; OUT_OF_MEMORY; DEVICE_LOST. */
HALYARD_API halyard_status halyard_constant_create(halyard_device* device,
                                                   const halyard_constant_desc* desc,
                                                   halyard_constant** out_constant);

/* Adds or drops a reference; release takes NULL.
 *
 * Threads: any. */
HALYARD_API void halyard_constant_retain(halyard_constant* constant);
HALYARD_API void halyard_constant_release(halyard_constant* constant);

/* Device bytes held now: the source layout and every packed one.
 *
 * Threads: any. */
HALYARD_API uint64_t halyard_constant_size_bytes(halyard_constant* constant);

HALYARD_END_DECLS

#endif
