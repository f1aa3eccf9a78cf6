// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/shape_plan.h"

#include "runtime/base/text.h"
#include "runtime/operators/random_inputs.h"
#include "runtime/verification/shape_source.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace halyard::verification {
namespace {

// Around the sizes of tiles, warps, pages and grids, primes, and reductions long enough to show in
// what type they count.
constexpr std::array<std::int64_t, 28> kEdgeSizes{
    0,  1,  2,  3,   7,   8,   13,  15,  16,  17,   31,   32,   33,   63,
    64, 65, 97, 127, 128, 129, 255, 257, 509, 1023, 1024, 1025, 4097, 14336};
// A grid has 65535 groups in its second dimension.
constexpr std::array<std::int64_t, 2> kLaunchSizes{8191, 65536};
constexpr std::array<std::int64_t, 3> kVocabularies{128256, 129280, 151936};

class ShapePlan {
 public:
  ShapePlan(const ShapePlanDesc& desc, const ShapeSource& source)
      : desc_(desc),
        source_(source),
        maker_(desc.contract, desc.types, desc.serves),
        random_(desc.seed, "shapes") {}

  std::vector<PlannedShape> make() {
    add_visible();
    add_golden();
    add_edges();
    sort_from(0);
    drop_costly_from(0);
    const std::size_t shown = shapes_.size();
    for (std::size_t i = 0; i < desc_.budget.held_out; ++i)
      add_held_out();
    sort_from(shown);
    drop_costly_from(shown);
    return std::move(shapes_);
  }

 private:
  const operators::Contract& contract() const { return *desc_.contract; }

  bool add(const AxisMap& axes, const operators::Attributes& attributes, const ShapeLimits& limits,
           ShapeOrigin origin) {
    const std::string key = key_of(axes);
    if (known_.contains(key)) return false;
    std::optional<PlannedShape> shape = maker_.make(axes, attributes, limits);
    if (!shape) return false;
    known_.insert(key);
    shape->origin = origin;
    shapes_.push_back(std::move(*shape));
    return true;
  }

  // Axes only: attributes take turns, so that one shape is not launched with each of them.
  static std::string key_of(const AxisMap& axes) {
    std::string key;
    for (const auto& [name, value] : axes)
      key += base::concat(name, '=', value, ';');
    return key;
  }

  const operators::Attributes& attributes_by_turns() {
    return source_.attributes()[turn_++ % source_.attributes().size()];
  }

  void add_visible() {
    std::vector<PlannedShape> all;
    for (std::size_t i = 0; i < source_.visible().size(); ++i) {
      auto shape =
          maker_.make(source_.visible()[i], source_.visible_attributes()[i], desc_.budget.visible);
      if (shape) all.push_back(std::move(*shape));
    }
    std::stable_sort(all.begin(), all.end(), is_cheaper);
    std::int64_t steps = 0;
    for (PlannedShape& shape : all) {
      steps += shape.steps;
      if (steps > desc_.budget.visible_steps) break;
      AxisMap axes;
      for (const operators::AxisValue& axis : shape.axes)
        axes[axis.name] = axis.value;
      if (!known_.insert(key_of(axes)).second) continue;
      shape.origin = ShapeOrigin::kVisible;
      shapes_.push_back(std::move(shape));
    }
  }

  void add_golden() {
    for (const AxisMap& axes : source_.golden())
      add(axes, attributes_by_turns(), desc_.budget.edge, ShapeOrigin::kEdge);
    for (const AxisMap& axes : source_.bases())
      add(axes, attributes_by_turns(), desc_.budget.edge, ShapeOrigin::kEdge);
  }

  void add_edges() {
    for (const operators::ContractAxis& axis : contract().axes()) {
      if (source_.is_derived(axis.name)) continue;
      for (const std::int64_t size : kEdgeSizes)
        add_edge(axis, size);
      if (axis.kind == operators::AxisKind::kLaunch) {
        for (const std::int64_t size : kLaunchSizes)
          add_edge(axis, size);
      }
      if (axis.name == "vocab") {
        for (const std::int64_t size : kVocabularies)
          add_edge(axis, size);
      }
    }
  }

  // The first base, by turns, that takes the value.
  void add_edge(const operators::ContractAxis& axis, std::int64_t size) {
    if (size < axis.min || size > axis.max) return;
    const std::size_t count = source_.bases().size();
    const std::size_t first = turn_;
    const operators::Attributes& attributes = attributes_by_turns();
    for (std::size_t i = 0; i < count; ++i) {
      AxisMap axes = source_.bases()[(first + i) % count];
      axes[axis.name] = size;
      if (!source_.derive(axes)) continue;
      if (add(axes, attributes, desc_.budget.edge, ShapeOrigin::kEdge)) return;
    }
  }

  void add_held_out() {
    constexpr int kAttempts = 400;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      AxisMap axes;
      for (const operators::ContractAxis& axis : contract().axes())
        axes[axis.name] = draw(axis);
      const bool is_free = next() % 4 == 0;
      if (!is_free && !source_.derive(axes)) continue;
      const auto& attributes = source_.attributes()[next() % source_.attributes().size()];
      if (add(axes, attributes, desc_.budget.edge, ShapeOrigin::kHeldOut)) return;
    }
  }

