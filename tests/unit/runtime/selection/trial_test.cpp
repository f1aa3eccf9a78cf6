// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/trial.h"

#include "runtime/operators/contract_catalog.h"
#include "tests/unit/runtime/dispatch/recording_device.h"

#include <gtest/gtest.h>

#include <functional>

namespace halyard::selection {
namespace {

// What a launch of the copy kernel is given.
struct Copy {
  core::Buffer& x;
  std::uint64_t x_offset;
  core::Buffer& y;
  std::uint64_t y_offset;
  std::uint64_t size_bytes;
};
using Kernel = std::function<void(const Copy&)>;

void copy_right(const Copy& copy) {
  std::vector<std::byte> bytes(copy.size_bytes);
  ASSERT_TRUE(copy.x.read(copy.x_offset, bytes));
  ASSERT_TRUE(copy.y.write(copy.y_offset, bytes));
}

void write_byte(core::Buffer& buffer, std::uint64_t offset) {
  const std::byte value[] = {std::byte{1}};
  ASSERT_TRUE(buffer.write(offset, value));
}

class KernelQueue final : public core::Queue {
 public:
  KernelQueue(core::Device& device, Kernel kernel) : Queue(device), kernel_(std::move(kernel)) {}

  base::Status dispatch(const core::Dispatch& dispatch) override {
    const core::ArgumentValue& x = dispatch.arguments[0];
    const core::ArgumentValue& y = dispatch.arguments[1];
    kernel_({*x.buffer, x.offset_bytes, *y.buffer, y.offset_bytes, x.length_bytes});
    return base::ok();
  }
  base::Status copy(core::Buffer&, std::uint64_t, core::Buffer&, std::uint64_t,
                    std::uint64_t) override {
    return base::ok();
  }
  base::Status fill(core::Buffer&, std::uint64_t, std::uint64_t, std::uint32_t) override {
    return base::ok();
  }
  base::Status replay(core::Recording&) override { return base::ok(); }
  base::Status wait(core::Semaphore&, std::uint64_t) override { return base::ok(); }
  base::Status signal(core::Semaphore&, std::uint64_t) override { return base::ok(); }
  base::Status flush() override { return base::ok(); }
  base::Status synchronize(std::chrono::nanoseconds) override { return base::ok(); }
  base::Status write_timestamp(std::uint32_t) override { return base::ok(); }
  base::Result<std::uint64_t> read_timestamp(std::uint32_t) override { return std::uint64_t{0}; }
  core::Clock timestamp_clock() const override { return core::Clock::kHost; }

 private:
  Kernel kernel_;
};

// A device whose one kernel is a function of the test.
class KernelDevice final : public core::Device {
 public:
  explicit KernelDevice(Kernel kernel) : Device({}, {}), kernel_(std::move(kernel)) {}

  base::Result<base::Ref<core::Buffer>> create_buffer(const core::BufferDesc& desc) override {
    return base::Ref<core::Buffer>(base::make_ref<core::FakeBuffer>(*this, desc.size_bytes));
  }
  base::Result<base::Ref<core::Buffer>> wrap_host_memory(void*, std::uint64_t) override {
    return absent();
  }
  base::Result<base::Ref<core::Queue>> create_queue() override {
    return base::Ref<core::Queue>(base::make_ref<KernelQueue>(*this, kernel_));
  }
  base::Result<base::Ref<core::Semaphore>> create_semaphore(std::uint64_t) override {
    return absent();
  }
  base::Result<base::Ref<core::Executable>> load_executable(
      const core::ExecutableDesc& desc) override {
    return base::Ref<core::Executable>(base::make_ref<dispatch::RecordingExecutable>(*this, desc));
  }
  base::Result<base::Ref<core::Recording>> record(std::span<const core::Dispatch>) override {
    return absent();
  }

 private:
  static base::Error absent() { return base::Error(base::ErrorCode::kUnsupported, "Not here."); }

