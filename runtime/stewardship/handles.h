// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/services/store.h"

#include "kernel-store/trust/secret.h"
#include "kernel-store/trust/signing_key.h"
#include "runtime/base/boundary.h"
#include "runtime/base/document_handle.h"
#include "runtime/base/ref.h"
#include "runtime/stewardship/stewarded_store.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct halyard_store : public halyard::base::RefCounted {
  explicit halyard_store(halyard::stewardship::StewardedStore opened)
      : stewarded(std::move(opened)) {}

  const halyard::stewardship::StewardedStore stewarded;
};

namespace halyard::stewardship {

inline std::optional<std::string> optional_text(const char* text) {
  if (text == nullptr) return std::nullopt;
  return text;
}

inline base::Status require_zero(std::uint64_t value, std::string_view what) {
  if (value == 0) return base::ok();
  return base::invalid_argument(base::concat(what, " is ", value, ", and must be 0."));
}

// Makes the document of what `body` gives: a Result of a text.
template <typename Body>
halyard_status make_document(halyard_document** out, Body&& body) {
  return base::guard([&]() -> base::Status {
    HALYARD_TRY(base::require_not_null(out, "The place of the document"));
    *out = nullptr;
    HALYARD_TRY_ASSIGN(std::string text, std::forward<Body>(body)());
    *out = new halyard_document(std::move(text));
    return base::ok();
  });
}

// A text that records keep; "" for NULL. Errors: kInvalidArgument for one that is no UTF-8, or
// longer than `limit` bytes.
base::Result<std::string> kept_text(const char* text, std::size_t limit, std::string_view what);

// The texts of a C array.
base::Result<std::vector<std::string>> texts_of(const char* const* texts, std::uint32_t count,
                                                std::string_view what);

// The time in so many days; 0 for 0. Errors: kInvalidArgument beyond 100 years.
base::Result<std::int64_t> days_from_now_ms(std::uint64_t days, std::string_view what);

base::Result<store::Secret> secret_of(const void* bytes, std::size_t size, std::string_view what);

// Nothing when `path` is NULL.
base::Result<std::optional<store::SigningKey>> load_key(const char* path, const void* passphrase,
                                                        std::size_t passphrase_size);

}  // namespace halyard::stewardship
