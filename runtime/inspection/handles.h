// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/services/descriptor.h"

#include "runtime/base/boundary.h"
#include "runtime/base/document_handle.h"
#include "runtime/base/ref.h"
#include "runtime/inspection/catalog.h"

#include <optional>
#include <string>
#include <utility>

struct halyard_descriptor_catalog : public halyard::base::RefCounted {
  explicit halyard_descriptor_catalog(halyard::services::Catalog opened)
      : catalog(std::move(opened)) {}

  const halyard::services::Catalog catalog;
};

namespace halyard::services {

inline std::optional<std::string> optional_text(const char* text) {
  if (text == nullptr) return std::nullopt;
  return text;
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

}  // namespace halyard::services