  // Log-uniform, often a multiple of a power of two; or a known value or its neighbour, since a
  // kernel's conditions may leave few others.
  std::int64_t draw(const operators::ContractAxis& axis) {
    const std::int64_t least = std::max<std::int64_t>(axis.min, 1);
    const std::vector<std::int64_t>& known = source_.known_values(axis.name);
    const std::uint64_t mode = next() % 8;
    if (mode < 3 && !known.empty()) {
      const std::int64_t value = known[next() % known.size()];
      const std::int64_t shift = mode == 0 ? static_cast<std::int64_t>(next() % 3) - 1 : 0;
      return std::clamp(value + shift, least, axis.max);
    }
    constexpr double kMost = 16384;
    const double most = std::min(kMost, static_cast<double>(axis.max));
    const double share = static_cast<double>(next() >> 11) * 0x1p-53;
    const double low = static_cast<double>(least);
    auto value = static_cast<std::int64_t>(low * std::pow(std::max(most / low, 1.0), share));
    if (mode < 6) {
      const std::int64_t unit = std::int64_t{1} << (next() % 9);
      value = std::max(unit, value / unit * unit);
    }
    return std::clamp(value, least, axis.max);
  }

  std::uint64_t next() { return random_.bits(drawn_++); }

  static bool is_cheaper(const PlannedShape& a, const PlannedShape& b) { return a.steps < b.steps; }

  void sort_from(std::size_t first) {
    std::stable_sort(shapes_.begin() + static_cast<std::ptrdiff_t>(first), shapes_.end(),
                     is_cheaper);
  }

  // What is beyond the budget of the shapes from `first` on, which are sorted.
  void drop_costly_from(std::size_t first) {
    constexpr std::size_t kLeast = 4;
    std::int64_t steps = 0;
    for (std::size_t i = first; i < shapes_.size(); ++i) {
      steps += shapes_[i].steps;
      if (i - first < kLeast || steps <= desc_.budget.all_steps) continue;
      shapes_.erase(shapes_.begin() + static_cast<std::ptrdiff_t>(i), shapes_.end());
    }
  }

  const ShapePlanDesc& desc_;
  const ShapeSource& source_;
  ShapeMaker maker_;
  operators::CounterRandom random_;
  std::uint64_t drawn_ = 0;
  std::size_t turn_ = 0;
  std::set<std::string> known_;
  std::vector<PlannedShape> shapes_;
};

std::int64_t greatest_tensor(const PlannedShape& shape) {
  std::int64_t greatest = 0;
  const auto shapes = shape.problem.shapes(shape.launch_axes);
  for (std::size_t i = 0; shapes && i < shapes->tensor_count; ++i)
    greatest = std::max(greatest, shapes->tensors[i].element_count);
  return greatest;
}

// The least length of `axis` with which `base` has a tensor of more than 2^31 elements.
std::optional<PlannedShape> grow(const ShapeMaker& maker, const ShapeSource& source, AxisMap base,
                                 const operators::ContractAxis& axis, const ShapeLimits& limits) {
  constexpr std::int64_t kElements = (std::int64_t{1} << 31) + 4096;
  constexpr ShapeLimits kAny{std::int64_t{1} << 50, std::int64_t{1} << 50};
  const operators::Attributes& attributes = source.attributes().front();
  std::int64_t low = 0;
  std::int64_t high = std::min(axis.max, std::int64_t{1} << 33);
  const auto is_enough = [&](std::int64_t length) {
    base[axis.name] = length;
    const auto shape = maker.make(base, attributes, kAny);
    return shape && greatest_tensor(*shape) >= kElements;
  };
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (is_enough(middle) ? high : low) = middle;
  }
  if (!is_enough(high)) return std::nullopt;
  return maker.make(base, attributes, limits);
}

}  // namespace

base::Result<std::vector<PlannedShape>> plan_shapes(const ShapePlanDesc& desc) {
  HALYARD_TRY_ASSIGN(const ShapeSource source, ShapeSource::create(*desc.contract));
  return ShapePlan(desc, source).make();
}

std::vector<PlannedShape> plan_large_shapes(const ShapePlanDesc& desc, const ShapeLimits& limits) {
  std::vector<PlannedShape> shapes;
  const auto source = ShapeSource::create(*desc.contract);
  if (!source) return shapes;
  const ShapeMaker maker(desc.contract, desc.types, desc.serves);
  for (const std::uint32_t index : desc.contract->launch_axes()) {
    const operators::ContractAxis& axis = desc.contract->axes()[index];
    std::optional<PlannedShape> least;
    for (const AxisMap& base : source->bases()) {
      std::optional<PlannedShape> shape = grow(maker, *source, base, axis, limits);
      if (shape && (!least || shape->bytes < least->bytes)) least = std::move(shape);
    }
    if (least) shapes.push_back(std::move(*least));
  }
  std::stable_sort(shapes.begin(), shapes.end(),
                   [](const PlannedShape& a, const PlannedShape& b) { return a.bytes < b.bytes; });
  return shapes;
}

}  // namespace halyard::verification
