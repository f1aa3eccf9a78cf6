// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/build_key.h"

namespace halyard::store {

BuildKey compute_build_key(const BuildInputs& inputs) {
  base::Sha256 hash;
  hash.update_field("format", "halyard.build-key/1");
  hash.update_field("kernel", std::as_bytes(std::span(inputs.kernel)));
  hash.update_field("parameters", parameters_json(inputs.parameters));
  hash.update_field("target", inputs.target);
  hash.update_field("types", type_binding_json(inputs.types));
  hash.update_field("toolchain", inputs.toolchain);
  hash.update_field("driver", inputs.driver);
  for (const std::string& flag : inputs.flags)
    hash.update_field("flag", flag);
  return hash.finish();
}

}  // namespace halyard::store
