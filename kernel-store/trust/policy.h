// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::store {

// What may let a kernel run.
enum class ExecutionBasis : std::uint8_t {
  kBundled,     // "bundled": it came with the library.
  kVerified,    // "verified": this store's own verification passed.
  kTrustedKey,  // "trusted-key": a trusted key approves it, the user's own included.
  kLocalKey,    // "local-key": a key of the user's own approves it.
  kUnverified,  // "unverified": nothing; every kernel of the store.
};

// What happens to a kernel whose evidence is of another driver or toolchain.
enum class StalePolicy : std::uint8_t {
  kSelfTest,  // "self-test": it runs once its self-test has passed again.
  kReverify,  // "reverify": it waits for a verification.
  kRefuse,    // "refuse"
};

// Where code runs.
enum class CodePlace : std::uint8_t {
  kThisProcess,  // "cpu": machine code that is loaded into this process.
  kDevice,       // "gpu": code that a driver takes.
};

std::string_view execution_basis_name(ExecutionBasis basis);
std::string_view stale_policy_name(StalePolicy stale);
std::string_view code_place_name(CodePlace place);

// What may run: a `halyard.policy/1` document. The default is what an absent file stands for.
struct Policy {
  // Any of which suffices, by place; sorted.
  std::vector<ExecutionBasis> this_process = {ExecutionBasis::kBundled, ExecutionBasis::kLocalKey};
  std::vector<ExecutionBasis> device = {ExecutionBasis::kBundled, ExecutionBasis::kVerified,
                                        ExecutionBasis::kTrustedKey, ExecutionBasis::kLocalKey};
  StalePolicy stale = StalePolicy::kSelfTest;

  const std::vector<ExecutionBasis>& bases(CodePlace place) const;
  bool operator==(const Policy&) const = default;
};

// An absent file is the default. Errors: those of read_guarded_file() and parse_policy().
base::Result<Policy> load_policy(const std::string& path);
// Members that are absent are those of the default. Errors: kCorruptData with the JSON pointer of
// what is wrong.
base::Result<Policy> parse_policy(std::string_view json_text, std::string_view source_name);
std::string policy_json(const Policy& policy);

}  // namespace halyard::store
