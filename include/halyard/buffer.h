/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_BUFFER_H_
#define HALYARD_BUFFER_H_

#include "halyard/device.h"
#include "halyard/export.h"
#include "halyard/status.h"

#include <stddef.h>
#include <stdint.h>

HALYARD_BEGIN_DECLS

/* A range of memory that kernels of one device can use. */
typedef struct halyard_buffer halyard_buffer;

/* What a buffer is for; 0 means everything. */
#define HALYARD_BUFFER_USAGE_KERNEL 1u     /* Kernels read or write it. */
#define HALYARD_BUFFER_USAGE_HOST_READ 2u  /* The host reads it back often. */
#define HALYARD_BUFFER_USAGE_HOST_WRITE 4u /* The host fills it often. */

typedef struct halyard_buffer_desc {
  uint32_t struct_size; /* Set by HALYARD_BUFFER_DESC_INIT. */
  uint32_t usage;       /* HALYARD_BUFFER_USAGE_* bits. */
  uint64_t size_bytes;  /* Not zero. */
} halyard_buffer_desc;

#define HALYARD_BUFFER_DESC_INIT \
  { sizeof(halyard_buffer_desc), 0, 0 }

/* Creates a buffer on `device`, aligned to at least 64 bytes, contents undefined. *out_buffer
 * receives one reference, which the caller releases; on failure it is NULL. The buffer keeps its
 * device alive.
 *
 * Threads: any number at once, on one device too.
 * Errors: INVALID_ARGUMENT; OUT_OF_MEMORY when the device has no room. */
HALYARD_API halyard_status halyard_buffer_create(halyard_device* device,
                                                 const halyard_buffer_desc* desc,
                                                 halyard_buffer** out_buffer);

/* A buffer over `size_bytes` bytes at `data`, used in place. The caller keeps the memory valid
 * until the buffer's last reference is gone and its work has ended.
 *
 * Threads: any number at once.
 * Errors: INVALID_ARGUMENT; UNSUPPORTED where the device cannot use host memory in place, with
 * the alignment it needs. */
HALYARD_API halyard_status halyard_buffer_wrap_host_memory(halyard_device* device, void* data,
                                                           uint64_t size_bytes,
                                                           halyard_buffer** out_buffer);

/* Adds or drops a reference; release takes NULL and never waits for the device: work in flight
 * keeps the buffer.
 *
 * Threads: any. */
HALYARD_API void halyard_buffer_retain(halyard_buffer* buffer);
HALYARD_API void halyard_buffer_release(halyard_buffer* buffer);

/* The size in bytes.
 *
 * Threads: any. */
HALYARD_API uint64_t halyard_buffer_size_bytes(const halyard_buffer* buffer);

/* The buffer's bytes in the host's address space, or NULL where the device keeps them apart.
 * Valid for the buffer's life; no flush is needed. The caller orders its accesses with the work
 * of queues.
 *
 * Threads: any. */
HALYARD_API void* halyard_buffer_host_pointer(halyard_buffer* buffer);

/* Copies between host memory and the buffer; done when the call returns. The caller has waited
 * for the work that uses the range.
 *
 * Threads: any number at once on ranges that do not overlap.
 * Errors: INVALID_ARGUMENT for a range past the end; DEVICE_LOST. */
HALYARD_API halyard_status halyard_buffer_write(halyard_buffer* buffer, uint64_t offset_bytes,
                                                const void* data, uint64_t size_bytes);
HALYARD_API halyard_status halyard_buffer_read(halyard_buffer* buffer, uint64_t offset_bytes,
                                               void* out_data, uint64_t size_bytes);

HALYARD_END_DECLS

#endif
