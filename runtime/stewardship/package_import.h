// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/exchange/exchange_report.h"
#include "runtime/base/result.h"
#include "runtime/stewardship/stewarded_store.h"

#include <string>

namespace halyard::stewardship {

// Takes over an export, or the kernel package in the folder `path`, which becomes a candidate on
// each of its targets. Errors: those of import_store() and load_kernel_package(); nothing of a
// package that is refused is stored.
base::Result<store::ExchangeReport> import_path(const StewardedStore& stewarded,
                                                const std::string& path);

}  // namespace halyard::stewardship
