/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_SERVICES_STORE_H_
#define HALYARD_SERVICES_STORE_H_

#include "halyard/export.h"
#include "halyard/services/document.h"
#include "halyard/status.h"

#include <stddef.h>
#include <stdint.h>

HALYARD_BEGIN_DECLS

/* A kernel store opened for looking after it: what its kernels may do, and what leaves and enters.
 * Needs no device. A kernel is named by its id, by 8 or more leading digits of it, or by its name;
 * the bundled ones count too. Errors of each call: NOT_FOUND and INVALID_ARGUMENT for such a name,
 * UNAVAILABLE, IO_ERROR and CORRUPT_DATA of the store, PERMISSION_DENIED where it cannot be
 * written. Texts are UTF-8; one that may be NULL says so. */
typedef struct halyard_store halyard_store;

typedef struct halyard_store_desc {
  uint32_t struct_size; /* Set by HALYARD_STORE_DESC_INIT. */
  uint32_t reserved;    /* 0. */
  const char* url;      /* A path, "sqlite:<path>", "postgresql://…"; NULL: as configured. */
  const char* data_directory; /* Bundled contracts and kernels; NULL: as configured. */
  const char* trust_file;     /* Keys whose approvals count; NULL: as configured. */
} halyard_store_desc;

#define HALYARD_STORE_DESC_INIT \
  { sizeof(halyard_store_desc), 0, NULL, NULL, NULL }

/* `desc` may be NULL. *out_store receives one reference.
 *
 * Threads: any number at once, here and below.
 * Errors: INVALID_ARGUMENT; NOT_FOUND where no store is configured; UNAVAILABLE. */
HALYARD_API halyard_status halyard_store_open(const halyard_store_desc* desc,
                                              halyard_store** out_store);
/* Threads: any. */
HALYARD_API void halyard_store_retain(halyard_store* store);
HALYARD_API void halyard_store_release(halyard_store* store);

/* The kernels of `contract` (NULL: of all), the bundled ones and those of the store
 * ("halyard.kernels/1").
 *
 * Threads: any.
 * Errors: NOT_FOUND for an unknown contract. */
HALYARD_API halyard_status halyard_store_kernels(halyard_store* store, const char* contract,
                                                 halyard_document** out_kernels);

/* One kernel: record, builds, states, approvals and evidence ("halyard.kernel-detail/1").
 *
 * Threads: any. */
HALYARD_API halyard_status halyard_store_kernel(halyard_store* store, const char* kernel,
                                                halyard_document** out_kernel);

/* What becomes of a kernel on a target. */
typedef enum halyard_state_action {
  HALYARD_STATE_ACTION_PROMOTE = 1,    /* Takes hardware evidence of the store that passed. */
  HALYARD_STATE_ACTION_QUARANTINE = 2, /* Ends with new evidence. */
  HALYARD_STATE_ACTION_RETIRE = 3,     /* Ends with a rollback. */
  HALYARD_STATE_ACTION_ROLL_BACK = 4,  /* Takes the entry in force back. */
  HALYARD_STATE_ACTION_FORCE_32_BIT = 0x7fffffff
} halyard_state_action;

typedef struct halyard_state_desc {
  uint32_t struct_size;     /* Set by HALYARD_STATE_DESC_INIT. */
  uint32_t action;          /* halyard_state_action. */
  const char* kernel;       /* As above. */
  const char* target;       /* "x86_64-v3". */
  const char* first_driver; /* Of a range, both ends included; NULL with last_driver NULL: the */
  const char* last_driver;  /* evidence's driver to promote, all to quarantine and to retire, that
                             * of the last entry to roll back. "" leaves an end open. */
  const char* const* where; /* Conditions over the contract's axes that a promotion is for. */
  uint32_t where_count;     /* 0: all axes. */
  uint32_t share_percent;   /* Of the hosts that a promotion is for; 0: 100. */
  const char* evidence;     /* Its id, or 8 or more leading digits; NULL: the newest that does. */
  const char* who;          /* At most 256 bytes; NULL: the user and the host. */
  const char* why;          /* At most 4096 bytes; may be NULL. */
  const char* key_file;     /* Signs an approval of the state too; NULL: none. */
  const void* passphrase;   /* Of that file; NULL without one. Read during the call only. */
  size_t passphrase_size;
  uint64_t approval_days; /* After which the approval expires; 0: never. */
} halyard_state_desc;

#define HALYARD_STATE_DESC_INIT                                                                \
  {                                                                                            \
    sizeof(halyard_state_desc), 0, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, \
        NULL, 0, 0                                                                             \
  }

/* Appends an entry to the history of a kernel. *out_change receives a "halyard.state-change/1"
 * document: the entry, whether it was added ("changed"; false when the history says so already) and
 * the approval that was signed, or null.
 *
 * Threads: any.
 * Errors: PERMISSION_DENIED with the state in force and what it takes, for evidence that does not
 * serve (emulated, failed, of another target or driver), and for the key. */
HALYARD_API halyard_status halyard_store_change_state(halyard_store* store,
                                                      const halyard_state_desc* desc,
                                                      halyard_document** out_change);

