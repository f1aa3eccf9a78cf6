/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_TYPE_H_
#define HALYARD_TYPE_H_

#include "halyard/export.h"
#include "halyard/status.h"

#include <stddef.h>
#include <stdint.h>

HALYARD_BEGIN_DECLS

/* Element types of tensors and scalars. */
typedef enum halyard_type {
  HALYARD_TYPE_NONE = 0,
  HALYARD_TYPE_F64 = 1,
  HALYARD_TYPE_F32 = 2,
  HALYARD_TYPE_F16 = 3,
  HALYARD_TYPE_BF16 = 4,
  HALYARD_TYPE_I64 = 5,
  HALYARD_TYPE_I32 = 6,
  HALYARD_TYPE_I16 = 7,
  HALYARD_TYPE_I8 = 8,
  HALYARD_TYPE_U32 = 9,
  HALYARD_TYPE_U8 = 10,
  HALYARD_TYPE_U64 = 11,
  HALYARD_TYPE_FP8_E4M3 = 12,
  HALYARD_TYPE_FP8_E5M2 = 13,
  HALYARD_TYPE_FORCE_32_BIT = 0x7fffffff
} halyard_type;

/* "f32", "bf16", …; "unknown" for a value this version does not know. Borrowed.
 *
 * Threads: any. */
HALYARD_API const char* halyard_type_name(halyard_type type);

/* The type of a name such as "bf16"; HALYARD_TYPE_NONE when there is none.
 *
 * Threads: any. */
HALYARD_API halyard_type halyard_type_from_name(const char* name);

/* Bytes of one element; 0 for an unknown type.
 *
 * Threads: any. */
HALYARD_API uint32_t halyard_type_size_bytes(halyard_type type);

HALYARD_END_DECLS

#endif
