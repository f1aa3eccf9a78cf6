// SPDX-License-Identifier: Apache-2.0
#include "halyard/constant.h"

#include "runtime/api/boundary.h"
#include "runtime/api/handles.h"
#include "runtime/base/data_type.h"
#include "runtime/dispatch/constant.h"

#include <span>

namespace {

using halyard::api::guard;
using halyard::api::invalid_argument;
using halyard::api::require_not_null;
using halyard::dispatch::Constant;
namespace base = halyard::base;

base::Result<std::uint64_t> packed_size(const halyard_constant_desc& desc) {
  if (desc.rank > HALYARD_MAX_RANK) {
    return invalid_argument(
        base::concat("Rank (", desc.rank, ") is above ", HALYARD_MAX_RANK, "."));
  }
  if (desc.flags != 0) return invalid_argument(base::concat("Flags (", desc.flags, ") are not 0."));
  const std::uint32_t element = halyard_type_size_bytes(static_cast<halyard_type>(desc.type));
  if (element == 0) return invalid_argument(base::concat("Type ", desc.type, " is unknown."));
  if (desc.rank != 0) HALYARD_TRY(require_not_null(desc.shape, "shape"));
  std::int64_t bytes = element;
  for (std::uint32_t d = 0; d < desc.rank; ++d) {
    if (desc.shape[d] < 0 || __builtin_mul_overflow(bytes, desc.shape[d], &bytes)) {
      return invalid_argument(base::concat("Dimension ", d, " (", desc.shape[d],
                                           ") is negative or makes the constant larger than "
                                           "2^63 - 1 bytes."));
    }
  }
  if (bytes != 0) HALYARD_TRY(require_not_null(desc.data, "data"));
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace

extern "C" halyard_status halyard_constant_create(halyard_device* device,
                                                  const halyard_constant_desc* desc,
                                                  halyard_constant** out_constant) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(out_constant, "out_constant"));
    *out_constant = nullptr;
    HALYARD_TRY(require_not_null(device, "device"));
    HALYARD_TRY_ASSIGN(const halyard_constant_desc read,
                       halyard::api::read_struct(desc, sizeof(halyard_constant_desc), "desc"));
    HALYARD_TRY_ASSIGN(const std::uint64_t size, packed_size(read));
    HALYARD_TRY_ASSIGN(
        auto constant,
        Constant::create(halyard::api::core_device(device), static_cast<base::DataType>(read.type),
                         {read.shape, read.rank},
                         {static_cast<const std::byte*>(read.data), size}));
    *out_constant = constant.detach();
    return base::ok();
  });
}

extern "C" void halyard_constant_retain(halyard_constant* constant) {
  if (constant != nullptr) static_cast<Constant*>(constant)->retain();
}

extern "C" void halyard_constant_release(halyard_constant* constant) {
  if (constant != nullptr) static_cast<Constant*>(constant)->release();
}

extern "C" uint64_t halyard_constant_size_bytes(halyard_constant* constant) {
  return constant == nullptr ? 0 : static_cast<Constant*>(constant)->size_bytes();
}
