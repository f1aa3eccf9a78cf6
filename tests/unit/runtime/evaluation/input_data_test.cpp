// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/input_data.h"

#include "runtime/base/float_formats.h"
#include "tests/unit/runtime/evaluation/evaluation_fixture.h"

#include <cmath>
#include <cstring>

namespace halyard::services {
namespace {

using testing::bind_text;
using testing::workload_text;

const char* const kAttention =
    R"({"name": "append", "contract": "kv_append_paged", "types": {"T": "f32"},
        "axes": {"tokens": "batch", "num_pages": "batch * 3", "kv_heads": 1, "head_dim": 4,
                 "page_size": 4},
        "tensors": {"k": "k", "v": "v", "slots": "slots", "k_cache": "k_cache",
                    "v_cache": "v_cache"}},
       {"name": "attention", "contract": "attention_decode_paged", "types": {"T": "f32"},
        "axes": {"batch": "batch", "num_pages": "batch * 3", "num_indices": "batch * 3",
                 "kv_length": "context", "q_heads": 1, "kv_heads": 1, "head_dim": 4,
                 "page_size": 4},
        "tensors": {"q": "q", "k_cache": "k_cache", "v_cache": "v_cache", "kv_indptr": "indptr",
                    "kv_indices": "indices", "kv_lengths": "lengths", "output": "output",
                    "lse": "lse"}})";
const char* const kRules =
    R"({"lengths": {"generator": "constant", "value": "context"},
        "slots": {"generator": "decode_slots", "kv_indptr": "indptr", "kv_indices": "indices",
                  "kv_lengths": "lengths", "page_size": 4}})";

std::size_t index_of(const BoundWorkload& workload, const std::string& name) {
  for (std::size_t i = 0; i < workload.tensors.size(); ++i) {
    if (workload.tensors[i].name == name) return i;
  }
  ADD_FAILURE() << name;
  return 0;
}

template <typename Integer>
std::vector<std::int64_t> integers(const HostBytes& bytes) {
  std::vector<Integer> values(bytes.size() / sizeof(Integer));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return {values.begin(), values.end()};
}

TEST(InputData, PutsTheLastPositionOfEachSequenceIntoItsSlot) {
  const auto bound = bind_text(workload_text(kAttention, kRules));
  ASSERT_TRUE(bound) << bound.error().message();
  const auto data = input_data(*bound, 1);
  ASSERT_TRUE(data) << data.error().message();
  const auto indptr = integers<std::int32_t>((*data)[index_of(*bound, "indptr")]);
  const auto indices = integers<std::int32_t>((*data)[index_of(*bound, "indices")]);
  const auto slots = integers<std::int64_t>((*data)[index_of(*bound, "slots")]);
  EXPECT_EQ(integers<std::int32_t>((*data)[index_of(*bound, "lengths")]),
            (std::vector<std::int64_t>{10, 10}));
  ASSERT_EQ(slots.size(), 2U);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const std::int64_t page = indices[static_cast<std::size_t>(indptr[i] + 2)];
    EXPECT_EQ(slots[i], page * 4 + 1);
  }
}

TEST(InputData, RefusesRulesOfOtherSequences) {
  std::string rules = kRules;
  const std::string from = R"("kv_lengths": "lengths")";
  rules.replace(rules.find(from), from.size(), R"("kv_lengths": "indptr")");
  const auto bound = bind_text(workload_text(kAttention, rules));
  ASSERT_TRUE(bound) << bound.error().message();
  testing::expect_refused(input_data(*bound, 1), "does not fit the sequences of \"indptr\"");
}

TEST(InputData, LargerThanTheHostIsRefusedWithTheSize) {
  const auto bound = bind_text(workload_text(
      R"({"name": "norm", "contract": "rms_norm", "types": {"T": "f32"},
          "axes": {"batch": 2000000000, "hidden": 1048576},
          "tensors": {"x": "hidden", "weight": "norm_weight", "y": "normed"}})"));
  ASSERT_TRUE(bound) << bound.error().message();
  const auto data = input_data(*bound, 1);
  ASSERT_FALSE(data);
  EXPECT_EQ(data.error().code(), base::ErrorCode::kOutOfMemory);
  EXPECT_THAT(data.error().message(), ::testing::StartsWith("While making tensor \"hidden\": "));
  EXPECT_THAT(data.error().message(), ::testing::HasSubstr(" 8388608000000000 bytes."));
}

TEST(InputData, ScalesConstantsAndRepeatsThemForOneSeed) {
  const auto bound = bind_text(
      workload_text(testing::kProduct, R"({"weight": {"generator": "normal", "scale": 0.25}})"));
  ASSERT_TRUE(bound) << bound.error().message();
  const std::size_t weight = index_of(*bound, "weight");
  const HostBytes bytes = constant_data(*bound, weight, 7).value();
  EXPECT_EQ(bytes, constant_data(*bound, weight, 7).value());
  EXPECT_NE(bytes, constant_data(*bound, weight, 8).value());
  double squares = 0;
  for (std::size_t i = 0; i < 128; ++i) {
    const double value = base::load_as_double(base::DataType::kF32, bytes.data() + 4 * i);
    EXPECT_LE(std::abs(value), 0.25 * 3.5);
    squares += value * value;
  }
  EXPECT_NEAR(std::sqrt(squares / 128), 0.25, 0.05);
}

}  // namespace
}  // namespace halyard::services
