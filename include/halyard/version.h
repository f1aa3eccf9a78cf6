/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_VERSION_H_
#define HALYARD_VERSION_H_

#include "halyard/export.h"

#define HALYARD_VERSION_MAJOR 0
#define HALYARD_VERSION_MINOR 1
#define HALYARD_VERSION_PATCH 0

HALYARD_BEGIN_DECLS

/* The version of the library that is loaded, as "major.minor.patch". Borrowed, lives for ever.
 *
 * Threads: any. */
HALYARD_API const char* halyard_version(void);

HALYARD_END_DECLS

#endif
