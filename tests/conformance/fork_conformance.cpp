// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/device_test.h"
#include "tests/forked_child.h"

namespace halyard::conformance {
namespace {

// Objects of each kind, and a queue that waits for a value that nobody has signalled yet.
class ForkConformance : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    norm_ = prepare(device_, {"rms_norm", {{"T", HALYARD_TYPE_F32}}, {{"hidden", 8}}, {}, {}});
    weight_ = make_buffer(device_, std::vector<float>(8, 1));
    data_ = make_buffer(device_, std::vector<float>(64, 1));
    semaphore_ = Semaphore::create(device_);
    enqueue();
    queue_.synchronize();
    waiting_ = Queue::create(device_);
    waiting_.wait(semaphore_, 1);
    waiting_.fill(data_, 0, 16, 0);
    waiting_.flush();
  }

  void enqueue() {
    const LaunchSpec launch = {{view_of(data_), view_of(weight_), view_of(data_)}, {8}, {}};
    queue_.enqueue(norm_, launch.record());
  }

  // What is wrong with a call that has to be refused.
  static std::string refused(const std::string& name, const std::function<void()>& call) {
    try {
      call();
      return name + " succeeds.\n";
    } catch (const Error& error) {
      if (error.status() == HALYARD_STATUS_UNAVAILABLE) return "";
      return name + ": " + error.what() + '\n';
    }
  }

  Operation norm_;
  Buffer weight_;
  Buffer data_;
  Semaphore semaphore_;
  Queue waiting_;
};
HALYARD_ON_EACH_DEVICE(ForkConformance);

TEST_P(ForkConformance, ChildMayReleaseWhatItCannotUse) {
  EXPECT_TRUE(tests::passes_in_child([&] {
    std::string wrong;
    wrong += refused("enqueue", [&] { enqueue(); });
    wrong += refused("fill", [&] { waiting_.fill(data_, 0, 4, 1); });
    wrong += refused("wait", [&] { waiting_.wait(semaphore_, 1); });
    wrong += refused("signal", [&] { waiting_.signal(semaphore_, 2); });
    wrong += refused("synchronize", [&] { waiting_.synchronize(); });
    wrong += refused("Semaphore::signal", [&] { semaphore_.signal(1); });
    wrong += refused("Semaphore::wait", [&] { semaphore_.wait(1); });
    waiting_ = Queue();
    semaphore_ = Semaphore();
    weight_ = Buffer();
    data_ = Buffer();
    norm_ = Operation();
    queue_ = Queue();
    device_ = Device();
    instance_ = Instance();
    return wrong;
  }));
  semaphore_.signal(1);
  waiting_.synchronize();
  EXPECT_EQ(0, read_buffer<std::uint32_t>(data_)[3]);
}

TEST_P(ForkConformance, ChildGoesOnWithAnInstanceOfItsOwn) {
  EXPECT_TRUE(tests::passes_in_child([&]() -> std::string {
    DeviceTest::SetUp();
    const Buffer buffer = make_buffer(device_, std::vector<std::uint32_t>(4, 0));
    queue_.fill(buffer, 0, 16, 9);
    queue_.synchronize();
    return read_buffer<std::uint32_t>(buffer)[3] == 9 ? "" : "The fill is not seen.\n";
  }));
  semaphore_.signal(1);
  waiting_.synchronize();
}

}  // namespace
}  // namespace halyard::conformance
