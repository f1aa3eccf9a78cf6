// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/services/document.h"

#include "runtime/base/ref.h"

#include <string>
#include <utility>

// A text behind the C interface of the second library. Immutable.
struct halyard_document : public halyard::base::RefCounted {
  explicit halyard_document(std::string made) : text(std::move(made)) {}

  const std::string text;
};
