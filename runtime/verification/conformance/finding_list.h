// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/verification/verdict.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace halyard::verification {

// What a check has against code, every sentence beginning with the same subject: `The code of
// kernel "cast"`. Bounded, so that code that is wrong a million times gives no million sentences.
class FindingList {
 public:
  static constexpr std::size_t kMostFindings = 16;

  explicit FindingList(std::string subject, Stage stage = Stage::kConformance)
      : subject_(std::move(subject)),
        stage_(stage) {}

  // refuse("has ", 3, " constructors") adds `The code of kernel "cast" has 3 constructors.`
  template <typename... Pieces>
  void refuse(const Pieces&... pieces) {
    if (findings_.size() == kMostFindings) return;
    findings_.push_back(
        {stage_, VerdictClass::kStatic, base::concat(subject_, ' ', pieces..., '.'), std::nullopt});
  }

  bool empty() const { return findings_.empty(); }
  bool is_full() const { return findings_.size() == kMostFindings; }
  std::vector<Finding> take() && { return std::move(findings_); }

 private:
  std::string subject_;
  Stage stage_;
  std::vector<Finding> findings_;
};

// Text from untrusted bytes for a message: at most `most_bytes`, the unprintable ones as "?".
std::string printable(std::string_view text, std::size_t most_bytes = 64);
// The sentence of an error without its end, to stand in another.
std::string reason_of(const base::Error& error);
// "0x1f40"
std::string hexadecimal(std::uint64_t value);

}  // namespace halyard::verification
