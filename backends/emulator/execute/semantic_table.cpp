// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/operand_wrappers.h"
#include "backends/emulator/execute/semantic_parts.h"

#include <algorithm>
#include <vector>

namespace halyard::emulator {
namespace {

// All semantics by name, in order.
class SemanticTable {
 public:
  SemanticTable() {
    for (const auto set : {scalar_semantics(),
                           scalar_float_semantics(),
                           scalar_mask_semantics(),
                           relative_move_semantics(),
                           control_semantics(),
                           vector_float_semantics(),
                           float_minmax_semantics(),
                           float_approximate_semantics(),
                           float_rounding_semantics(),
                           float_division_semantics(),
                           float_double_semantics(),
                           vector_integer_semantics(),
                           carry_semantics(),
                           vector_compare_semantics(),
                           vector_convert_semantics(),
                           small_float_semantics(),
                           vector_packed_semantics(),
                           packed_integer_semantics(),
                           lane_semantics(),
                           scalar_memory_semantics(),
                           lds_semantics(),
                           global_memory_semantics(),
                           buffer_memory_semantics(),
                           matrix_semantics(),
                           dot_semantics()}) {
      entries_.insert(entries_.end(), set.begin(), set.end());
    }
    std::sort(entries_.begin(), entries_.end(),
              [](const Semantic& a, const Semantic& b) { return a.name < b.name; });
  }

  const Semantic* find(std::string_view name) const {
    const auto found = std::lower_bound(
        entries_.begin(), entries_.end(), name,
        [](const Semantic& entry, std::string_view key) { return entry.name < key; });
    return found != entries_.end() && found->name == name ? &*found : nullptr;
  }

 private:
  std::vector<Semantic> entries_;
};

}  // namespace

Handler choose_handler(Operation& operation, const SemanticContext& context) {
  static const SemanticTable table;
  operation.wrapped = nullptr;
  if (operation.first_half != nullptr && operation.second_half != nullptr) {
    return choose_pair(operation);
  }
  const Semantic* const semantic = table.find(operation.name);
  if (semantic == nullptr) return nullptr;
  const Handler handler = semantic->choose(operation, context);
  if (handler == nullptr || (operation.permutation == nullptr && operation.sub_dword == nullptr)) {
    return handler;
  }
  operation.wrapped = handler;
  return operation.permutation != nullptr ? choose_permuted(operation, context)
                                          : choose_sub_dword(operation, context);
}

}  // namespace halyard::emulator