/* "halyard.history/1": every entry, the oldest first, of one target or of all (`target` NULL), with
 * drivers, share, conditions, who, when, why, evidence, and whether it is in effect.
 *
 * Threads: any. */
HALYARD_API halyard_status halyard_store_history(halyard_store* store, const char* kernel,
                                                 const char* target,
                                                 halyard_document** out_history);

/* Hashes every record again. "halyard.store-verification/1": counts, and each damaged record, which
 * is set aside so that it can be put again. *out_damaged (may be NULL) receives their number.
 *
 * Threads: any. */
HALYARD_API halyard_status halyard_store_verify(halyard_store* store, halyard_document** out_report,
                                                uint64_t* out_damaged);

typedef struct halyard_collection_desc {
  uint32_t struct_size;  /* Set by HALYARD_COLLECTION_DESC_INIT. */
  uint32_t bounds_blobs; /* 1: builds go, those unused for longest first, down to blob_bytes. */
  uint64_t blob_bytes;   /* What blobs may take. */
  uint64_t older_than_s; /* Settled requests and builds of retired kernels of this age go. */
} halyard_collection_desc;

#define HALYARD_COLLECTION_DESC_INIT \
  { sizeof(halyard_collection_desc), 0, 0, 0 }

/* Removes what nothing names. "halyard.collection/1": how many blobs, builds, requests and bytes.
 *
 * Threads: any. */
HALYARD_API halyard_status halyard_store_collect(halyard_store* store,
                                                 const halyard_collection_desc* desc,
                                                 halyard_document** out_report);

typedef struct halyard_export_desc {
  uint32_t struct_size;       /* Set by HALYARD_EXPORT_DESC_INIT. */
  uint32_t kernel_count;      /* 0: all of `contract`. */
  const char* const* kernels; /* As above; of the store, not the bundled ones. */
  const char* contract;       /* May be NULL. */
  const char* target;         /* Of builds, evidence, approvals and history; NULL: all. */
  const char* key_file;       /* Signs the export; NULL: none. */
  const void* passphrase;
  size_t passphrase_size;
} halyard_export_desc;

#define HALYARD_EXPORT_DESC_INIT \
  { sizeof(halyard_export_desc), 0, NULL, NULL, NULL, NULL, NULL, 0 }

/* Writes an archive for a name that ends in .tar, .tar.gz, .tgz or .tar.zst, else a folder. `desc`
 * may be NULL. "halyard.export-report/1": how many records of each kind.
 *
 * Threads: any.
 * Errors: PERMISSION_DENIED where `path` exists, and for the key. */
HALYARD_API halyard_status halyard_store_export(halyard_store* store, const char* path,
                                                const halyard_export_desc* desc,
                                                halyard_document** out_report);

/* Takes over an export, or the kernel package in a folder, which becomes a candidate on its
 * targets. "halyard.exchange/1": what was offered, what was new, and a sentence for each thing that
 * was not taken over.
 *
 * Threads: any.
 * Errors: CORRUPT_DATA and PERMISSION_DENIED with the entry; then nothing was taken over. */
HALYARD_API halyard_status halyard_store_import(halyard_store* store, const char* path,
                                                halyard_document** out_report);

typedef enum halyard_sync_direction {
  HALYARD_SYNC_DIRECTION_BOTH = 0,
  HALYARD_SYNC_DIRECTION_PULL = 1, /* From the other store to this one. */
  HALYARD_SYNC_DIRECTION_PUSH = 2,
  HALYARD_SYNC_DIRECTION_FORCE_32_BIT = 0x7fffffff
} halyard_sync_direction;

/* Copies what one store has and the other lacks, with the checks of an import on each record.
 * "halyard.sync/1": a "halyard.exchange/1" for each direction.
 *
 * Threads: any.
 * Errors: INVALID_ARGUMENT for a direction or URL. */
HALYARD_API halyard_status halyard_store_sync(halyard_store* store, const char* url,
                                              uint32_t direction, halyard_document** out_report);

/* "halyard.requests/1": all requests, the oldest first.
 *
 * Threads: any. */
HALYARD_API halyard_status halyard_store_requests(halyard_store* store,
                                                  halyard_document** out_requests);

/* "halyard.request-detail/1" of the request with this id, or 8 or more leading digits of it.
 *
 * Threads: any. */
HALYARD_API halyard_status halyard_store_request(halyard_store* store, const char* request,
                                                 halyard_document** out_request);

/* Asks for something: `kind` is "kernel", "verification" or "measurement", `target` NULL for any,
 * `document` JSON. The same document is one request. The answer is "halyard.request-detail/1".
 *
 * Threads: any.
 * Errors: INVALID_ARGUMENT for another kind, CORRUPT_DATA for a document that is not JSON. */
HALYARD_API halyard_status halyard_store_put_request(halyard_store* store, const char* kind,
                                                     const char* target, const char* document,
                                                     halyard_document** out_request);

/* Of an open or claimed request, named as above.
 *
 * Threads: any.
 * Errors: PERMISSION_DENIED when it is settled. */
HALYARD_API halyard_status halyard_store_cancel_request(halyard_store* store, const char* request);

HALYARD_END_DECLS

#endif
