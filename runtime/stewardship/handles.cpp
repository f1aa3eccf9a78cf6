// SPDX-License-Identifier: Apache-2.0
#include "runtime/stewardship/handles.h"

#include "runtime/base/utf8.h"

namespace halyard::stewardship {
namespace {

constexpr std::uint64_t kMaxDays = 36525;
constexpr std::int64_t kDayMs = std::int64_t{24} * 60 * 60 * 1000;
constexpr std::size_t kMaxPassphraseBytes = 1024;

}  // namespace

base::Result<std::string> kept_text(const char* text, std::size_t limit, std::string_view what) {
  std::string kept = optional_text(text).value_or("");
  if (kept.size() > limit) {
    return base::invalid_argument(
        base::concat(what, " has ", kept.size(), " bytes, more than ", limit, "."));
  }
  if (!base::is_utf8(kept)) return base::invalid_argument(base::concat(what, " is no UTF-8."));
  return kept;
}

base::Result<std::vector<std::string>> texts_of(const char* const* texts, std::uint32_t count,
                                                std::string_view what) {
  std::vector<std::string> all;
  if (count != 0) HALYARD_TRY(base::require_not_null(texts, what));
  for (std::uint32_t i = 0; i < count; ++i) {
    HALYARD_TRY(base::require_not_null(texts[i], base::concat(what, "[", i, "]")));
    all.emplace_back(texts[i]);
  }
  return all;
}

base::Result<std::int64_t> days_from_now_ms(std::uint64_t days, std::string_view what) {
  if (days > kMaxDays) {
    return base::invalid_argument(
        base::concat(what, " (", days, " days) is more than ", kMaxDays, " days."));
  }
  return days == 0 ? 0 : unix_now_ms() + static_cast<std::int64_t>(days) * kDayMs;
}

base::Result<store::Secret> secret_of(const void* bytes, std::size_t size, std::string_view what) {
  if (size == 0) return store::Secret();
  HALYARD_TRY(base::require_not_null(bytes, what));
  if (size > kMaxPassphraseBytes) {
    return base::invalid_argument(
        base::concat(what, " has ", size, " bytes, more than ", kMaxPassphraseBytes, "."));
  }
  return store::Secret::copy_of({static_cast<const char*>(bytes), size});
}

base::Result<std::optional<store::SigningKey>> load_key(const char* path, const void* passphrase,
                                                        std::size_t passphrase_size) {
  if (path == nullptr) return std::optional<store::SigningKey>();
  HALYARD_TRY_ASSIGN(const store::Secret secret,
                     secret_of(passphrase, passphrase_size, "The passphrase"));
  HALYARD_TRY_ASSIGN(store::SigningKey key, store::SigningKey::load(path, secret));
  return std::optional(std::move(key));
}

}  // namespace halyard::stewardship
