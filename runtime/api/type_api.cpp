// SPDX-License-Identifier: Apache-2.0
#include "halyard/type.h"

#include "runtime/base/data_type.h"

namespace {

bool is_known(halyard_type type) {
  return type >= HALYARD_TYPE_F64 && type <= HALYARD_TYPE_FP8_E5M2;
}

}  // namespace

extern "C" const char* halyard_type_name(halyard_type type) {
  if (!is_known(type)) return "unknown";
  return halyard::base::data_type_name(static_cast<halyard::base::DataType>(type)).data();
}

extern "C" halyard_type halyard_type_from_name(const char* name) {
  if (name == nullptr) return HALYARD_TYPE_NONE;
  const auto type = halyard::base::data_type_from_name(name);
  return type ? static_cast<halyard_type>(*type) : HALYARD_TYPE_NONE;
}

extern "C" uint32_t halyard_type_size_bytes(halyard_type type) {
  if (!is_known(type)) return 0;
  return halyard::base::data_type_size_bytes(static_cast<halyard::base::DataType>(type));
}
