// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/disassembly.h"

#include "capability-descriptors/object/disassembly.h"
#include "runtime/base/file.h"
#include "runtime/base/text.h"

#include <cstddef>
#include <utility>

namespace halyard::services {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using descriptors::Descriptor;
using descriptors::DescriptorCatalog;

constexpr std::size_t kLargestObjectBytes = std::size_t{256} << 20;

Result<std::string> instruction_set_of(const DescriptorCatalog& catalog,
                                       const std::string& target) {
  HALYARD_TRY_ASSIGN(const std::optional<Descriptor> found, catalog.find_by_target(target));
  if (!found) {
    return Error(ErrorCode::kNotFound, concat("No descriptor has the target \"", target, "\"."));
  }
  if (found->instruction_set.empty()) {
    return Error(ErrorCode::kNotFound, concat("The descriptor ", found->id, " of the target \"",
                                              target, "\" names no instruction set."));
  }
  return found->instruction_set;
}

}  // namespace

Result<std::string> disassemble_file(const Catalog& catalog, const std::string& path,
                                     const std::optional<std::string>& target) {
  HALYARD_TRY_ASSIGN(const std::string bytes, base::read_text_file(path, kLargestObjectBytes));
  std::string wanted;
  if (target) {
    wanted = target->find('-') == std::string::npos ? "amdgcn-" + *target : *target;
  } else {
    HALYARD_TRY_ASSIGN(wanted, object::target_of(bytes, path));
  }
  HALYARD_TRY_ASSIGN(const DescriptorCatalog files, catalog.read());
  HALYARD_TRY_ASSIGN(const std::string id, instruction_set_of(files, wanted));
  HALYARD_TRY_ASSIGN(const isa::InstructionSet set, files.find_instruction_set(id));
  return object::disassemble_object(bytes, path, set);
}

}  // namespace halyard::services
