// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/halyard.hpp"
#include "halyard/services/descriptor.h"

#include <string>

namespace halyard::command_line {

class DescriptorCatalog
    : public Handle<halyard_descriptor_catalog, halyard_descriptor_catalog_retain,
                    halyard_descriptor_catalog_release> {
 public:
  using Handle::Handle;

  // The shipped descriptors and those of the user.
  static DescriptorCatalog open() {
    halyard_descriptor_catalog* handle = nullptr;
    check(halyard_descriptor_catalog_open(nullptr, &handle));
    return DescriptorCatalog(handle);
  }
};

// The text of the document that `call`, a function of services/descriptor.h, gives for these
// arguments.
template <typename Call, typename... Arguments>
std::string read_document(Call&& call, Arguments... arguments) {
  halyard_document* handle = nullptr;
  check(call(arguments..., &handle));
  const Handle<halyard_document, halyard_document_retain, halyard_document_release> document(
      handle);
  return halyard_document_text(document.get());
}

}  // namespace halyard::command_line
