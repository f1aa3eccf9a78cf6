/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_INSTANCE_H_
#define HALYARD_INSTANCE_H_

#include "halyard/export.h"
#include "halyard/status.h"

#include <stddef.h>
#include <stdint.h>

HALYARD_BEGIN_DECLS

/* The root of everything: configuration, the kernel store, the backends. Several may exist. */
typedef struct halyard_instance halyard_instance;

typedef enum halyard_log_level {
  HALYARD_LOG_LEVEL_DEFAULT = 0, /* HALYARD_LOG, else warnings. */
  HALYARD_LOG_LEVEL_OFF = 1,
  HALYARD_LOG_LEVEL_ERROR = 2,
  HALYARD_LOG_LEVEL_WARNING = 3,
  HALYARD_LOG_LEVEL_INFO = 4,
  HALYARD_LOG_LEVEL_DEBUG = 5,
  HALYARD_LOG_LEVEL_FORCE_32_BIT = 0x7fffffff
} halyard_log_level;

/* Receives each log line instead of stderr. `message` is UTF-8 without a line end, borrowed for
 * the call. Called from any thread, one call at a time; it must not call Halyard. */
typedef void (*halyard_log_callback)(void* user_data, halyard_log_level level, const char* message);

typedef struct halyard_instance_desc {
  uint32_t struct_size;              /* Set by HALYARD_INSTANCE_DESC_INIT. */
  uint32_t log_level;                /* halyard_log_level. */
  const char* store_url;             /* Where kernels and evidence are kept; NULL: as configured.
                                      * "memory:" keeps nothing beyond the instance. */
  const char* data_directory;        /* Bundled contracts and kernels; NULL: as configured. */
  halyard_log_callback log_callback; /* NULL: stderr. */
  void* log_user_data;
} halyard_instance_desc;

#define HALYARD_INSTANCE_DESC_INIT \
  { sizeof(halyard_instance_desc), 0, NULL, NULL, NULL, NULL }

/* Creates an instance from `desc` (NULL: all defaults) and the configuration of the environment
 * and file. Opens no driver library; backends are loaded by the first call that needs them.
 * *out_instance receives one reference; NULL on failure.
 *
 * Threads: any number at once.
 * Errors: INVALID_ARGUMENT for a bad configuration value; NOT_FOUND when the data directory is
 * not there; IO_ERROR. A store that cannot be written is not an error: one warning is logged and
 * results are kept in memory. */
HALYARD_API halyard_status halyard_instance_create(const halyard_instance_desc* desc,
                                                   halyard_instance** out_instance);

/* Adds or drops a reference; release takes NULL. Objects made from the instance keep what they
 * need alive. A device closes when the instance and all that was made from the device are released;
 * the release that closes it is the only one that waits, for the work that the device has left.
 *
 * Threads: any. */
HALYARD_API void halyard_instance_retain(halyard_instance* instance);
HALYARD_API void halyard_instance_release(halyard_instance* instance);

/* Configuration, store, data directory, backends with their devices or the reason for having
 * none, as a JSON document ("halyard.doctor/1"). Text protocol: at most `capacity` bytes
 * including the terminating zero are written; *out_size receives the bytes needed, including it.
 * `out_text` may be NULL when `capacity` is 0. Enumerates all backends.
 *
 * Threads: any number at once.
 * Errors: INVALID_ARGUMENT. */
HALYARD_API halyard_status halyard_instance_report(halyard_instance* instance, size_t capacity,
                                                   char* out_text, size_t* out_size);

HALYARD_END_DECLS

#endif
