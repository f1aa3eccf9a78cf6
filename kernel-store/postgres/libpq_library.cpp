// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/libpq_library.h"

#include "runtime/base/dynamic_library.h"

#include <type_traits>
#include <utility>

namespace halyard::store {

base::Result<LibpqLibrary> LibpqLibrary::load(const char* candidate) {
  base::Result<base::DynamicLibrary> opened = base::DynamicLibrary::open(candidate);
  if (!opened) {
    return std::move(opened.error()).with_context("loading the client library of PostgreSQL");
  }
  base::DynamicLibrary library = std::move(*opened);
  LibpqLibrary loaded;
#define HALYARD_LIBPQ_SYMBOL(name) \
  HALYARD_TRY_ASSIGN(loaded.name,  \
                     library.function<std::remove_pointer_t<decltype(loaded.name)>>(#name));
#include "kernel-store/postgres/libpq_symbols.inc"
#undef HALYARD_LIBPQ_SYMBOL
  // It registers exit handlers of the TLS library that it brings.
  library.leak();
  return loaded;
}

}  // namespace halyard::store
