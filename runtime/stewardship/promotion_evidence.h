// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/evidence.h"
#include "kernel-store/kernel_state.h"
#include "kernel-store/kernel_store.h"
#include "runtime/base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace halyard::stewardship {

// The evidence of a kernel with this id, or 8 or more leading digits of it. Errors: kNotFound;
// kInvalidArgument when several match; those of the store.
base::Result<store::EvidenceRecord> find_evidence(store::KernelStore& store,
                                                  const store::KernelId& kernel,
                                                  std::string_view reference);

// Why `record` does not carry a promotion on `target` for `drivers`; nothing when it does.
std::optional<std::string> unfit_reason(const store::EvidenceRecord& record,
                                        std::string_view target, const store::DriverRange& drivers);

// The evidence that a promotion rests on: the one that is asked for, else the newest that does.
// Errors: kPermissionDenied with why the asked or the newest one does not, or that there is none.
base::Result<store::EvidenceRecord> promotion_evidence(store::KernelStore& store,
                                                       const store::KernelId& kernel,
                                                       std::string_view target,
                                                       const store::DriverRange& drivers,
                                                       const std::optional<std::string>& asked);

}  // namespace halyard::stewardship
