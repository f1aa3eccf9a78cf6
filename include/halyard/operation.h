/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_OPERATION_H_
#define HALYARD_OPERATION_H_

#include "halyard/buffer.h"
#include "halyard/constant.h"
#include "halyard/device.h"
#include "halyard/export.h"
#include "halyard/queue.h"
#include "halyard/status.h"
#include "halyard/type.h"

#include <stddef.h>
#include <stdint.h>

HALYARD_BEGIN_DECLS

/* A contract prepared on a device with one kernel chosen for it. */
typedef struct halyard_operation halyard_operation;

/* A type variable of the contract bound to a type: {"T", HALYARD_TYPE_BF16}. */
typedef struct halyard_type_binding {
  const char* variable;
  uint32_t type; /* halyard_type. */
} halyard_type_binding;

/* A named size. Prepare axes must all be given; a launch or device axis may be given as the
 * largest value that launches will use, which helps the choice and limits the workspace. */
typedef struct halyard_axis {
  const char* name;
  int64_t value;
} halyard_axis;

/* A value of an attribute: `text` for text attributes (else NULL), `number` for the others. */
typedef struct halyard_attribute {
  const char* name;
  const char* text;
  double number;
} halyard_attribute;

/* A tensor of the contract that is this constant in every launch. */
typedef struct halyard_constant_binding {
  const char* tensor;
  halyard_constant* constant;
} halyard_constant_binding;

/* Flags of halyard_operation_desc. */
#define HALYARD_OPERATION_ALLOW_REFERENCE                   \
  1u /* Without a kernel, run the slow f64 reference on the \
      * host, and report it as such. */

#define HALYARD_OPERATION_ASSUME_CONSTANTS                    \
  2u /* Only for halyard_operation_explain: take every tensor \
      * that may be constant as bound to one. */

typedef struct halyard_operation_desc {
  uint32_t struct_size; /* Set by HALYARD_OPERATION_DESC_INIT. */
  uint32_t flags;       /* HALYARD_OPERATION_* bits. */
  const char* contract; /* "rms_norm". */
  const char* kernel;   /* A kernel's id (or 8 or more leading digits) or name, to take just that
                         * one; NULL: the best. */
  uint32_t type_count;
  uint32_t axis_count;
  uint32_t attribute_count; /* Those left out take the contract's default. */
  uint32_t constant_count;
  const halyard_type_binding* types;
  const halyard_axis* axes;
  const halyard_attribute* attributes;
  const halyard_constant_binding* constants;
} halyard_operation_desc;

#define HALYARD_OPERATION_DESC_INIT \
  { sizeof(halyard_operation_desc), 0, NULL, NULL, 0, 0, 0, 0, NULL, NULL, NULL, NULL }

/* Chooses and loads a kernel for `desc` on `device`. On the first use of a kernel on this device
 * and driver its self-test runs, is recorded, and decides whether it is used. A request that this
 * instance has answered before is answered alike, at little cost, until the store changes; what
 * another process changes is noticed within 100 ms. Texts and arrays are copied; constants are
 * retained and repacked where the kernel wants another layout.
 * *out_operation receives one reference; NULL on failure.
 *
 * Threads: any number at once.
 * Errors: INVALID_ARGUMENT for an unknown or missing name or a value outside its bounds;
 * NOT_FOUND for an unknown contract; NO_KERNEL, with the candidates and why each was refused (a
 * request is noted in the store); OUT_OF_MEMORY; DEVICE_LOST. */
HALYARD_API halyard_status halyard_operation_prepare(halyard_device* device,
                                                     const halyard_operation_desc* desc,
                                                     halyard_operation** out_operation);

/* Adds or drops a reference; release takes NULL.
 *
 * Threads: any. */
HALYARD_API void halyard_operation_retain(halyard_operation* operation);
HALYARD_API void halyard_operation_release(halyard_operation* operation);

/* A tensor of one launch: `buffer` from `offset_bytes`, which is a multiple of the tensor's
 * alignment. Dense tensors need no strides. A tensor bound to a constant, or one that the
 * attributes leave out, takes a zeroed view. Views of one launch may overlap only where the
 * contract says that tensors may alias. */
typedef struct halyard_view {
  halyard_buffer* buffer;
  uint64_t offset_bytes;
  uint64_t length_bytes;  /* From the offset; 0: to the end of the buffer. */
  const int64_t* strides; /* Elements, one per dimension; NULL: packed row-major. */
} halyard_view;

/* A scalar argument in the type the contract gives it. */
typedef union halyard_scalar {
  double f64;
  float f32;
  int64_t i64;
  uint64_t u64;
  int32_t i32;
  uint32_t u32;
} halyard_scalar;

