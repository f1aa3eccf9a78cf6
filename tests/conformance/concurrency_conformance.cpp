// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/device_test.h"

#include <exception>
#include <filesystem>
#include <latch>
#include <random>
#include <thread>
#include <utility>

// What the headers allow several threads at once, done by several threads at once. The thread
// sanitizer runs these tests too.
namespace halyard::conformance {
namespace {

constexpr std::size_t kThreads = 4;
constexpr std::uint64_t kTimeoutNs = 60'000'000'000;

// Calls `work` with 0, 1, … on one thread each, all at the same moment. An exception is a failure
// of the test.
template <typename Work>
void at_once(Work work) {
  std::latch ready(kThreads);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      ready.arrive_and_wait();
      try {
        work(i);
      } catch (const std::exception& error) {
        ADD_FAILURE() << "Thread " << i << ": " << error.what();
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
}

class ConcurrencyConformance : public DeviceTest {
 protected:
  // Software drivers take long for each object and launch.
  int rounds() const { return device_.info().kind == HALYARD_DEVICE_KIND_CPU ? 12 : 2; }

  Operation norm(std::int64_t hidden) const {
    return prepare(device_, {"rms_norm", {{"T", HALYARD_TYPE_F32}}, {{"hidden", hidden}}, {}, {}});
  }

  // Rows of ones give rows of ones, but for epsilon.
  void launch_norm(const Operation& operation, const Queue& queue, std::size_t hidden,
                   std::size_t batch) const {
    const Buffer x = make_buffer(device_, std::vector<float>(batch * hidden, 1));
    const Buffer weight = make_buffer(device_, std::vector<float>(hidden, 1));
    const Buffer y = make_buffer(device_, std::vector<float>(batch * hidden, -9));
    const LaunchSpec launch = {
        {view_of(x), view_of(weight), view_of(y)}, {static_cast<std::int64_t>(batch)}, {}};
    queue.enqueue(operation, launch.record());
    queue.synchronize(kTimeoutNs);
    for (const float value : read_buffer<float>(y))
      ASSERT_NEAR(1, value, 1e-4);
  }

  void launch_cast(const Operation& operation, const Queue& queue) const {
    const Buffer x = make_buffer(device_, std::vector<float>{1, 2, 3, 4});
    const Buffer y = make_buffer(device_, std::vector<std::uint16_t>(4, 0));
    const LaunchSpec launch = {{view_of(x), view_of(y)}, {4}, {}};
    queue.enqueue(operation, launch.record());
    queue.synchronize(kTimeoutNs);
    ASSERT_EQ(0x4080, read_buffer<std::uint16_t>(y)[3]);
  }

  Operation narrowing() const {
    return prepare(device_,
                   {"cast", {{"S", HALYARD_TYPE_F32}, {"T", HALYARD_TYPE_BF16}}, {}, {}, {}});
  }
};
HALYARD_ON_EACH_DEVICE(ConcurrencyConformance);

TEST_P(ConcurrencyConformance, InstancesComeAndGo) {
  at_once([&](std::size_t) {
    for (int round = 0; round < rounds(); ++round) {
      halyard_instance_desc desc = HALYARD_INSTANCE_DESC_INIT;
      desc.store_url = "memory:";
      const Instance instance = Instance::create(&desc);
      const Device device = instance.device(GetParam().c_str());
      const Queue queue = Queue::create(device);
      const Buffer buffer = Buffer::create(device, 4096);
      queue.fill(buffer, 0, 4096, 7);
      queue.synchronize(kTimeoutNs);
      ASSERT_EQ(7U, read_buffer<std::uint32_t>(buffer)[1023]);
    }
  });
}

TEST_P(ConcurrencyConformance, OneInstanceAnswersAll) {
  at_once([&](std::size_t thread) {
    for (int round = 0; round < rounds(); ++round) {
      ASSERT_FALSE(instance_.devices().empty());
      ASSERT_NE(instance_.report().find("halyard.doctor/1"), std::string::npos);
      ASSERT_NE(instance_.contracts().find("rms_norm"), std::string::npos);
      ASSERT_NE(instance_.kernels("cast").find("halyard.kernels/1"), std::string::npos);
      ASSERT_GT(instance_.store_generation(), 0U);
      const Contract contract = instance_.contract(thread % 2 == 0 ? "gemm" : "cast");
      ASSERT_NE(std::string(contract.json()).find("halyard.contract/1"), std::string::npos);
      expect_failure(HALYARD_STATUS_NOT_FOUND, "no_such", [&] { instance_.contract("no_such"); });
    }
  });
}

TEST_P(ConcurrencyConformance, FirstUseOfOneKernelByAll) {
  at_once([&](std::size_t) {
    const Queue queue = Queue::create(device_);
    launch_norm(norm(64), queue, 64, 3);
  });
}

TEST_P(ConcurrencyConformance, FirstUsesOfManyKernels) {
  at_once([&](std::size_t thread) {
    const Queue queue = Queue::create(device_);
    for (std::size_t i = 0; i < 4; ++i) {
      switch ((thread + i) % 4) {
        case 0:
          launch_norm(norm(32), queue, 32, 2);
          break;
        case 1:
          launch_cast(narrowing(), queue);
          break;
        case 2:
          prepare(device_, {"argmax", {{"T", HALYARD_TYPE_F32}}, {{"vocab", 9}}, {}, {}});
          break;
        default:
          prepare(device_, {"silu_mul", {{"T", HALYARD_TYPE_F32}}, {{"hidden", 8}}, {}, {}});
      }
    }
  });
}

TEST_P(ConcurrencyConformance, InstancesShareAStore) {
  const auto file = std::filesystem::temp_directory_path() /
                    ("halyard-concurrency-" + std::to_string(std::random_device()()) + ".sqlite");
  const std::string url = file.string();
  at_once([&](std::size_t) {
    halyard_instance_desc desc = HALYARD_INSTANCE_DESC_INIT;
    desc.store_url = url.c_str();
    const Instance instance = Instance::create(&desc);
    const Device device = instance.device(GetParam().c_str());
    const Operation operation =
        prepare(device, {"rms_norm", {{"T", HALYARD_TYPE_F32}}, {{"hidden", 16}}, {}, {}});
    ASSERT_STREQ("self-tested", operation.info().state);
  });
  for (const char* suffix : {"", "-wal", "-shm"})
    std::filesystem::remove(url + suffix);
}

TEST_P(ConcurrencyConformance, OneOperationOnManyQueues) {
  const Operation operation = norm(48);
  at_once([&](std::size_t thread) {
    const Queue queue = Queue::create(device_);
    for (int round = 0; round < rounds(); ++round) {
      launch_norm(operation, queue, 48, 1 + thread);
      ASSERT_NE(std::string(operation.explanation()).find("rms_norm"), std::string::npos);
      ASSERT_STREQ("rms_norm", operation.info().contract);
      ASSERT_EQ(0U, operation.workspace_bytes({5}));
      expect_failure(HALYARD_STATUS_OUTSIDE_GUARDS, "batch (-1)",
                     [&] { operation.workspace_bytes({-1}); });
    }
  });
}

TEST_P(ConcurrencyConformance, ConstantIsRepackedForAll) {
  constexpr std::int64_t kN = 66;
  constexpr std::int64_t kK = 34;
  const Constant constant = Constant::create(device_, HALYARD_TYPE_F32, {kN, kK},
                                             std::vector<float>(kN * kK, 0.5F).data());
  at_once([&](std::size_t thread) {
    const auto rows = static_cast<std::int64_t>(1 + thread);
    const Operation operation = prepare(device_, {"gemm",
                                                  {{"T", HALYARD_TYPE_F32}},
                                                  {{"M", rows}, {"N", kN}, {"K", kK}},
                                                  {},
                                                  {{"B", constant.get()}}});
    const Queue queue = Queue::create(device_);
    const Buffer a =
        make_buffer(device_, std::vector<float>(static_cast<std::size_t>(rows * kK), 2));
    const Buffer c = Buffer::create(device_, static_cast<std::uint64_t>(rows * kN) * 4);
    const LaunchSpec launch = {
        {view_of(a), halyard_view{}, halyard_view{}, view_of(c)}, {rows}, {}};
    for (int round = 0; round < rounds(); ++round) {
      queue.enqueue(operation, launch.record());
      queue.synchronize(kTimeoutNs);
      for (const float value : read_buffer<float>(c))
        ASSERT_EQ(static_cast<float>(kK), value);
      ASSERT_GE(constant.size_bytes(), static_cast<std::uint64_t>(kN * kK) * 4);
    }
  });
}

TEST_P(ConcurrencyConformance, SequencesOfSharedOperations) {
  const Operation narrow = narrowing();
  const Operation widen =
      prepare(device_, {"cast", {{"S", HALYARD_TYPE_BF16}, {"T", HALYARD_TYPE_F32}}, {}, {}, {}});
  at_once([&](std::size_t thread) {
    const Queue queue = Queue::create(device_);
    const auto value = static_cast<float>(thread + 1);
    const Buffer x = make_buffer(device_, std::vector<float>(256, value));
    const Buffer between = Buffer::create(device_, 512);
    const Buffer y = Buffer::create(device_, 1024);
    const Buffer other = Buffer::create(device_, 1024);
    const Sequence sequence = Sequence::create(device_);
    const LaunchSpec first = {{view_of(x), view_of(between)}, {256}, {}};
    const LaunchSpec second = {{view_of(between), view_of(y)}, {256}, {}};
    const LaunchSpec changed = {{view_of(between), view_of(other)}, {256}, {}};
    sequence.add(narrow, first.record());
    const std::uint32_t last = sequence.add(widen, second.record());
    for (int round = 0; round < rounds(); ++round) {
      const bool is_odd = round % 2 == 1;
      sequence.update(last, is_odd ? changed.record() : second.record());
      queue.enqueue(sequence);
      queue.enqueue(sequence);
      queue.synchronize(kTimeoutNs);
      ASSERT_EQ(std::vector<float>(256, value), read_buffer<float>(is_odd ? other : y));
    }
  });
}

TEST_P(ConcurrencyConformance, OwnOperationsAreRefreshed) {
  at_once([&](std::size_t thread) {
    const auto hidden = static_cast<std::int64_t>(8 * (1 + thread));
    const Operation operation = norm(hidden);
    const Queue queue = Queue::create(device_);
    for (int round = 0; round < rounds(); ++round) {
      operation.refresh();
      ASSERT_NE(std::string(operation.explanation()).find("\"chosen\""), std::string::npos);
      launch_norm(operation, queue, static_cast<std::size_t>(hidden), 2);
    }
  });
}

TEST_P(ConcurrencyConformance, QueuesHandOverBySemaphore) {
  const Semaphore semaphore = Semaphore::create(device_);
  const Buffer buffer = make_buffer(device_, std::vector<std::uint32_t>(kThreads, 0));
  at_once([&](std::size_t thread) {
    const Queue queue = Queue::create(device_);
    queue.wait(semaphore, thread);
    queue.fill(buffer, thread * 4, 4, static_cast<std::uint32_t>(thread + 1));
    queue.signal(semaphore, thread + 1);
    queue.flush();
    semaphore.wait(kThreads, kTimeoutNs);
    ASSERT_EQ(kThreads, semaphore.value());
    queue.synchronize(kTimeoutNs);
  });
  EXPECT_EQ((std::vector<std::uint32_t>{1, 2, 3, 4}), read_buffer<std::uint32_t>(buffer));
}

TEST_P(ConcurrencyConformance, LastReferencesGoAnywhere) {
  for (int round = 0; round < rounds(); ++round) {
    std::vector<Operation> operations(kThreads, norm(24));
    std::vector<Device> devices(kThreads, device_);
    std::vector<Queue> queues;
    for (std::size_t i = 0; i < kThreads; ++i)
      queues.push_back(Queue::create(device_));
    at_once([&](std::size_t thread) {
      const Operation operation = std::move(operations[thread]);
      const Queue queue = std::move(queues[(thread + 1) % kThreads]);
      const Device device = std::move(devices[thread]);
      launch_norm(operation, queue, 24, 2);
    });
  }
}

}  // namespace
}  // namespace halyard::conformance
