// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/open_store.h"

#include "kernel-store/sqlite_store.h"
#include "runtime/base/text.h"

#include <utility>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;

// The part before ':' of a URL, empty for a path. A scheme is letters, digits and + - . only.
std::string_view scheme_of(std::string_view url) {
  const std::size_t colon = url.find(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view scheme = url.substr(0, colon);
  for (const char c : scheme) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && !(c >= '0' && c <= '9') && c != '+' && c != '-' && c != '.') return {};
  }
  return scheme;
}

}  // namespace

Result<std::unique_ptr<KernelStore>> open_store(std::string_view url) {
  const std::string_view scheme = scheme_of(url);
  std::string_view path = url;
  if (url.find('\0') != std::string_view::npos) {
    return Error(ErrorCode::kInvalidArgument, "The store's URL holds a NUL byte.");
  }
  if (scheme == "memory") {
    if (url != "memory:") {
      return Error(ErrorCode::kInvalidArgument,
                   concat("The store \"", url, "\" has text after \"memory:\"."));
    }
    return std::unique_ptr<KernelStore>(
        std::make_unique<SqliteStore>(std::string(url), "", std::string()));
  }
  if (scheme == "postgresql" || scheme == "postgres") {
    return Error(
        ErrorCode::kUnsupported,
        "An application has no PostgreSQL engine; it takes \"sqlite:<path>\" and \"memory:\", "
        "and halyard store sync copies between the two.");
  }
  if (scheme == "sqlite") {
    path = url.substr(scheme.size() + 1);
  } else if (!scheme.empty()) {
    // The rest may hold a password.
    return Error(ErrorCode::kInvalidArgument,
                 concat("The store's URL has the scheme \"", scheme,
                        "\", which is not sqlite, memory or postgresql."));
  }
  // What is mistyped before a URL would make its password a name in the file system.
  if (path.find("://") != std::string_view::npos) {
    return Error(ErrorCode::kInvalidArgument,
                 "The store's path holds \"://\", as a URL does, and does not begin as one.");
  }
  if (path.empty()) return Error(ErrorCode::kInvalidArgument, "The store's path is empty.");
  return std::unique_ptr<KernelStore>(
      std::make_unique<SqliteStore>(std::string(url), std::string(path), std::nullopt));
}

std::unique_ptr<KernelStore> open_memory_store(std::string reason) {
  return std::make_unique<SqliteStore>("memory:", "", std::move(reason));
}

}  // namespace halyard::store
