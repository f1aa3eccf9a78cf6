// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/exchange/exchange_report.h"
#include "kernel-store/kernel_store.h"
#include "kernel-store/trust/signing_key.h"
#include "runtime/base/result.h"

#include <string>
#include <vector>

namespace halyard::store {

// Which records leave.
struct ExportSelection {
  std::vector<KernelId> kernels;  // Empty: all, of `contract` if that is given.
  std::string contract;
  std::string target;  // Of builds, evidence, approvals and history; empty: all.
};

// Writes kernels with their files, builds, evidence, approvals and history to `path`: one archive
// for a name that ends in .tar, .tar.gz, .tgz or .tar.zst, else a new folder. It appears whole or
// not at all. The same records give the same bytes. `signer` may be null.
//
// Errors: kNotFound for a kernel that the store does not have, kPermissionDenied where `path`
// exists, kInvalidArgument beyond the bounds of an import, and those of the store.
base::Result<ExchangeReport> export_store(KernelStore& store, const ExportSelection& selection,
                                          const std::string& path, const SigningKey* signer);

}  // namespace halyard::store
