// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/program/semantics.h"

#include <algorithm>
#include <array>
#include <vector>

namespace halyard::emulator {
namespace {

// All semantics by name, sorted once.
class SemanticTable {
 public:
  SemanticTable() {
    for (const auto set :
         {scalar_semantics(), control_semantics(), vector_float_semantics(),
          vector_integer_semantics(), vector_compare_semantics(), vector_convert_semantics(),
          vector_packed_semantics(), lane_semantics(), scalar_memory_semantics(), lds_semantics(),
          global_memory_semantics(), buffer_memory_semantics(), matrix_semantics(),
          dot_semantics()}) {
      entries_.insert(entries_.end(), set.begin(), set.end());
    }
    std::sort(entries_.begin(), entries_.end(),
              [](const Semantic& a, const Semantic& b) { return a.name < b.name; });
  }

  const Semantic* find(std::string_view name) const {
    const auto found =
        std::lower_bound(entries_.begin(), entries_.end(), name,
                         [](const Semantic& a, std::string_view b) { return a.name < b; });
    return found != entries_.end() && found->name == name ? &*found : nullptr;
  }

 private:
  std::vector<Semantic> entries_;
};

}  // namespace

Handler choose_handler(Operation& operation, const SemanticContext& context) {
  static const SemanticTable table;
  const Semantic* const semantic = table.find(operation.name);
  return semantic ? semantic->choose(operation, context) : nullptr;
}

}  // namespace halyard::emulator
