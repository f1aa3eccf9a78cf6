// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/device_test.h"

#include <cstring>
#include <limits>

namespace halyard::conformance {
namespace {

class RefusalConformance : public DeviceTest {
 protected:
  OperationSpec norm() const {
    return {"rms_norm", {{"T", HALYARD_TYPE_F32}}, {{"hidden", 8}}, {}, {}};
  }
  void expect_refused(const OperationSpec& spec, halyard_status status, const std::string& part) {
    expect_failure(status, part, [&] { prepare(device_, spec); });
  }
};
HALYARD_ON_EACH_DEVICE(RefusalConformance);

TEST_P(RefusalConformance, UnknownContractNamesTheNearest) {
  OperationSpec spec = norm();
  spec.contract = "rms_nrom";
  expect_refused(spec, HALYARD_STATUS_NOT_FOUND, "rms_norm");
  spec.contract = "../rms_norm";
  expect_refused(spec, HALYARD_STATUS_INVALID_ARGUMENT, "../rms_norm");
}

TEST_P(RefusalConformance, DisagreementsNeedRoomAndACount) {
  std::uint32_t count = 0;
  halyard_disagreement said = HALYARD_DISAGREEMENT_INIT;
  EXPECT_EQ(halyard_device_disagreements(device_.get(), 0, nullptr, &count), HALYARD_STATUS_OK);
  EXPECT_EQ(device_.disagreements().size(), count);
  EXPECT_EQ(halyard_device_disagreements(device_.get(), 1, nullptr, &count),
            HALYARD_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(halyard_device_disagreements(device_.get(), 1, &said, nullptr),
            HALYARD_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(halyard_device_disagreements(nullptr, 1, &said, &count),
            HALYARD_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(halyard_device_descriptor_id(nullptr), "");
}

TEST_P(RefusalConformance, UnknownAxisNamesTheNearest) {
  OperationSpec spec = norm();
  spec.axes = {{"hiden", 8}};
  expect_refused(spec, HALYARD_STATUS_INVALID_ARGUMENT, "hidden");
}

TEST_P(RefusalConformance, AxisValuesHaveBounds) {
  OperationSpec spec = norm();
  for (const std::int64_t value : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::max()}) {
    spec.axes = {{"hidden", value}};
    expect_refused(spec, HALYARD_STATUS_INVALID_ARGUMENT, std::to_string(value));
  }
}

TEST_P(RefusalConformance, MissingAndRepeatedAxesAreRefused) {
  OperationSpec spec = norm();
  spec.axes.clear();
  expect_refused(spec, HALYARD_STATUS_INVALID_ARGUMENT, "hidden");
  spec.axes = {{"hidden", 8}, {"hidden", 8}};
  expect_refused(spec, HALYARD_STATUS_INVALID_ARGUMENT, "hidden");
}

TEST_P(RefusalConformance, TypesMustFitTheContract) {
  OperationSpec spec = norm();
  spec.types = {{"T", HALYARD_TYPE_I32}};
  expect_refused(spec, HALYARD_STATUS_INVALID_ARGUMENT, "i32");
  spec.types = {{"T", 999}};
  expect_refused(spec, HALYARD_STATUS_INVALID_ARGUMENT, "999");
  spec.types.clear();
  expect_refused(spec, HALYARD_STATUS_INVALID_ARGUMENT, "T");
}

TEST_P(RefusalConformance, UnknownAttributeIsRefused) {
  OperationSpec spec = norm();
  spec.attributes = {{"epsilno", nullptr, 1e-6}};
  expect_refused(spec, HALYARD_STATUS_INVALID_ARGUMENT, "epsilon");
}

TEST_P(RefusalConformance, UnknownKernelIsNoKernelAndNotesARequest) {
  const OperationSpec spec = norm();
  halyard_operation_desc desc = spec.desc();
  desc.kernel = "no_such_kernel";
  expect_failure(HALYARD_STATUS_NO_KERNEL, "no_such_kernel",
                 [&] { Operation::prepare(device_, desc); });
  desc.flags = HALYARD_OPERATION_ALLOW_REFERENCE;
  const Operation reference = Operation::prepare(device_, desc);
  EXPECT_EQ(1U, reference.info().is_reference);
  EXPECT_STREQ("reference", reference.info().kernel_name);
}

TEST_P(RefusalConformance, ReferenceComputesWhenItIsAllowed) {
  const OperationSpec spec = norm();
  halyard_operation_desc desc = spec.desc();
  desc.kernel = "no_such_kernel";
  desc.flags = HALYARD_OPERATION_ALLOW_REFERENCE;
  const Operation reference = Operation::prepare(device_, desc);
  const Buffer x = make_buffer(device_, std::vector<float>(8, 2));
  const Buffer weight = make_buffer(device_, std::vector<float>(8, 3));
  const Buffer y = Buffer::create(device_, 32);
  const LaunchSpec launch = {{view_of(x), view_of(weight), view_of(y)}, {1}, {}};
  queue_.enqueue(reference, launch.record());
  queue_.synchronize();
  EXPECT_NEAR(3, read_buffer<float>(y)[7], 1e-4);
}

TEST_P(RefusalConformance, StructsOfOtherSizesAreChecked) {
  const OperationSpec spec = norm();
  halyard_operation_desc desc = spec.desc();
  desc.struct_size = 4;
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, "struct_size",
                 [&] { Operation::prepare(device_, desc); });
  struct {
    halyard_buffer_desc known;
    std::uint64_t unknown;
  } larger = {{sizeof(larger), 0, 64}, 0};
  halyard_buffer* buffer = nullptr;
  EXPECT_EQ(HALYARD_STATUS_OK, halyard_buffer_create(device_.get(), &larger.known, &buffer));
  halyard_buffer_release(buffer);
  larger.unknown = 1;
  EXPECT_EQ(HALYARD_STATUS_INVALID_ARGUMENT,
            halyard_buffer_create(device_.get(), &larger.known, &buffer));
  EXPECT_NE(nullptr, std::strstr(halyard_last_error_message(), "is set"));
  EXPECT_EQ(nullptr, buffer);
}

TEST_P(RefusalConformance, NullArgumentsAreRefused) {
  EXPECT_EQ(HALYARD_STATUS_INVALID_ARGUMENT, halyard_buffer_create(nullptr, nullptr, nullptr));
  EXPECT_EQ(HALYARD_STATUS_INVALID_ARGUMENT, halyard_queue_flush(nullptr));
  EXPECT_EQ(HALYARD_STATUS_INVALID_ARGUMENT,
            halyard_operation_prepare(device_.get(), nullptr, nullptr));
  halyard_buffer_release(nullptr);
  halyard_operation_release(nullptr);
}

class LaunchRefusal : public RefusalConformance {
 protected:
  void SetUp() override {
    RefusalConformance::SetUp();
    operation_ = prepare(device_, norm());
    x_ = make_buffer(device_, std::vector<float>(64, 1));
    weight_ = make_buffer(device_, std::vector<float>(8, 1));
    y_ = make_buffer(device_, std::vector<float>(64, -5));
    good_ = {{view_of(x_), view_of(weight_), view_of(y_)}, {2}, {}};
  }
  void expect_launch_refused(const LaunchSpec& launch, halyard_status status,
                             const std::string& part) {
    expect_failure(status, part, [&] { queue_.enqueue(operation_, launch.record()); });
    queue_.synchronize();
    EXPECT_EQ(-5, read_buffer<float>(y_)[0]);
  }

  Operation operation_;
  Buffer x_;
  Buffer weight_;
  Buffer y_;
  LaunchSpec good_;
};
HALYARD_ON_EACH_DEVICE(LaunchRefusal);

TEST_P(LaunchRefusal, CountsMustFit) {
  LaunchSpec launch = good_;
  launch.views.pop_back();
  expect_launch_refused(launch, HALYARD_STATUS_INVALID_ARGUMENT, "2 views");
  launch = good_;
  launch.axes.push_back(1);
  expect_launch_refused(launch, HALYARD_STATUS_INVALID_ARGUMENT, "2 axes");
}

TEST_P(LaunchRefusal, AxesOutsideTheirBoundsAreOutsideTheGuards) {
  LaunchSpec launch = good_;
  launch.axes = {-1};
  expect_launch_refused(launch, HALYARD_STATUS_OUTSIDE_GUARDS, "batch (-1)");
  launch.axes = {std::numeric_limits<std::int64_t>::max()};
  expect_launch_refused(launch, HALYARD_STATUS_OUTSIDE_GUARDS, "batch");
}

TEST_P(LaunchRefusal, ViewsMustHoldTheirElements) {
  LaunchSpec launch = good_;
  launch.axes = {9};
  expect_launch_refused(launch, HALYARD_STATUS_INVALID_ARGUMENT, "288 bytes");
  launch = good_;
  launch.views[2].offset_bytes = 240;
  expect_launch_refused(launch, HALYARD_STATUS_INVALID_ARGUMENT, "Tensor \"y\"");
  launch.views[2].offset_bytes = 4096;
  expect_launch_refused(launch, HALYARD_STATUS_INVALID_ARGUMENT, "past the end");
}

TEST_P(LaunchRefusal, ViewsMustBeAligned) {
  LaunchSpec launch = good_;
  launch.views[0].offset_bytes = 4;
  expect_launch_refused(launch, HALYARD_STATUS_INVALID_ARGUMENT, "multiple of 16");
}

TEST_P(LaunchRefusal, StridesMustFollowTheContract) {
  LaunchSpec launch = good_;
  const std::int64_t inner[2] = {16, 2};
  launch.views[0].strides = inner;
  expect_launch_refused(launch, HALYARD_STATUS_INVALID_ARGUMENT, "innermost stride (2)");
  const std::int64_t overlapping[2] = {4, 1};
  launch = good_;
  launch.views[2].strides = overlapping;
  expect_launch_refused(launch, HALYARD_STATUS_INVALID_ARGUMENT, "overlap");
  const std::int64_t far[2] = {std::numeric_limits<std::int64_t>::max(), 1};
  launch.views[2].strides = far;
  expect_launch_refused(launch, HALYARD_STATUS_INVALID_ARGUMENT, "Tensor \"y\"");
}

TEST_P(LaunchRefusal, OutputsMustNotOverlapOtherTensors) {
  LaunchSpec launch = good_;
  launch.views[2] = {x_.get(), 32, 0, nullptr};
  expect_launch_refused(launch, HALYARD_STATUS_INVALID_ARGUMENT, "overlap");
}

TEST_P(LaunchRefusal, BuffersMustBeOnTheOperationsDevice) {
  for (const Device& other : instance_.devices()) {
    if (std::string(other.info().id) == device_.info().id) continue;
    const Buffer stranger = Buffer::create(other, 256);
    LaunchSpec launch = good_;
    launch.views[0] = view_of(stranger);
    expect_launch_refused(launch, HALYARD_STATUS_INVALID_ARGUMENT, other.info().id);
    return;
  }
}

TEST_P(LaunchRefusal, MissingBufferIsRefused) {
  LaunchSpec launch = good_;
  launch.views[1] = halyard_view{};
  expect_launch_refused(launch, HALYARD_STATUS_INVALID_ARGUMENT, "no buffer");
}

}  // namespace
}  // namespace halyard::conformance
