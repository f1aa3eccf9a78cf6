// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/float_formats.h"
#include "runtime/operators/element_reader.h"
#include "runtime/operators/reference_factories.h"

#include <array>

namespace halyard::operators {
namespace {

class CastReference final : public Reference {
 public:
  CastReference(const ReferenceInputs& inputs, const ShapeTable& shapes)
      : Reference(inputs, shapes) {}

 private:
  enum Tensor : std::size_t { kX, kY };

  Element element(std::size_t tensor, std::uint64_t index) override {
    const base::DataType type = problem().tensor_type(tensor);
    std::array<unsigned char, 8> stored{};
    base::store_from_double(type, read_element(input(kX), element_offset(input(kX), index)),
                            stored.data());
    return {base::load_as_double(type, stored.data()), 0};
  }
};

}  // namespace

std::unique_ptr<Reference> make_cast_reference(const ReferenceInputs& inputs,
                                               const ShapeTable& shapes) {
  return std::make_unique<CastReference>(inputs, shapes);
}

}  // namespace halyard::operators
