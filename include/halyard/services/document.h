/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_SERVICES_DOCUMENT_H_
#define HALYARD_SERVICES_DOCUMENT_H_

#include "halyard/export.h"

HALYARD_BEGIN_DECLS

/* A text that a call made: JSON, or lines for people. Immutable, reference-counted. */
typedef struct halyard_document halyard_document;

/* Borrowed from the document; ends with a zero byte.
 *
 * Threads: any. */
HALYARD_API const char* halyard_document_text(const halyard_document* document);

/* Adds or drops a reference; release takes NULL.
 *
 * Threads: any. */
HALYARD_API void halyard_document_retain(halyard_document* document);
HALYARD_API void halyard_document_release(halyard_document* document);

HALYARD_END_DECLS

#endif
