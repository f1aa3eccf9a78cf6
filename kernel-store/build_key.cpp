// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/build_key.h"

namespace halyard::store {

BuildKey compute_build_key(const BuildInputs& inputs) {
  FieldHash hash("halyard.build-key/1");
  hash.add(inputs.kernel)
      .add(parameters_json(inputs.parameters))
      .add(inputs.target)
      .add(type_binding_json(inputs.types))
      .add(inputs.toolchain)
      .add(inputs.driver)
      .add_count(inputs.flags.size());
  for (const std::string& flag : inputs.flags) hash.add(flag);
  return hash.finish();
}

}  // namespace halyard::store
