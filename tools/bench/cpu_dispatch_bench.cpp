// SPDX-License-Identifier: Apache-2.0
// Prints what a dispatch on the CPU backend costs: cpu_dispatch_bench KERNEL.so, a shared object
// with the entries do_nothing and count_groups of tests/unit/backends/cpu/probe_kernel.cpp.
#include "backends/cpu/cpu_backend.h"
#include "backends/cpu/cpu_kernel.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace base = halyard::base;
namespace core = halyard::core;
namespace cpu = halyard::cpu;

constexpr std::uint32_t kMostGroups = 16 << 12;

// The median over `rounds` of the nanoseconds that one of `repeats` calls takes.
template <typename Call>
double median_ns(int rounds, int repeats, Call call) {
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; ++i)
      call();
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    times.push_back(time.count() / repeats);
  }
  std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
  return times[static_cast<std::size_t>(rounds / 2)];
}

core::StageDesc make_stage(const char* entry, std::size_t arguments) {
  core::StageDesc stage;
  stage.entry = entry;
  stage.arguments.resize(arguments);
  return stage;
}

void do_nothing(const std::uint64_t*, const cpu::KernelRange*) {}

int fail(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  return 1;
}

// A device with its queue and the two stages of the kernel.
struct Bench {
  base::Ref<core::Device> device;
  base::Ref<core::Queue> queue;
  base::Ref<core::Executable> executable;
  base::Ref<core::Buffer> buffer;

  void run(std::uint32_t stage, std::uint32_t groups) const {
    std::array<core::ArgumentValue, 8> arguments;
    arguments.fill({buffer.get(), 0, buffer->size_bytes(), 0});
    const std::span used(arguments.data(), stage == 0 ? 8 : 2);
    if (!queue->dispatch({executable.get(), stage, {groups, 1, 1}, used})) std::abort();
  }
};

base::Result<Bench> make_bench(std::uint32_t threads, std::span<const std::byte> code) {
  base::Configuration configuration;
  configuration.cpu_threads.value = threads;
  const auto settings = base::make_ref<core::BackendSettings>(configuration);
  core::ExecutableDesc desc;
  desc.name = "probe";
  desc.target = "x86_64-v2";
  desc.code = code;
  desc.stages = {make_stage("do_nothing", 8), make_stage("count_groups", 2)};
  Bench bench;
  HALYARD_TRY_ASSIGN(const auto devices, cpu::create_cpu_backend(*settings)->enumerate());
  bench.device = devices.front();
  HALYARD_TRY_ASSIGN(bench.queue, bench.device->create_queue());
  HALYARD_TRY_ASSIGN(bench.executable, bench.device->load_executable(desc));
  HALYARD_TRY_ASSIGN(bench.buffer,
                     bench.device->create_buffer({std::uint64_t{kMostGroups} * 4, 0}));
  return bench;
}

void print_times(const Bench& alone, const Bench& all) {
  volatile cpu::KernelEntry direct = &do_nothing;
  const cpu::KernelRange range;
  const double direct_ns = median_ns(51, 20'000, [&] { direct(nullptr, &range); });
  const double one_ns = median_ns(51, 20'000, [&] { all.run(0, 1); });
  std::printf("one group, 8 arguments: %.1f ns above a direct call (%.1f ns)\n", one_ns - direct_ns,
              direct_ns);

  std::printf("%8s %12s %12s %12s\n", "groups", "alone ns", "all ns", "asleep ns");
  for (std::uint32_t groups = 16; groups <= kMostGroups; groups *= 8) {
    const double alone_ns = median_ns(101, 50, [&] { alone.run(1, groups); });
    const double all_ns = median_ns(101, 50, [&] { all.run(1, groups); });
    std::vector<double> asleep;
    for (int i = 0; i < 51; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      asleep.push_back(median_ns(1, 1, [&] { all.run(1, groups); }));
    }
    std::nth_element(asleep.begin(), asleep.begin() + 25, asleep.end());
    std::printf("%8u %12.0f %12.0f %12.0f\n", groups, alone_ns, all_ns, asleep[25]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return fail("usage: cpu_dispatch_bench KERNEL.so");
  std::ifstream file(argv[1], std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto code = std::as_bytes(std::span(text));
  const auto alone = make_bench(1, code);
  const auto all = make_bench(0, code);
  if (!alone) return fail(alone.error().message());
  if (!all) return fail(all.error().message());
  print_times(*alone, *all);
  return 0;
}
