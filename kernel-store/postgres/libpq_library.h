// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <libpq-fe.h>

#include <string>

namespace halyard::store {

// The functions of libpq, loaded when a store on a server is opened: nothing of ours is linked with
// it. The library stays loaded until the process ends.
struct LibpqLibrary {
#define HALYARD_LIBPQ_SYMBOL(name) decltype(&::name) name = nullptr;
#include "kernel-store/postgres/libpq_symbols.inc"
#undef HALYARD_LIBPQ_SYMBOL

  // `candidate` is a name or a path. Errors: kUnavailable without the library, kNotFound for one
  // that lacks a function.
  static base::Result<LibpqLibrary> load(const char* candidate = "libpq.so.5");
};

}  // namespace halyard::store