/* Everything that may change from launch to launch. Nothing is kept after the call. */
typedef struct halyard_launch {
  uint32_t struct_size; /* Set by HALYARD_LAUNCH_INIT. */
  uint32_t view_count;  /* All tensors, in the contract's order. */
  uint32_t axis_count;  /* All launch and device axes, in the contract's order. */
  uint32_t scalar_count;
  const halyard_view* views;
  const int64_t* axes;
  const halyard_scalar* scalars;
  halyard_view workspace; /* At least halyard_operation_workspace_bytes, 256-byte aligned; zeroed
                           * when that is 0. */
} halyard_launch;

#define HALYARD_LAUNCH_INIT                              \
  {                                                      \
    sizeof(halyard_launch), 0, 0, 0, NULL, NULL, NULL, { \
      NULL, 0, 0, NULL                                   \
    }                                                    \
  }

/* Adds one launch to `queue`, a queue of the operation's device. Allocates nothing and takes no
 * lock once the queue is warm. The reference, where it runs, first waits for all that is in the
 * queue, and is done when the call returns. Buffers must live until the call returns; the queue
 * keeps them while it needs them. A launch with an empty output does nothing.
 *
 * Threads: an operation by any number at once on different queues.
 * Errors: INVALID_ARGUMENT with the tensor and the numbers; OUTSIDE_GUARDS when an axis value is
 * outside what the contract or the chosen kernel serves; KERNEL_FAULT where an emulated device has
 * stopped the kernel, with what it did; DEVICE_LOST. */
HALYARD_API halyard_status halyard_operation_enqueue(halyard_operation* operation,
                                                     halyard_queue* queue,
                                                     const halyard_launch* launch);

/* The workspace that a launch with these axes needs, in bytes; 0 when none.
 *
 * Threads: any number at once.
 * Errors: INVALID_ARGUMENT; OUTSIDE_GUARDS. */
HALYARD_API halyard_status halyard_operation_workspace_bytes(halyard_operation* operation,
                                                             uint32_t axis_count,
                                                             const int64_t* axes,
                                                             uint64_t* out_bytes);

/* Floating-point operations and least bytes moved of a launch, by the contract's expressions.
 *
 * Threads: any number at once.
 * Errors: INVALID_ARGUMENT; OUTSIDE_GUARDS. */
HALYARD_API halyard_status halyard_operation_cost(halyard_operation* operation, uint32_t axis_count,
                                                  const int64_t* axes, uint64_t* out_flops,
                                                  uint64_t* out_bytes);

/* All texts are borrowed from the operation, until halyard_operation_refresh changes its kernel. */
typedef struct halyard_operation_info {
  uint32_t struct_size;  /* Set by HALYARD_OPERATION_INFO_INIT. */
  uint32_t is_reference; /* 1 when the f64 reference runs in place of a kernel. */
  const char* contract;
  const char* kernel_name; /* "reference" for the reference. */
  const char* kernel_id;   /* 64 hexadecimal digits; "" for the reference. */
  const char* target;
  const char* state; /* Of (kernel, target): "self-tested", … */
} halyard_operation_info;

#define HALYARD_OPERATION_INFO_INIT \
  { sizeof(halyard_operation_info), 0, NULL, NULL, NULL, NULL, NULL }

/* Fills *out_info, as far as its struct_size covers.
 *
 * Threads: any.
 * Errors: INVALID_ARGUMENT. */
HALYARD_API halyard_status halyard_operation_get_info(halyard_operation* operation,
                                                      halyard_operation_info* out_info);

/* The candidates that were looked at and why each was taken or refused, as JSON
 * ("halyard.explanation/1"). Borrowed from the operation, until halyard_operation_refresh changes
 * its kernel.
 *
 * Threads: any. */
HALYARD_API const char* halyard_operation_explanation(halyard_operation* operation);

/* What halyard_operation_prepare would choose and why, without loading it or running its
 * self-test; the same JSON by the text protocol of halyard_instance_report. Answers OK when no
 * kernel fits: the document says so.
 *
 * Threads: any number at once.
 * Errors: INVALID_ARGUMENT; NOT_FOUND. */
HALYARD_API halyard_status halyard_operation_explain(halyard_device* device,
                                                     const halyard_operation_desc* desc,
                                                     size_t capacity, char* out_text,
                                                     size_t* out_size);

/* Chooses again, and takes the better kernel if there is one now; an operation that was prepared
 * with one kernel by name or id keeps it. *out_changed (may be NULL) receives 1 when the kernel
 * changed: texts of the operation are then replaced, and the workspace may need more bytes.
 * Launches already enqueued, and those that a sequence has recorded, keep the old kernel.
 *
 * Threads: no other call may use the operation meanwhile.
 * Errors: as halyard_operation_prepare; the operation is unchanged then. */
HALYARD_API halyard_status halyard_operation_refresh(halyard_operation* operation,
                                                     uint32_t* out_changed);

HALYARD_END_DECLS

#endif
