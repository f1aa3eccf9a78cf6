// SPDX-License-Identifier: Apache-2.0
// Prints the speed of gemm on the CPU beside oneDNN's on the same pinned threads, in one process
// and in turns, with ceilings that are measured in the same run.
#include "halyard/halyard.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <oneapi/dnnl/dnnl.hpp>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Shape {
  const char* name;
  std::int64_t m;
  std::int64_t n;
  std::int64_t k;
};

constexpr std::array kShapes = {Shape{"square", 1024, 1024, 1024}, Shape{"qkv", 1, 6144, 4096},
                                Shape{"qkv", 16, 6144, 4096},      Shape{"o", 1, 4096, 4096},
                                Shape{"o", 16, 4096, 4096},        Shape{"gate_up", 1, 28672, 4096},
                                Shape{"gate_up", 16, 28672, 4096}, Shape{"down", 1, 4096, 14336},
                                Shape{"down", 16, 4096, 14336}};

constexpr int kRounds = 15;
constexpr double kTurnSeconds = 0.02;
// Weights of at least this size are taken in turn from copies that together exceed any cache, as
// the layers of a model are.
constexpr std::int64_t kRotatedBytes = std::int64_t{16} << 20;
constexpr std::int64_t kRotationBytes = std::int64_t{128} << 20;

struct Quartiles {
  double low;
  double median;
  double high;
};

Quartiles quartiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t count = values.size();
  return {values[count / 4], values[count / 2], values[count * 3 / 4]};
}

struct Ceilings {
  std::optional<double> flops;
  double bytes;
};

// "87 %", or "unknown".
std::string percent_of(double value, std::optional<double> ceiling) {
  return ceiling ? std::to_string(std::lround(100 * value / *ceiling)) + " %" : "unknown";
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Seconds per call over about kTurnSeconds. The first call wakes the threads and is not timed.
double time_turn(const std::function<void()>& call) {
  auto start = Clock::now();
  call();
  const int repeats = std::max(1, static_cast<int>(kTurnSeconds / seconds_since(start)));
  start = Clock::now();
  for (int i = 0; i < repeats; ++i)
    call();
  return seconds_since(start) / repeats;
}

// Numbers in [-1, 1) in the bits of `type`.
std::vector<std::uint8_t> random_elements(std::int64_t count, halyard_type type) {
  std::minstd_rand random(1);
  const std::size_t size = halyard_type_size_bytes(type);
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count) * size);
  for (std::size_t i = 0; i < bytes.size(); i += size) {
    const float value = static_cast<float>(random() >> 7) * 0x1p-23f - 1.0f;
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    // The upper half of an f32 is a bf16.
    if (size == 2) bits >>= 16;
    std::memcpy(&bytes[i], &bits, size);
  }
  return bytes;
}

halyard::Operation prepare(const halyard::Device& device, const char* contract, halyard_type type,
                           const std::vector<halyard_axis>& axes,
                           const halyard_constant_binding* constant = nullptr) {
  const halyard_type_binding binding{"T", static_cast<std::uint32_t>(type)};
  halyard_operation_desc desc = HALYARD_OPERATION_DESC_INIT;
  desc.contract = contract;
  desc.type_count = 1;
  desc.types = &binding;
  desc.axis_count = static_cast<std::uint32_t>(axes.size());
  desc.axes = axes.data();
  desc.constant_count = constant == nullptr ? 0 : 1;
  desc.constants = constant;
  return halyard::Operation::prepare(device, desc);
}

void run(const halyard::Queue& queue, const halyard::Operation& operation,
         const std::vector<halyard_view>& views, const std::vector<std::int64_t>& axes,
         const std::vector<halyard_scalar>& scalars = {}) {
  halyard_launch launch = HALYARD_LAUNCH_INIT;
  launch.view_count = static_cast<std::uint32_t>(views.size());
  launch.views = views.data();
  launch.axis_count = static_cast<std::uint32_t>(axes.size());
  launch.axes = axes.data();
  launch.scalar_count = static_cast<std::uint32_t>(scalars.size());
  launch.scalars = scalars.data();
  queue.enqueue(operation, launch);
  queue.synchronize();
}

