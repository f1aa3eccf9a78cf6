/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_SERVICES_EVALUATION_H_
#define HALYARD_SERVICES_EVALUATION_H_

#include "halyard/device.h"
#include "halyard/export.h"
#include "halyard/status.h"

#include <stddef.h>
#include <stdint.h>

HALYARD_BEGIN_DECLS

/* Progress of an evaluation: `done` of `total` steps, and what starts: an operation by its name (to
 * run and check it, and again to time it), "ceilings" or "step". Called on the evaluating
 * thread. */
typedef void (*halyard_progress_callback)(void* user_data, uint32_t done, uint32_t total,
                                          const char* what);

/* A size that the workload leaves open: {"batch", 16}. */
typedef struct halyard_workload_axis {
  const char* name;
  int64_t value;
} halyard_workload_axis;

typedef struct halyard_evaluation_desc {
  uint32_t struct_size; /* Set by HALYARD_EVALUATION_DESC_INIT. */
  uint32_t axis_count;
  const halyard_workload_axis* axes;
  const char* kernel; /* Take just this kernel (id, leading digits or name) where its contract is
                       * used; NULL: the best. */
  uint64_t seed;      /* Of the random inputs; 0: 1. */
  uint32_t check;     /* 1: compare outputs with the f64 reference, sampled where it is slow. */
  uint32_t measure;   /* 1: time each operation and the whole step, and the ceilings. */
  uint32_t allow_reference; /* 1: run the f64 reference where no kernel can, and say so. */
  uint32_t time_budget_ms;  /* Of all timing; 0: 10 seconds. */
  halyard_progress_callback progress; /* May be NULL. */
  void* progress_user_data;
} halyard_evaluation_desc;

#define HALYARD_EVALUATION_DESC_INIT \
  { sizeof(halyard_evaluation_desc), 0, NULL, NULL, 0, 0, 0, 0, 0, NULL, NULL }

/* What an evaluation found. Immutable. */
typedef struct halyard_results halyard_results;

/* Runs a workload (a "halyard.workload/1" document: operations with axes, wired by tensor names) on
 * a device: prepares every operation, runs them in order on shared tensors, checks each output, and
 * times each operation and the whole chain as one sequence, beside ceilings measured in the same
 * run. *out_results receives one reference; each figure in it names the clock it comes from.
 *
 * Threads: one evaluation per device at a time.
 * Errors: INVALID_ARGUMENT with where in the document; NO_KERNEL; OUT_OF_MEMORY; DEVICE_LOST. A
 * check that fails is not an error: the document says so. */
HALYARD_API halyard_status halyard_evaluation_run(halyard_device* device, const char* workload_json,
                                                  const halyard_evaluation_desc* desc,
                                                  halyard_results** out_results);

/* The "halyard.results/1" document, canonical JSON. Borrowed from the results.
 *
 * Threads: any. */
HALYARD_API const char* halyard_results_json(const halyard_results* results);

/* 1 when every check passed (or none was asked for).
 *
 * Threads: any. */
HALYARD_API uint32_t halyard_results_passed(const halyard_results* results);

/* Adds or drops a reference; release takes NULL.
 *
 * Threads: any. */
HALYARD_API void halyard_results_retain(halyard_results* results);
HALYARD_API void halyard_results_release(halyard_results* results);

HALYARD_END_DECLS

#endif
