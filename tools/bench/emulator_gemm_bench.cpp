// SPDX-License-Identifier: Apache-2.0
// Prints how fast instructions are interpreted: emulator_gemm_bench FOLDER GEMM.hsaco, the folder
// of the shipped descriptors and the object of emulated_gemm.hip for gfx1100. Ends with 1 where a
// bar is missed or the product is wrong.
#include "backends/emulator/detect/detectors.h"
#include "backends/emulator/launch/launch.h"
#include "backends/emulator/launch/loaded_object.h"
#include "backends/emulator/program/program.h"
#include "capability-descriptors/descriptor_catalog.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace {

namespace base = halyard::base;
namespace descriptors = halyard::descriptors;
namespace emulator = halyard::emulator;

constexpr std::uint32_t kSize = 192;
constexpr std::uint32_t kTile = 64;
constexpr int kRounds = 5;
// Wave instructions of 32 lanes a second on one core.
constexpr double kBoundsBar = 40e6;
constexpr double kFullBar = 8e6;
constexpr double kColdBarSeconds = 0.2;

// Of this process on a core, so that what else runs there does not count.
double core_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

struct Matrices {
  std::vector<float> a = std::vector<float>(kSize * kSize);
  std::vector<float> b = std::vector<float>(kSize * kSize);
  std::vector<float> c = std::vector<float>(kSize * kSize);

  Matrices() {
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = static_cast<float>(i % 17) - 8;
      b[i] = static_cast<float>(i % 13) - 6;
    }
  }

  bool is_product() const {
    for (std::size_t i = 0; i < kSize; ++i) {
      for (std::size_t j = 0; j < kSize; ++j) {
        float sum = 0;
        for (std::size_t k = 0; k < kSize; ++k)
          sum = std::fma(a[i * kSize + k], b[k * kSize + j], sum);
        if (sum != c[i * kSize + j]) return false;
      }
    }
    return true;
  }
};

emulator::LaunchArgument memory(const char* name, std::vector<float>& data) {
  emulator::LaunchArgument argument;
  argument.name = name;
  argument.host = reinterpret_cast<std::byte*>(data.data());
  argument.size_bytes = data.size() * sizeof(float);
  argument.is_writable = true;
  return argument;
}

emulator::LaunchDesc gemm_launch(Matrices& matrices) {
  emulator::LaunchDesc desc;
  desc.grid = {kSize / kTile, kSize / kTile, 1};
  desc.block = {64, 1, 1};
  emulator::LaunchArgument size;
  size.name = "n";
  size.is_value = true;
  size.value = kSize;
  desc.arguments = {memory("a", matrices.a), memory("b", matrices.b), memory("c", matrices.c),
                    size};
  return desc;
}

base::Result<emulator::IsaTables> read_tables(const char* folder) {
  HALYARD_TRY_ASSIGN(const auto catalog, descriptors::DescriptorCatalog::open({folder}));
  HALYARD_TRY_ASSIGN(auto set, catalog.find_instruction_set("amd/rdna3"));
  emulator::EmulatedTarget target;
  target.processor = "gfx1100";
  target.instruction_set = "amd/rdna3";
  return emulator::IsaTables::create(std::move(target), std::move(set));
}

base::Result<std::unique_ptr<const emulator::LoadedObject>> read_object(
    const emulator::IsaTables& tables, const char* path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(stream)),
                          std::istreambuf_iterator<char>());
  return emulator::LoadedObject::load(tables, std::as_bytes(std::span(bytes)), path);
}

// Instructions a second, the best of some launches; 0 for a launch that ends badly.
double measure(const emulator::LoadedObject& object, bool is_full) {
  double best = 0;
  for (int round = 0; round < kRounds; ++round) {
    Matrices matrices;
    emulator::LaunchDesc desc = gemm_launch(matrices);
    emulator::Detectors detectors;
    if (is_full) desc.options.observer = &detectors;
    const double start = core_seconds();
    const auto outcome = emulator::launch(object, object.kernels().front(), desc);
    const double seconds = core_seconds() - start;
    if (!outcome || outcome->report || !matrices.is_product()) {
      const std::string text = !outcome          ? outcome.error().message()
                               : outcome->report ? emulator::report_text(*outcome->report)
                                                 : "The product is wrong.";
      std::fprintf(stderr, "%s\n", text.c_str());
      return 0;
    }
    best = std::max(best, static_cast<double>(outcome->instructions) / seconds);
  }
  return best;
}

bool print_speed(const char* mode, double speed, double bar) {
  std::printf("%-7s %6.1f M wave instructions/s/core (bar %.0f)\n", mode, speed / 1e6, bar / 1e6);
  return speed >= bar;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "Usage: %s FOLDER GEMM.hsaco\n", argv[0]);
    return 2;
  }
  const double start = core_seconds();
  const auto tables = read_tables(argv[1]);
  if (!tables) {
    std::fprintf(stderr, "%s\n", tables.error().message().c_str());
    return 1;
  }
  const double table_seconds = core_seconds() - start;
  const auto object = read_object(*tables, argv[2]);
  if (!object) {
    std::fprintf(stderr, "%s\n", object.error().message().c_str());
    return 1;
  }
  // Up to the first instruction: a budget of one ends the launch there.
  Matrices matrices;
  emulator::LaunchDesc first = gemm_launch(matrices);
  first.options.instruction_budget = 1;
  const auto outcome = emulator::launch(**object, (*object)->kernels().front(), first);
  const double cold_seconds = core_seconds() - start;
  if (!outcome) return 1;
  std::printf(
      "cold    %6.3f s from file to first instruction, %.3f of them for the tables (bar %.1f)\n",
      cold_seconds, table_seconds, kColdBarSeconds);
  const bool is_cold_met = cold_seconds < kColdBarSeconds;
  const bool is_bounds_met = print_speed("bounds", measure(**object, false), kBoundsBar);
  const bool is_full_met = print_speed("full", measure(**object, true), kFullBar);
  return is_cold_met && is_bounds_met && is_full_met ? 0 : 1;
}