// Multiply-adds on registers, in FLOP/s; nothing where no kernel serves the type.
std::optional<double> measure_compute(const halyard::Device& device, const halyard::Queue& queue,
                                      halyard_type type) {
  constexpr std::int64_t kSums = 65536;
  constexpr std::int64_t kSteps = 1024;
  halyard::Operation operation;
  try {
    operation = prepare(device, "probe_fma", type, {{"n", kSums}, {"steps", kSteps}});
  } catch (const halyard::Error& error) {
    if (error.status() == HALYARD_STATUS_NO_KERNEL) return std::nullopt;
    throw;
  }
  const auto elements = random_elements(2 * kSums, type);
  const auto x = halyard::Buffer::create(device, elements.size());
  const auto y = halyard::Buffer::create(device, kSums * 4);
  x.write(0, elements.data(), elements.size());
  halyard_scalar one{};
  one.f32 = 1.0f;
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    best = std::min(best, time_turn([&] {
                      run(queue, operation, {{x.get(), 0, 0, nullptr}, {y.get(), 0, 0, nullptr}},
                          {kSums, kSteps}, {one});
                    }));
  }
  return 4.0 * kSums * kSteps / best;
}

// Reading of memory beyond any cache, in bytes per second.
double measure_read(const halyard::Device& device, const halyard::Queue& queue) {
  constexpr std::int64_t kRows = 4096;
  constexpr std::int64_t kColumns = 16384;
  const auto operation =
      prepare(device, "probe_read", HALYARD_TYPE_F32, {{"rows", kRows}, {"columns", kColumns}});
  const auto x = halyard::Buffer::create(device, kRows * kColumns * 4);
  const auto y = halyard::Buffer::create(device, kRows * 4);
  queue.fill(x, 0, x.size_bytes(), 0);
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    best = std::min(
        best, time_turn([&] {
          run(queue, operation, {{x.get(), 0, 0, nullptr}, {y.get(), 0, 0, nullptr}}, {kRows});
        }));
  }
  return 4.0 * kRows * kColumns / best;
}

// oneDNN's product with weights in the layout it likes best or as they lie ("any" or "ba").
class DnnlProduct {
 public:
  DnnlProduct(const dnnl::engine& engine, const Shape& shape, halyard_type type, bool any_layout)
      : stream_(engine) {
    using Tag = dnnl::memory::format_tag;
    const auto data_type =
        type == HALYARD_TYPE_F32 ? dnnl::memory::data_type::f32 : dnnl::memory::data_type::bf16;
    a_desc_ = {{shape.m, shape.k}, data_type, Tag::ab};
    b_desc_ = {{shape.k, shape.n}, data_type, Tag::ba};
    c_desc_ = {{shape.m, shape.n}, data_type, Tag::ab};
    const dnnl::memory::desc wanted{{shape.k, shape.n}, data_type, any_layout ? Tag::any : Tag::ba};
    const dnnl::matmul::primitive_desc desc({a_desc_, wanted, c_desc_}, engine);
    weights_desc_ = desc.weights_desc();
    product_ = dnnl::matmul(desc);
  }

  void add_weights(const dnnl::engine& engine, const std::uint8_t* b) {
    dnnl::memory source(b_desc_, engine, const_cast<std::uint8_t*>(b));
    dnnl::memory packed(weights_desc_, engine);
    dnnl::reorder(source, packed).execute(stream_, source, packed);
    stream_.wait();
    weights_.push_back(packed);
  }

  void run(const dnnl::engine& engine, const std::uint8_t* a, std::uint8_t* c) {
    const dnnl::memory from(a_desc_, engine, const_cast<std::uint8_t*>(a));
    const dnnl::memory to(c_desc_, engine, c);
    product_.execute(stream_, {{DNNL_ARG_SRC, from},
                               {DNNL_ARG_WEIGHTS, weights_[next_++ % weights_.size()]},
                               {DNNL_ARG_DST, to}});
    stream_.wait();
  }

 private:
  dnnl::stream stream_;
  dnnl::memory::desc a_desc_;
  dnnl::memory::desc b_desc_;
  dnnl::memory::desc c_desc_;
  dnnl::memory::desc weights_desc_;
  dnnl::matmul product_;
  std::vector<dnnl::memory> weights_;
  std::size_t next_ = 0;
};

// The same for Halyard: one prepared operation for each copy of the weights.
struct HalyardProduct {
  std::vector<halyard::Constant> weights;
  std::vector<halyard::Operation> operations;
  halyard::Buffer a;
  halyard::Buffer c;
  std::size_t next = 0;

  void add_weights(const halyard::Device& device, const Shape& shape, halyard_type type,
                   const std::uint8_t* b) {
    weights.push_back(halyard::Constant::create(device, type, {shape.n, shape.k}, b));
    const halyard_constant_binding binding{"B", weights.back().get()};
    operations.push_back(
        prepare(device, "gemm", type, {{"M", shape.m}, {"N", shape.n}, {"K", shape.k}}, &binding));
  }
  void multiply(const halyard::Queue& queue, const Shape& shape) {
    run(queue, operations[next++ % operations.size()],
        {{a.get(), 0, 0, nullptr}, {}, {}, {c.get(), 0, 0, nullptr}}, {shape.m});
  }
};

