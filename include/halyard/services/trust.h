/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_SERVICES_TRUST_H_
#define HALYARD_SERVICES_TRUST_H_

#include "halyard/export.h"
#include "halyard/services/document.h"
#include "halyard/status.h"

#include <stddef.h>
#include <stdint.h>

HALYARD_BEGIN_DECLS

/* Keys that sign approvals, and the file of those that are trusted. `trust_file` is NULL for the
 * configured one; a key is "ed25519:" and 64 hexadecimal digits. */

/* "halyard.trust-list/1": the file, and each key with label, fingerprint, what it may say, whether
 * it is local, and when it expires.
 *
 * Threads: any.
 * Errors: PERMISSION_DENIED for a file that others can change; CORRUPT_DATA; NOT_FOUND where none
 * is configured. */
HALYARD_API halyard_status halyard_trust_list(const char* trust_file, halyard_document** out_list);

/* What a key may say of kernels. */
typedef enum halyard_trust_right {
  HALYARD_TRUST_RIGHT_VERIFIED = 1,
  HALYARD_TRUST_RIGHT_PROMOTED = 2,
  HALYARD_TRUST_RIGHT_QUARANTINED = 4,
  HALYARD_TRUST_RIGHT_RETIRED = 8,
  HALYARD_TRUST_RIGHT_FORCE_32_BIT = 0x7fffffff
} halyard_trust_right;

typedef struct halyard_trust_desc {
  uint32_t struct_size; /* Set by HALYARD_TRUST_DESC_INIT. */
  uint32_t rights;      /* halyard_trust_right bits; 0: all. */
  const char* key;
  const char* label; /* Names the key in histories; unique. */
  uint32_t local;    /* 1: the user's own, which may approve code inside this process. */
  uint32_t reserved; /* 0. */
  uint64_t days;     /* After which the key expires; 0: never. */
} halyard_trust_desc;

#define HALYARD_TRUST_DESC_INIT \
  { sizeof(halyard_trust_desc), 0, NULL, NULL, 0, 0, 0 }

/* Makes the file where it is missing.
 *
 * Threads: any. Processes: one waits for the other.
 * Errors: INVALID_ARGUMENT for a key or label that is there or unusable; as halyard_trust_list. */
HALYARD_API halyard_status halyard_trust_add(const char* trust_file,
                                             const halyard_trust_desc* desc);

/* By label or key.
 *
 * Threads: any.
 * Errors: NOT_FOUND; as halyard_trust_list. */
HALYARD_API halyard_status halyard_trust_remove(const char* trust_file, const char* name);

/* Makes a file with a new key, encrypted where a passphrase is given. "halyard.key/1": file, key
 * and fingerprint.
 *
 * Threads: any.
 * Errors: PERMISSION_DENIED where the file exists; IO_ERROR. */
HALYARD_API halyard_status halyard_key_create(const char* path, const void* passphrase,
                                              size_t passphrase_size, halyard_document** out_key);

/* Whether a file of halyard_key_create needs a passphrase.
 *
 * Threads: any.
 * Errors: NOT_FOUND; PERMISSION_DENIED; CORRUPT_DATA. */
HALYARD_API halyard_status halyard_key_needs_passphrase(const char* path, uint32_t* out_needs);

HALYARD_END_DECLS

#endif
