// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/device_test.h"

namespace halyard::conformance {
namespace {

class SequenceConformance : public DeviceTest {
 protected:
  Operation cast_operation(halyard_type from, halyard_type to) {
    return prepare(device_, {"cast", {{"S", from}, {"T", to}}, {}, {}, {}});
  }
};
HALYARD_ON_EACH_DEVICE(SequenceConformance);

TEST_P(SequenceConformance, ReplaysSeeEarlierResultsAndNewInputs) {
  const Operation narrow = cast_operation(HALYARD_TYPE_F32, HALYARD_TYPE_BF16);
  const Operation widen = cast_operation(HALYARD_TYPE_BF16, HALYARD_TYPE_F32);
  const Buffer x = make_buffer(device_, std::vector<float>{1, 2, 3, 4});
  const Buffer between = Buffer::create(device_, 8);
  const Buffer y = Buffer::create(device_, 16);
  const Sequence sequence = Sequence::create(device_);
  const LaunchSpec first = {{view_of(x), view_of(between)}, {4}, {}};
  const LaunchSpec second = {{view_of(between), view_of(y)}, {4}, {}};
  EXPECT_EQ(0U, sequence.add(narrow, first.record()));
  EXPECT_EQ(1U, sequence.add(widen, second.record()));
  queue_.enqueue(sequence);
  queue_.synchronize();
  EXPECT_EQ((std::vector<float>{1, 2, 3, 4}), read_buffer<float>(y));
  const float next[4] = {5, 6, 7, 8};
  x.write(0, next, sizeof(next));
  queue_.enqueue(sequence);
  queue_.enqueue(sequence);
  queue_.synchronize();
  EXPECT_EQ((std::vector<float>{5, 6, 7, 8}), read_buffer<float>(y));
}

TEST_P(SequenceConformance, UpdateReplacesViewsAndAxes) {
  const Operation narrow = cast_operation(HALYARD_TYPE_F32, HALYARD_TYPE_BF16);
  const Buffer x = make_buffer(device_, std::vector<float>{1, 2, 3, 4});
  const Buffer first = make_buffer(device_, std::vector<std::uint16_t>(4, 0));
  const Buffer second = make_buffer(device_, std::vector<std::uint16_t>(4, 0));
  const Sequence sequence = Sequence::create(device_);
  const LaunchSpec before = {{view_of(x), view_of(first)}, {4}, {}};
  const LaunchSpec after = {{view_of(x), view_of(second)}, {2}, {}};
  sequence.add(narrow, before.record());
  queue_.enqueue(sequence);
  sequence.update(0, after.record());
  queue_.enqueue(sequence);
  queue_.synchronize();
  EXPECT_EQ((std::vector<std::uint16_t>{0x3f80, 0x4000, 0x4040, 0x4080}),
            read_buffer<std::uint16_t>(first));
  EXPECT_EQ((std::vector<std::uint16_t>{0x3f80, 0x4000, 0, 0}), read_buffer<std::uint16_t>(second));
}

TEST_P(SequenceConformance, KeepsWhatItUsesAlive) {
  const Sequence sequence = Sequence::create(device_);
  const Buffer y = make_buffer(device_, std::vector<float>(4, 0));
  {
    const Operation widen = cast_operation(HALYARD_TYPE_BF16, HALYARD_TYPE_F32);
    const Buffer x = make_buffer(device_, std::vector<std::uint16_t>{0x3f80, 0x3f80, 0x4000, 0});
    const LaunchSpec launch = {{view_of(x), view_of(y)}, {4}, {}};
    sequence.add(widen, launch.record());
  }
  queue_.enqueue(sequence);
  queue_.synchronize();
  EXPECT_EQ((std::vector<float>{1, 1, 2, 0}), read_buffer<float>(y));
}

TEST_P(SequenceConformance, RefusesAFaultyLaunchAndStaysUsable) {
  const Operation narrow = cast_operation(HALYARD_TYPE_F32, HALYARD_TYPE_BF16);
  const Buffer x = make_buffer(device_, std::vector<float>{1, 2, 3, 4});
  const Buffer y = make_buffer(device_, std::vector<std::uint16_t>(4, 0));
  const Sequence sequence = Sequence::create(device_);
  const LaunchSpec good = {{view_of(x), view_of(y)}, {4}, {}};
  const LaunchSpec bad = {{view_of(x), view_of(y)}, {5}, {}};
  sequence.add(narrow, good.record());
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, "Tensor \"x\"",
                 [&] { sequence.update(0, bad.record()); });
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, "Index 7 is past the 1 launches",
                 [&] { sequence.update(7, good.record()); });
  queue_.enqueue(sequence);
  queue_.synchronize();
  EXPECT_EQ(0x4080, read_buffer<std::uint16_t>(y)[3]);
}

}  // namespace
}  // namespace halyard::conformance