void compare(const halyard::Device& device, const halyard::Queue& queue, const dnnl::engine& engine,
             const Shape& shape, halyard_type type, const Ceilings& ceilings) {
  const auto a = random_elements(shape.m * shape.k, type);
  const auto b = random_elements(shape.n * shape.k, type);
  std::vector<std::uint8_t> c(static_cast<std::size_t>(shape.m * shape.n) *
                              halyard_type_size_bytes(type));
  HalyardProduct ours;
  ours.a = halyard::Buffer::create(device, a.size());
  ours.a.write(0, a.data(), a.size());
  ours.c = halyard::Buffer::create(device, c.size());
  DnnlProduct any(engine, shape, type, true);
  DnnlProduct rows(engine, shape, type, false);
  const auto bytes = static_cast<std::int64_t>(b.size());
  const std::int64_t copies = bytes < kRotatedBytes ? 1 : (kRotationBytes + bytes - 1) / bytes;
  for (std::int64_t i = 0; i < copies; ++i) {
    ours.add_weights(device, shape, type, b.data());
    any.add_weights(engine, b.data());
    rows.add_weights(engine, b.data());
  }

  std::vector<double> our_seconds;
  std::vector<double> ratios;
  for (int round = 0; round < kRounds; ++round) {
    const double mine = time_turn([&] { ours.multiply(queue, shape); });
    const double theirs = std::min(time_turn([&] { any.run(engine, a.data(), c.data()); }),
                                   time_turn([&] { rows.run(engine, a.data(), c.data()); }));
    our_seconds.push_back(mine);
    ratios.push_back(theirs / mine);
  }
  const double seconds = quartiles(our_seconds).median;
  const Quartiles ratio = quartiles(ratios);
  const double rate = 2.0 * static_cast<double>(shape.m * shape.n * shape.k) / seconds;
  const double traffic = static_cast<double>(b.size()) / seconds;
  std::printf(
      "%-8s %-4s %5lld %6lld %6lld  %9.3f  %7.1f %7s  %6.1f %7s  %5.2f (%.2f to %.2f)  %s\n",
      shape.name, halyard_type_name(type), static_cast<long long>(shape.m),
      static_cast<long long>(shape.n), static_cast<long long>(shape.k), seconds * 1e3, rate * 1e-9,
      percent_of(rate, ceilings.flops).c_str(), traffic * 1e-9,
      percent_of(traffic, ceilings.bytes).c_str(), ratio.median, ratio.low, ratio.high,
      ours.operations.front().info().kernel_name);
  std::fflush(stdout);
}

// OpenMP has bound this thread to one processor. The device is opened with all of them in sight,
// and the thread goes back: it takes part in the work of both libraries.
halyard::Device open_device(const halyard::Instance& instance) {
  cpu_set_t bound;
  cpu_set_t all;
  ::sched_getaffinity(0, sizeof bound, &bound);
  std::memset(&all, 0xff, sizeof all);
  ::sched_setaffinity(0, sizeof all, &all);
  auto device = instance.device("cpu:0");
  ::sched_setaffinity(0, sizeof bound, &bound);
  return device;
}

void run_all() {
  const auto instance = halyard::Instance::create();
  const auto device = open_device(instance);
  const auto queue = halyard::Queue::create(device);
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);

  const double read = measure_read(device, queue);
  std::printf("ceilings: reading %.1f GB/s", read * 1e-9);
  std::unordered_map<int, std::optional<double>> compute;
  for (const halyard_type type : {HALYARD_TYPE_F32, HALYARD_TYPE_BF16}) {
    compute[type] = measure_compute(device, queue, type);
    if (compute[type]) {
      std::printf(", %s %.1f GFLOP/s", halyard_type_name(type), *compute[type] * 1e-9);
    }
  }
  std::printf("\n%-8s %-4s %5s %6s %6s  %9s  %15s  %14s  %-20s  kernel\n", "shape", "type", "M",
              "N", "K", "ms", "GFLOP/s", "GB/s of B", "ratio to oneDNN");
  for (const halyard_type type : {HALYARD_TYPE_F32, HALYARD_TYPE_BF16}) {
    for (const Shape& shape : kShapes) {
      compare(device, queue, engine, shape, type, {compute[type], read});
    }
  }
}

}  // namespace

int main(int, char** argv) {
  // OpenMP reads its variables when it is loaded. Threads that wait must leave the cores to the
  // other library, whose turn it is.
  if (std::getenv("OMP_PROC_BIND") == nullptr) {
    ::setenv("OMP_PROC_BIND", "true", 1);
    ::setenv("OMP_PLACES", "cores", 1);
    ::setenv("GOMP_SPINCOUNT", "20000", 1);
    ::execv("/proc/self/exe", argv);
  }
  try {
    run_all();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
