// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/self_test.h"

#include "runtime/selection/prepare.h"
#include "tests/unit/runtime/dispatch/recording_device.h"
#include "tests/unit/runtime/selection/stored_kernel_fixture.h"

#include <gtest/gtest.h>

#include <future>

namespace halyard::selection {
namespace {

// What a test and a device that hangs tell each other.
struct Hang {
  std::promise<void> reached;
  std::promise<void> released;
};
Hang* current_hang = nullptr;

// Takes the code of the CPU's kernels, and hangs in its first queue until it is released.
class HangingDevice final : public core::Device {
 public:
  HangingDevice() : Device(make_info(), {}) {}

  base::Result<base::Ref<core::Buffer>> create_buffer(const core::BufferDesc& desc) override {
    return base::Ref<core::Buffer>(base::make_ref<core::FakeBuffer>(*this, desc.size_bytes));
  }
  base::Result<base::Ref<core::Buffer>> wrap_host_memory(void*, std::uint64_t) override {
    return lost();
  }
  base::Result<base::Ref<core::Queue>> create_queue() override {
    current_hang->reached.set_value();
    current_hang->released.get_future().wait();
    return lost();
  }
  base::Result<base::Ref<core::Semaphore>> create_semaphore(std::uint64_t) override {
    return lost();
  }
  base::Result<base::Ref<core::Executable>> load_executable(
      const core::ExecutableDesc& desc) override {
    return base::Ref<core::Executable>(base::make_ref<dispatch::RecordingExecutable>(*this, desc));
  }
  base::Result<base::Ref<core::Recording>> record(std::span<const core::Dispatch>) override {
    return lost();
  }

 private:
  static core::DeviceInfo make_info() {
    core::DeviceInfo info;
    info.id = "hanging:0";
    info.backend = "hanging";
    info.fingerprint = "hanging";
    info.driver_id = "hanging 1";
    info.targets = {"x86_64-v2"};
    return info;
  }
  static base::Error lost() { return base::Error(base::ErrorCode::kDeviceLost, "It hung."); }
};

class HangingBackend final : public core::Backend {
 public:
  std::string_view name() const override { return "hanging"; }
  base::Result<std::vector<base::Ref<core::Device>>> enumerate() override {
    return std::vector<base::Ref<core::Device>>{base::make_ref<HangingDevice>()};
  }
  std::vector<std::string> notes() const override { return {}; }
};

constexpr core::NamedBackendFactory kBackends[] = {
    {"cpu", &cpu::create_cpu_backend},
    {"hanging", [](const core::BackendSettings&) -> std::unique_ptr<core::Backend> {
       return std::make_unique<HangingBackend>();
     }}};

class SelfTestTest : public SelectionTest {};

TEST_F(SelfTestTest, HungDriverHoldsUpItselfOnly) {
  Hang hang;
  current_hang = &hang;
  const auto instance = make_instance(kBackends);
  const auto hanging = *instance->backends().device("hanging:0");
  auto stuck = std::async(std::launch::async, [&] {
    return prepare(*instance, *hanging, norm_request()).error().code();
  });
  hang.reached.get_future().wait();
  auto other = std::async(std::launch::async, [&] {
    return prepare(*instance, *cpu(*instance), norm_request()).has_value();
  });
  const bool is_done = other.wait_for(std::chrono::seconds(60)) == std::future_status::ready;
  EXPECT_TRUE(is_done);
  hang.released.set_value();
  EXPECT_TRUE(other.get());
  EXPECT_EQ(base::ErrorCode::kDeviceLost, stuck.get());
}

TEST_F(SelfTestTest, TypesOfOneKernelAreTestedInTurn) {
  const auto instance = make_instance();
  std::vector<std::future<std::string>> askers;
  for (const auto type :
       {base::DataType::kF32, base::DataType::kBf16, base::DataType::kF32, base::DataType::kF16}) {
    askers.push_back(std::async(std::launch::async, [&, type] {
      PrepareRequest request = norm_request();
      request.types = {{"T", type}};
      const auto operation = prepare(*instance, *cpu(*instance), request);
      return operation ? (*operation)->choice().kernel_id : operation.error().message();
    }));
  }
  const std::string id = askers[0].get();
  const auto kernel = store::digest_from_text(id);
  ASSERT_TRUE(kernel) << id;
  for (std::size_t i = 1; i < askers.size(); ++i)
    EXPECT_EQ(id, askers[i].get());
  store::EvidenceQuery query;
  query.kernel = *kernel;
  query.kind = store::EvidenceKind::kSelfTest;
  const auto evidence = instance->store().find_evidence(query);
  ASSERT_TRUE(evidence) << evidence.error().message();
  EXPECT_EQ(3U, evidence->size());
}

TEST_F(SelfTestTest, OnAnEmulatedDeviceSaysNothingOfHardware) {
  const auto instance = make_instance(backends_with_apart());
  const auto device = *instance->backends().device("apart:0");
  const auto operation = prepare(*instance, *device, norm_request());
  ASSERT_TRUE(operation) << operation.error().message();
  store::EvidenceQuery query;
  query.kernel = *store::digest_from_text((*operation)->choice().kernel_id);
  query.kind = store::EvidenceKind::kSelfTest;
  const auto found = instance->store().find_evidence(query);
  ASSERT_TRUE(found && !found->empty());
  EXPECT_FALSE(store::is_of_hardware(found->front()));
}

}  // namespace
}  // namespace halyard::selection
