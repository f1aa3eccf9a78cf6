// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/element_reader.h"
#include "runtime/operators/reference_factories.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace halyard::operators {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLog2E = 1.4426950408889634074;

class AttentionDecodePagedReference final : public Reference {
 public:
  AttentionDecodePagedReference(const ReferenceInputs& inputs, const ShapeTable& shapes)
      : Reference(inputs, shapes),
        heads_(size(kQ, 1)),
        group_(heads_ / size(kKCache, 2)),
        query_(static_cast<std::size_t>(size(kQ, 2))),
        row_(query_.size()),
        output_(query_.size()) {}

  std::int64_t elements_together(std::size_t tensor) const override {
    return tensor == kLse ? 1 : size(tensor, 2);
  }

 private:
  enum Tensor : std::size_t {
    kQ,
    kKCache,
    kVCache,
    kKvIndptr,
    kKvIndices,
    kKvLengths,
    kOutput,
    kLse
  };

  struct Position {
    std::int64_t page = 0;
    std::int64_t offset = 0;
    double score = 0;
    double magnitude = 0;  // sm_scale * sum |q k|: the scale of the score's error.
  };

  Element element(std::size_t tensor, std::uint64_t index) override {
    const auto dimension = tensor == kLse ? std::uint64_t{1} : query_.size();
    const auto head = static_cast<std::int64_t>(index / dimension);
    if (head != loaded_head_) attend(head);
    return tensor == kLse ? lse_ : output_[static_cast<std::size_t>(index % dimension)];
  }

  void attend(std::int64_t flat_head) {
    loaded_head_ = flat_head;
    const std::int64_t sequence = flat_head / heads_;
    const std::int64_t head = flat_head % heads_;
    const ReferenceTensor& q = input(kQ);
    read_elements(q, sequence * q.strides[0] + head * q.strides[1], q.strides[2], query_);
    find_positions(sequence);
    score_positions(head / group_);
    weigh_values(head / group_);
  }

  void find_positions(std::int64_t sequence) {
    positions_.clear();
    const std::int64_t page_size = size(kKCache, 1);
    const std::int64_t first = read_integer(input(kKvIndptr), sequence);
    const std::int64_t last = read_integer(input(kKvIndptr), sequence + 1);
    const std::int64_t begin = std::max<std::int64_t>(first, 0);
    const std::int64_t end = std::min(last, size(kKvIndices, 0));
    const std::int64_t length = std::min(read_integer(input(kKvLengths), sequence),
                                         std::max<std::int64_t>(end - begin, 0) * page_size);
    for (std::int64_t i = 0; i < length; ++i) {
      const std::int64_t page = read_integer(input(kKvIndices), begin + i / page_size);
      if (page < 0 || page >= size(kKCache, 0)) continue;
      positions_.push_back({page, i % page_size});
    }
  }

  void read_cache(std::size_t tensor, const Position& position, std::int64_t kv_head) {
    const ReferenceTensor& cache = input(tensor);
    read_elements(cache,
                  position.page * cache.strides[0] + position.offset * cache.strides[1] +
                      kv_head * cache.strides[2],
                  cache.strides[3], row_);
  }

  void score_positions(std::int64_t kv_head) {
    greatest_ = -kInfinity;
    for (Position& position : positions_) {
      read_cache(kKCache, position, kv_head);
      double dot = 0;
      double magnitude = 0;
      for (std::size_t i = 0; i < row_.size(); ++i) {
        dot += query_[i] * row_[i];
        magnitude += std::abs(query_[i] * row_[i]);
      }
      position.score = scalar(0) * dot;
      position.magnitude = std::abs(scalar(0)) * magnitude;
      greatest_ = std::isnan(position.score) ? position.score : std::max(greatest_, position.score);
    }
  }

  double weight_of(const Position& position) const {
    return position.score == -kInfinity ? 0 : std::exp(position.score - greatest_);
  }

  void weigh_values(std::int64_t kv_head) {
    double sum = 0;
    double mean_magnitude = 0;
    for (const Position& position : positions_) {
      const double weight = weight_of(position);
      sum += weight;
      if (weight != 0) mean_magnitude += weight * position.magnitude;
    }
    std::fill(output_.begin(), output_.end(), Element{});
    lse_ = {-kInfinity, 0};
    if (sum == 0) return;
    mean_magnitude /= sum;
    lse_.value = (greatest_ + std::log(sum)) * kLog2E;
    lse_.magnitude = 1 + std::abs(lse_.value) + mean_magnitude * kLog2E;
    for (const Position& position : positions_) {
      const double weight = weight_of(position) / sum;
      read_cache(kVCache, position, kv_head);
      // A masked score may have an infinite magnitude.
      const double error_scale =
          weight == 0 ? 0 : weight * (1 + position.magnitude + mean_magnitude);
      for (std::size_t i = 0; i < row_.size(); ++i) {
        output_[i].value += weight * row_[i];
        output_[i].magnitude += error_scale * std::abs(row_[i]);
      }
    }
  }

  std::int64_t heads_;
  std::int64_t group_;
  std::int64_t loaded_head_ = -1;
  std::vector<double> query_;
  std::vector<double> row_;
  std::vector<Position> positions_;
  double greatest_ = -kInfinity;
  std::vector<Element> output_;
  Element lse_;
};

}  // namespace

std::unique_ptr<Reference> make_attention_decode_paged_reference(const ReferenceInputs& inputs,
                                                                 const ShapeTable& shapes) {
  return std::make_unique<AttentionDecodePagedReference>(inputs, shapes);
}

}  // namespace halyard::operators
