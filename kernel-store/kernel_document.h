// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/bundle.h"
#include "kernel-store/kernel_store.h"
#include "kernel-store/trust/trust_list.h"
#include "runtime/base/result.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstdint>
#include <string>

namespace halyard::store {

// What is known of a kernel of either layer and what `store` says of its states: an entry of a
// "halyard.kernels/1" document. Errors: those of the store.
base::Result<boost::json::object> kernel_members(KernelStore& store, const BuiltKernel& kernel,
                                                 bool bundled);

std::string kernels_document(boost::json::array kernels);

// Record, builds, states, approvals (whether each counts at `now_ms` by `trust`) and evidence: the
// "halyard.kernel-detail/1" document. Errors: those of the store.
base::Result<std::string> kernel_detail_document(KernelStore& store, const BuiltKernel& kernel,
                                                 bool bundled, const TrustList& trust,
                                                 std::int64_t now_ms);

}  // namespace halyard::store
