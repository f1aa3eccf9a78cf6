// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/operators/contract.h"

#include <set>
#include <string>

namespace halyard::services {

// What a kernel of a contract has to do, in words that instruction_topics.inc asks for:
//   product    sums products of two tensors, each of which has an axis that the other lacks
//   stream     anything else: reads and writes each element about once
//   reduction  combines elements along an axis
//   indexed    reads or writes at places that another tensor names
//   type.<t>   has elements of this type
//   rsqrt exp log ...  computes this function
// kernel_facts() adds what the device has to do with it:
//   cooperative  multiplies matrices over a subgroup
using ContractTraits = std::set<std::string, std::less<>>;

ContractTraits traits_of(const operators::Contract& contract);

}  // namespace halyard::services