  Kernel kernel_;
};

constexpr std::string_view kCopyKernel = R"({
  "format": "halyard.kernel/1", "name": "copy", "version": "1.0.0", "contract": "copy_strided@1",
  "language": "c++", "source": "copy.cpp", "targets": ["x86_64-v2"], "types": [{"T": "i32"}],
  "stages": [{"name": "main", "cadence": "per-launch", "entry": "copy", "grid": [1, 1, 1],
    "block": [1, 1, 1], "arguments": [{"tensor": "x"}, {"tensor": "y"}]}],
  "provenance": {"project": "halyard"}, "license": "Apache-2.0"})";

// What a trial of a copy of 24 integers says of `kernel`.
base::Result<double> judge(Kernel kernel) {
  const auto device = base::make_ref<KernelDevice>(std::move(kernel));
  const operators::ContractCatalog contracts(HALYARD_BUILT_DATA_DIRECTORY);
  HALYARD_TRY_ASSIGN(const auto contract, contracts.find("copy_strided"));
  HALYARD_TRY_ASSIGN(const operators::Problem problem,
                     operators::Problem::create(contract, {{"T", base::DataType::kI32}}, {}, {}));
  HALYARD_TRY_ASSIGN(const auto record, store::parse_kernel_record(kCopyKernel, "kernel.json"));
  const auto choice = base::make_ref<dispatch::KernelChoice>();
  HALYARD_TRY_ASSIGN(choice->plan, dispatch::LaunchPlan::create(
                                       {*device, problem, record, "x86_64-v2", "build", {}, {}}));
  constexpr std::int64_t kAxes[] = {1, 2, 3, 4};
  HALYARD_TRY_ASSIGN(Trial trial, Trial::create(*device, problem, kAxes, 1));
  HALYARD_TRY_ASSIGN(
      const auto operation,
      dispatch::Operation::create(*device, problem, trial.constants(), {9, 9, 9, 9}, choice));
  return trial.check(*operation);
}

std::string complaint(Kernel kernel) {
  const auto verdict = judge(std::move(kernel));
  if (verdict) return "";
  EXPECT_EQ(base::ErrorCode::kCorruptData, verdict.error().code());
  return verdict.error().message();
}

TEST(Trial, RightKernelPasses) {
  const auto verdict = judge(copy_right);
  ASSERT_TRUE(verdict) << verdict.error().message();
  EXPECT_EQ(0, *verdict);
}

TEST(Trial, KernelThatDoesNothingFails) {
  const std::string message = complaint([](const Copy&) {});
  EXPECT_NE(message.find("24 of 24 elements are outside."), std::string::npos) << message;
}

TEST(Trial, WrongElementIsNamed) {
  const std::string message = complaint([](const Copy& copy) {
    copy_right(copy);
    write_byte(copy.y, copy.y_offset + 4 * 7 + 3);
  });
  EXPECT_TRUE(message.starts_with("Element 7 of y is ")) << message;
  EXPECT_NE(message.find("1 of 24 elements are outside."), std::string::npos) << message;
}

TEST(Trial, ByteBeforeAnOutputIsFound) {
  EXPECT_EQ("Byte 3 before tensor y was written.", complaint([](const Copy& copy) {
              copy_right(copy);
              write_byte(copy.y, copy.y_offset - 3);
            }));
}

TEST(Trial, ByteAfterAnOutputIsFound) {
  EXPECT_EQ("Byte 1 after the 96 bytes of tensor y was written.", complaint([](const Copy& copy) {
              copy_right(copy);
              write_byte(copy.y, copy.y_offset + 96);
            }));
}

TEST(Trial, ChangedInputIsFound) {
  const std::string message = complaint([](const Copy& copy) {
    copy_right(copy);
    std::vector<std::byte> inverted(1);
    ASSERT_TRUE(copy.x.read(copy.x_offset + 5, inverted));
    inverted[0] = ~inverted[0];
    ASSERT_TRUE(copy.x.write(copy.x_offset + 5, inverted));
  });
  EXPECT_TRUE(message.starts_with("Byte 5 of input x was changed by the launch from ")) << message;
}

}  // namespace
}  // namespace halyard::selection
