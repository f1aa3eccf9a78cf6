// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/disassembly.h"
#include "runtime/inspection/handles.h"

extern "C" halyard_status halyard_disassemble(halyard_descriptor_catalog* catalog, const char* path,
                                              const char* target, halyard_document** out_text) {
  return halyard::services::make_document(out_text, [&]() -> halyard::base::Result<std::string> {
    HALYARD_TRY(halyard::base::require_not_null(catalog, "catalog"));
    HALYARD_TRY(halyard::base::require_not_null(path, "path"));
    return halyard::services::disassemble_file(catalog->catalog, path,
                                               halyard::services::optional_text(target));
  });
}
