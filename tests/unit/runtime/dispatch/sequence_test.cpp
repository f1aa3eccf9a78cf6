// SPDX-License-Identifier: Apache-2.0
#include "runtime/dispatch/sequence.h"

#include "tests/unit/runtime/dispatch/dispatch_fixture.h"

#include <gtest/gtest.h>

namespace halyard::dispatch {
namespace {

const std::string kPlain = kernel_text("", R"({"tensor": "x", "binding": 0})");
const std::string kZeroing =
    kernel_text(R"("workspace": [{"name": "a", "bytes": 64, "alignment_bytes": 16,
      "initial": "zero"}],)",
                R"({"workspace": "a", "binding": 0})");

class SequenceTest : public DispatchTest {
 protected:
  void start(const std::string& kernel) {
    make(kernel);
    ASSERT_TRUE(operation_);
    sequence_ = base::make_ref<Sequence>(*device_);
    queue_ = base::make_ref<RecordingQueue>(*device_);
  }
  std::size_t recorded(std::size_t replay) const {
    return static_cast<RecordingRecording*>(queue_->replays[replay])->dispatches;
  }

  base::Ref<Sequence> sequence_;
  base::Ref<RecordingQueue> queue_;
};

TEST_F(SequenceTest, LaunchesAreRecordedOnceAndReplayed) {
  start(kPlain);
  EXPECT_EQ(0U, *sequence_->add(*operation_, launch(1)));
  EXPECT_EQ(1U, *sequence_->add(*operation_, launch(2)));
  ASSERT_TRUE(sequence_->enqueue(*queue_));
  ASSERT_TRUE(sequence_->enqueue(*queue_));
  EXPECT_EQ(1, device_->recordings);
  ASSERT_EQ(2U, queue_->replays.size());
  EXPECT_EQ(2U, recorded(0));
}

TEST_F(SequenceTest, UpdateThatChangesNothingKeepsTheRecording) {
  start(kPlain);
  ASSERT_TRUE(sequence_->add(*operation_, launch(1)));
  ASSERT_TRUE(sequence_->enqueue(*queue_));
  ASSERT_TRUE(sequence_->update(0, launch(1)));
  ASSERT_TRUE(sequence_->enqueue(*queue_));
  EXPECT_EQ(1, device_->recordings);
}

TEST_F(SequenceTest, EveryChangeIsRecordedAnew) {
  start(kPlain);
  constexpr std::int64_t kStrides[] = {64, 1};
  constexpr std::int64_t kWider[] = {80, 1};
  ASSERT_TRUE(sequence_->add(*operation_, launch(1)));
  int expected = 0;
  std::vector<TensorView> views;
  const auto expect_recorded = [&](const Launch& changed, const char* what) {
    ASSERT_TRUE(sequence_->update(0, changed)) << what;
    ASSERT_TRUE(sequence_->enqueue(*queue_)) << what;
    EXPECT_EQ(++expected, device_->recordings) << what;
  };
  const auto with_view = [&](const TensorView& view) {
    Launch changed = launch(2);
    views.assign(changed.views.begin(), changed.views.end());
    views[0] = view;
    changed.views = views;
    return changed;
  };
  expect_recorded(launch(1), "first");
  expect_recorded(launch(2), "axes");
  Launch other = launch(2);
  constexpr std::uint64_t kScalars[] = {7};
  other.scalars = kScalars;
  expect_recorded(other, "scalars");
  expect_recorded(with_view({x_.get(), 512, 0, nullptr}), "offset");
  expect_recorded(with_view({x_.get(), 512, 4096, nullptr}), "length");
  expect_recorded(with_view({x_.get(), 512, 4096, kStrides}), "strides given");
  expect_recorded(with_view({x_.get(), 512, 4096, kWider}), "strides");
  const auto buffer = *device_->create_buffer({1 << 20, 0});
  expect_recorded(with_view({buffer.get(), 512, 4096, kWider}), "buffer");
  expect_recorded(launch(2, {buffer.get(), 0, 256, nullptr}), "workspace");
}

TEST_F(SequenceTest, UpdateTakesTheKernelThatARefreshHasAdopted) {
  start(kPlain);
  ASSERT_TRUE(sequence_->add(*operation_, launch(1)));
  ASSERT_TRUE(sequence_->enqueue(*queue_));
  const auto choice = base::make_ref<KernelChoice>();
  choice->plan = operation_->choice().plan;
  ASSERT_TRUE(operation_->adopt(choice));
  ASSERT_TRUE(sequence_->update(0, launch(1)));
  ASSERT_TRUE(sequence_->enqueue(*queue_));
  EXPECT_EQ(2, device_->recordings);
}

TEST_F(SequenceTest, FillsRunBetweenRecordings) {
  start(kZeroing);
  const auto workspace = *device_->create_buffer({4096, 0});
  const TensorView view = {workspace.get(), 0, 0, nullptr};
  ASSERT_TRUE(sequence_->add(*operation_, launch(1, view)));
  ASSERT_TRUE(sequence_->add(*operation_, launch(1, view)));
  ASSERT_TRUE(sequence_->enqueue(*queue_));
  EXPECT_EQ(2, device_->recordings);
  EXPECT_EQ(128U, queue_->filled_bytes);
  EXPECT_EQ(1U, recorded(0));
}

TEST_F(SequenceTest, FaultyLaunchIsRefusedAndTheOldOneStays) {
  start(kPlain);
  ASSERT_TRUE(sequence_->add(*operation_, launch(1)));
  EXPECT_EQ("Axis rows (-1) is not between 0 and 100000.",
            sequence_->update(0, launch(-1)).error().message());
  EXPECT_EQ("Index 3 is past the 1 launches of the sequence.",
            sequence_->update(3, launch(1)).error().message());
  ASSERT_TRUE(sequence_->enqueue(*queue_));
  EXPECT_EQ(1U, recorded(0));
}

TEST_F(SequenceTest, OtherDevicesAreRefused) {
  start(kPlain);
  const auto other = base::make_ref<RecordingDevice>();
  const auto stranger = base::make_ref<Sequence>(*other);
  EXPECT_FALSE(stranger->add(*operation_, launch(1)));
  const auto queue = base::make_ref<RecordingQueue>(*other);
  EXPECT_FALSE(sequence_->enqueue(*queue));
}

TEST_F(SequenceTest, ReferenceRunsBetweenRecordings) {
  start(kPlain);
  ASSERT_TRUE(sequence_->add(*operation_, launch(1)));
  const auto reference =
      Operation::create(*device_, operation_->problem(), {}, {100}, base::make_ref<KernelChoice>());
  ASSERT_TRUE(reference);
  ASSERT_TRUE(sequence_->add(**reference, launch(1)));
  const base::Status status = sequence_->enqueue(*queue_);
  ASSERT_FALSE(status);
  EXPECT_EQ("Contract \"scale_rows\" has no built-in reference.", status.error().message());
  EXPECT_EQ(1U, queue_->replays.size());
  EXPECT_EQ(1, queue_->synchronizations);
}

}  // namespace
}  // namespace halyard::dispatch
