// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/approval.h"
#include "kernel-store/kernel_state.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::store {

// A key whose approvals count.
struct TrustedKey {
  PublicKey key{};
  std::string label;                 // Unique; names the key in histories.
  std::vector<KernelState> may_say;  // Of verified, promoted, quarantined, retired; sorted.
  bool local = false;              // The user's own: by default only such a key approves code that
                                   // runs inside this process.
  std::int64_t not_before_ms = 0;  // Since 1970 UTC.
  std::int64_t expires_ms = 0;     // Since 1970 UTC; 0 for never.

  bool may(KernelState state) const;
};

// Keys that the user trusts: a `halyard.trust/1` document.
class TrustList {
 public:
  // An absent file is an empty list. Errors: those of read_guarded_file() and parse().
  static base::Result<TrustList> load(const std::string& path);
  // Errors: kCorruptData with the JSON pointer of what is wrong.
  static base::Result<TrustList> parse(std::string_view json_text, std::string_view source_name);

  std::string to_json() const;

  // By label.
  std::span<const TrustedKey> keys() const { return keys_; }
  // Null when the key is not in the list. Borrowed from the list, until it changes.
  const TrustedKey* find(const PublicKey& key) const;
  // By label, or by the key's text.
  const TrustedKey* find(std::string_view name) const;

  // Errors: kInvalidArgument for a label or key that is there, an unusable label (1 to 64 of
  // A-Z a-z 0-9 _ . @ + - and spaces inside), no or another state, an expiry before the start, or
  // more than kMaxTrustedKeys.
  base::Status add(TrustedKey key);
  // By label or key text. Errors: kNotFound.
  base::Status remove(std::string_view name);

 private:
  std::vector<TrustedKey> keys_;
};

inline constexpr std::size_t kMaxTrustedKeys = 1024;

// Loads the list, lets `change` change it and replaces the file (mode 0644) in one step; of two
// processes that do so one waits for the other. Makes the folder. Nothing is written when `change`
// fails.
base::Status change_trust_list(const std::string& path,
                               const std::function<base::Status(TrustList&)>& change);

}  // namespace halyard::store
