// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/operators/contract.h"

#include <boost/json/value.hpp>
#include <string_view>

namespace halyard::operators {

// Reads the members of a contract document. Errors: CORRUPT_DATA with source and JSON pointer.
base::Result<ContractFields> read_contract(const boost::json::value& document,
                                           std::string_view source);

// Checks that the names, expressions, golden axes and workloads of a contract fit together.
// Errors: CORRUPT_DATA.
base::Status check_contract(const ContractFields& fields, std::string_view source);

}  // namespace halyard::operators
