/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_SERVICES_LOCK_H_
#define HALYARD_SERVICES_LOCK_H_

#include "halyard/export.h"
#include "halyard/services/document.h"
#include "halyard/services/store.h"
#include "halyard/status.h"

#include <stdint.h>

HALYARD_BEGIN_DECLS

typedef struct halyard_lock_desc {
  uint32_t struct_size;         /* Set by HALYARD_LOCK_DESC_INIT. */
  uint32_t contract_count;      /* 0: all. */
  const char* const* contracts; /* Names. */
  const char* const* targets;
  uint32_t target_count; /* 0: all. */
  uint32_t reserved;     /* 0. */
} halyard_lock_desc;

#define HALYARD_LOCK_DESC_INIT \
  { sizeof(halyard_lock_desc), 0, NULL, NULL, 0, 0 }

/* Writes a lock file ("halyard.lock/1") to `path`, in one step: for each contract, type binding and
 * target the kernels of the best state that it has, promoted before verified before bundled, with
 * the hashes of their binaries. `desc` may be NULL. *out_lock (may be NULL) receives its text.
 *
 * Threads: any.
 * Errors: NOT_FOUND for a contract; those of the store; IO_ERROR. */
HALYARD_API halyard_status halyard_lock_write(halyard_store* store, const char* path,
                                              const halyard_lock_desc* desc,
                                              halyard_document** out_lock);

/* "halyard.lock-check/1": for each pin whether it is "present", "missing" (the kernel is not here),
 * "changed" (another binary), "refused" (quarantined or retired) or "moved" (present, and a lock
 * written now would hold other kernels), with the reason. *out_broken (may be NULL) receives how
 * many are missing, changed or refused.
 *
 * Threads: any.
 * Errors: NOT_FOUND; CORRUPT_DATA. */
HALYARD_API halyard_status halyard_lock_check(halyard_store* store, const char* path,
                                              halyard_document** out_check, uint32_t* out_broken);

HALYARD_END_DECLS

#endif
