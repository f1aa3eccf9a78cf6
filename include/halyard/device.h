/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_DEVICE_H_
#define HALYARD_DEVICE_H_

#include "halyard/capability.h"
#include "halyard/export.h"
#include "halyard/instance.h"
#include "halyard/status.h"

#include <stddef.h>
#include <stdint.h>

HALYARD_BEGIN_DECLS

/* One thing that executes. The same card seen by two backends is two devices with one
 * physical id.
 *
 * After fork() a child may release what it has of its parent's, which the parent keeps. Its calls
 * that need threads or a driver fail with UNAVAILABLE; with an instance of its own it goes on
 * where the driver does. */
typedef struct halyard_device halyard_device;

typedef enum halyard_device_kind {
  HALYARD_DEVICE_KIND_CPU = 1,
  HALYARD_DEVICE_KIND_INTEGRATED_GPU = 2,
  HALYARD_DEVICE_KIND_DISCRETE_GPU = 3,
  HALYARD_DEVICE_KIND_VIRTUAL_GPU = 4,
  HALYARD_DEVICE_KIND_SOFTWARE = 5, /* A GPU interface run by the CPU; never picked by default. */
  HALYARD_DEVICE_KIND_EMULATOR = 6,
  HALYARD_DEVICE_KIND_FORCE_32_BIT = 0x7fffffff
} halyard_device_kind;

/* All texts are borrowed from the device and live as long as it does. */
typedef struct halyard_device_info {
  uint32_t struct_size; /* Set by HALYARD_DEVICE_INFO_INIT. */
  uint32_t kind;        /* halyard_device_kind. */
  const char* id;       /* "<backend>:<index>". */
  const char* name;
  const char* vendor;
  const char* backend;
  const char* driver;      /* Name and version, for people. */
  const char* physical_id; /* PCI address or UUID; "" when unknown. */
  const char* target;      /* The best machine code it takes. */
  const char* targets;     /* All of them, best first, separated by one space. */
  const char* driver_id;   /* Changes when the driver changes; part of evidence. */
  const char* fingerprint; /* The same model of card, board or CPU gives the same text. */
} halyard_device_info;

#define HALYARD_DEVICE_INFO_INIT \
  { sizeof(halyard_device_info), 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL }

/* The devices of all backends. At most `capacity` references are written to `out_devices` and
 * owned by the caller; *out_count receives how many there are. Loads the drivers on first use; a
 * backend without devices is not an error (halyard_instance_report says why).
 *
 * Threads: any number at once.
 * Errors: INVALID_ARGUMENT. */
HALYARD_API halyard_status halyard_instance_devices(halyard_instance* instance, uint32_t capacity,
                                                    halyard_device** out_devices,
                                                    uint32_t* out_count);

/* The device named `id`: "cpu:0", "vulkan:1", "cpu" for a backend's first, "vulkan:<physical id>".
 * "default" and NULL name the first discrete GPU, else integrated GPU, else virtual GPU, else the
 * CPU; they load the drivers of all backends, an id only its own. *out_device receives one
 * reference.
 *
 * Threads: any number at once.
 * Errors: NOT_FOUND, with what there is or why the backend has none. */
HALYARD_API halyard_status halyard_device_get(halyard_instance* instance, const char* id,
                                              halyard_device** out_device);

/* Adds or drops a reference; release takes NULL. Waits for the device only where it closes it: see
 * halyard_instance_release.
 *
 * Threads: any. */
HALYARD_API void halyard_device_retain(halyard_device* device);
HALYARD_API void halyard_device_release(halyard_device* device);

/* The instance that the device came from. *out_instance receives one reference.
 *
 * Threads: any.
 * Errors: INVALID_ARGUMENT. */
HALYARD_API halyard_status halyard_device_get_instance(halyard_device* device,
                                                       halyard_instance** out_instance);

/* Fills *out_info, as far as its struct_size covers.
 *
 * Threads: any.
 * Errors: INVALID_ARGUMENT. */
HALYARD_API halyard_status halyard_device_get_info(halyard_device* device,
                                                   halyard_device_info* out_info);

/* The value of a capability key. An unknown *value* is a success with known = 0; an unknown *key*
 * is NOT_FOUND with the nearest names.
 *
 * Threads: any.
 * Errors: INVALID_ARGUMENT, NOT_FOUND. */
HALYARD_API halyard_status halyard_device_get_capability(halyard_device* device, const char* key,
                                                         halyard_capability* out_capability);

/* The id of the descriptor whose facts stand under what the driver says of the device
 * ("amd/gfx1100"), "" where none fits. Borrowed from the device.
 *
 * Threads: any. */
HALYARD_API const char* halyard_device_descriptor_id(halyard_device* device);

/* A capability of which the driver and the descriptor say different things; the driver wins. The
 * texts are borrowed from the device. */
typedef struct halyard_disagreement {
  uint32_t struct_size;        /* Set by HALYARD_DISAGREEMENT_INIT. */
  uint32_t kind;               /* halyard_capability_kind. */
  const char* key;             /* "limit.shared_bytes". */
  const char* unit;            /* "byte"; "" where there is none. */
  double live_number;          /* What the driver says; flags are 0 or 1. */
  double documented_number;    /* What the descriptor says. */
  const char* live_text;       /* Texts; else "". */
  const char* documented_text; /* Texts; else "". */
  const char* source;          /* Title of the document that says so. */
} halyard_disagreement;

#define HALYARD_DISAGREEMENT_INIT \
  { sizeof(halyard_disagreement), 0, NULL, NULL, 0.0, 0.0, NULL, NULL, NULL }

/* The disagreements, by key. At most `capacity` are written to `out_disagreements`, each of which
 * has its struct_size set and all the same; *out_count receives how many there are.
 *
 * Threads: any.
 * Errors: INVALID_ARGUMENT. */
HALYARD_API halyard_status halyard_device_disagreements(halyard_device* device, uint32_t capacity,
                                                        halyard_disagreement* out_disagreements,
                                                        uint32_t* out_count);

HALYARD_END_DECLS

#endif
