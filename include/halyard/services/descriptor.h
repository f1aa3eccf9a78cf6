/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_SERVICES_DESCRIPTOR_H_
#define HALYARD_SERVICES_DESCRIPTOR_H_

#include "halyard/export.h"
#include "halyard/services/document.h"
#include "halyard/status.h"

#include <stddef.h>
#include <stdint.h>

HALYARD_BEGIN_DECLS

/* The descriptors of this machine: those shipped with the library, and over them what the user
 * imported (into $XDG_DATA_HOME/halyard/descriptors). Needs no driver and no instance. */
typedef struct halyard_descriptor_catalog halyard_descriptor_catalog;

typedef struct halyard_descriptor_catalog_desc {
  uint32_t struct_size;        /* Set by HALYARD_DESCRIPTOR_CATALOG_DESC_INIT. */
  uint32_t reserved;           /* 0. */
  const char* shipped_folder;  /* NULL: "descriptors" in the data directory. */
  const char* imported_folder; /* NULL: the user's. Created by the first import. */
} halyard_descriptor_catalog_desc;

#define HALYARD_DESCRIPTOR_CATALOG_DESC_INIT \
  { sizeof(halyard_descriptor_catalog_desc), 0, NULL, NULL }

/* *out_catalog receives one reference. `desc` may be NULL. Each function below looks at the folders
 * anew, so that it sees what another process has imported.
 *
 * Threads: any.
 * Errors: NOT_FOUND where no data directory is; INVALID_ARGUMENT. */
HALYARD_API halyard_status halyard_descriptor_catalog_open(
    const halyard_descriptor_catalog_desc* desc, halyard_descriptor_catalog** out_catalog);
HALYARD_API void halyard_descriptor_catalog_retain(halyard_descriptor_catalog* catalog);
HALYARD_API void halyard_descriptor_catalog_release(halyard_descriptor_catalog* catalog);

/* "halyard.descriptor_list/1": id, kind, vendor, name, aliases, products, instruction set and its
 * basis, origin (shipped or imported) of every descriptor, and of every instruction set. A file
 * that cannot be read has an entry with its error.
 *
 * Threads: any.
 * Errors: IO_ERROR, PERMISSION_DENIED for a folder that cannot be listed. */
HALYARD_API halyard_status halyard_descriptor_catalog_list(halyard_descriptor_catalog* catalog,
                                                           halyard_document** out_json);

/* The "halyard.descriptor/1" document of an id, alias, product name, target or PCI id, or
 * "halyard.instruction_set/1" for the id of an instruction set, with the shipped corrections.
 *
 * Threads: any.
 * Errors: NOT_FOUND with the nearest name; CORRUPT_DATA. */
HALYARD_API halyard_status halyard_descriptor_show(halyard_descriptor_catalog* catalog,
                                                   const char* id, halyard_document** out_json);

typedef struct halyard_descriptor_facts_desc {
  uint32_t struct_size;  /* Set by HALYARD_DESCRIPTOR_FACTS_DESC_INIT. */
  uint32_t token_budget; /* Most tokens of the text, taken as 4 bytes each; 0: no limit. */
  const char* contract;  /* What the kernel is to do; NULL: everything. */
} halyard_descriptor_facts_desc;

#define HALYARD_DESCRIPTOR_FACTS_DESC_INIT \
  { sizeof(halyard_descriptor_facts_desc), 0, NULL }

/* What a writer of kernels needs to know of a target, most relevant first, cut to the budget at a
 * line; says what was left out. Plain text, equal for equal inputs.
 *
 * Threads: any.
 * Errors: NOT_FOUND; INVALID_ARGUMENT for a budget too small for the head of the text. */
HALYARD_API halyard_status halyard_descriptor_facts(halyard_descriptor_catalog* catalog,
                                                    const char* id,
                                                    const halyard_descriptor_facts_desc* desc,
                                                    halyard_document** out_text);

/* "halyard.descriptor_value/1": key, known, value, unit, origin, source. An unknown value is no
 * error.
 *
 * Threads: any.
 * Errors: NOT_FOUND for an id or a key that does not exist, with the nearest names. */
HALYARD_API halyard_status halyard_descriptor_query(halyard_descriptor_catalog* catalog,
                                                    const char* id, const char* key,
                                                    halyard_document** out_json);

/* Imports a file into the catalog's folder, replacing an earlier import of the same id at once or
 * not at all: AMD's ISA XML, or a zip of several; a report of vulkan.gpuinfo.org or a Khronos
 * profile; a descriptor or instruction set of ours; a SPIR-V grammar. Which of them it is, its
 * content says. The document, "halyard.descriptor_import/1", lists the ids, counts, and what could
 * not be resolved, with element paths. An import of another process into the folder is waited for.
 *
 * Threads: any.
 * Errors: NOT_FOUND, PERMISSION_DENIED, IO_ERROR; CORRUPT_DATA with file, element path and limit;
 * UNAVAILABLE where the other import does not end, or no folder for imports is known. */
HALYARD_API halyard_status halyard_descriptor_import(halyard_descriptor_catalog* catalog,
                                                     const char* path, halyard_document** out_json);

/* Reads a file as import does and stores nothing: "halyard.descriptor_check/1" with counts,
 * unresolved references, and what a reader would look for and not find.
 *
 * Threads: any.
 * Errors: as halyard_descriptor_import. */
HALYARD_API halyard_status halyard_descriptor_check(const char* path, halyard_document** out_json);

/* "halyard.descriptor_diff/1": what differs between two descriptors or two instruction sets.
 *
 * Threads: any.
 * Errors: NOT_FOUND; INVALID_ARGUMENT for one of each. */
HALYARD_API halyard_status halyard_descriptor_diff(halyard_descriptor_catalog* catalog,
                                                   const char* left_id, const char* right_id,
                                                   halyard_document** out_json);

/* Disassembles an AMDGCN code object (ELF): lines for people with symbols, labels, kernel
 * descriptors and metadata. `target` ("gfx1100") may be NULL where the file says it.
 *
 * Threads: any.
 * Errors: CORRUPT_DATA with file, section and offset; NOT_FOUND for a target without instruction
 * set. Bytes that are no instruction are printed as such and are no error. */
HALYARD_API halyard_status halyard_disassemble(halyard_descriptor_catalog* catalog,
                                               const char* path, const char* target,
                                               halyard_document** out_text);

HALYARD_END_DECLS

#endif
