// SPDX-License-Identifier: Apache-2.0
// Prints what a look-up in a large SQLite store costs, beside a bare query of the same rows:
// store_lookup_bench FILE [KERNELS [MOST_US MOST_OPEN_MS]]. Makes FILE, which must not exist, and
// leaves it. Exits with 1 above a bar.
#include "kernel-store/build_key.h"
#include "kernel-store/open_store.h"
#include "kernel-store/sqlite_database.h"
#include "runtime/base/sha256.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

namespace base = halyard::base;
namespace store = halyard::store;
using store::SqliteDatabase;
using store::SqliteQuery;

constexpr std::uint64_t kTargets = 20;
constexpr std::uint64_t kKernelsOfAContract = 200;  // So 10 for each target.
constexpr int kRounds = 4001;

store::KernelId kernel_of(std::uint64_t number) {
  return base::Sha256::of("kernel " + std::to_string(number));
}

std::string contract_of(std::uint64_t number) {
  return "contract_" + std::to_string(number / kKernelsOfAContract);
}

std::string target_of(std::uint64_t number) {
  return "target_" + std::to_string(number % kTargets);
}

store::BuildInputs inputs_of(std::uint64_t number) {
  store::BuildInputs inputs{};
  inputs.kernel = kernel_of(number);
  inputs.parameters = {{"TILE_N", 64}};
  inputs.target = target_of(number);
  inputs.types = {{"T", base::DataType::kBf16}};
  inputs.toolchain = "clang 19.1.7";
  inputs.flags = {"-O3"};
  return inputs;
}

base::Status insert_kernel(SqliteDatabase& database, std::uint64_t number, std::int64_t now_ms) {
  const store::BuildInputs inputs = inputs_of(number);
  const std::string record = "{\"targets\":[\"" + inputs.target + "\"],\"name\":\"a kernel\"}";
  HALYARD_TRY_ASSIGN(SqliteQuery kernel,
                     database.query("INSERT INTO kernels VALUES (?, ?, ?, '1.0.0', ?, NULL, ?)"));
  kernel.bind(inputs.kernel).bind(contract_of(number)).bind("k" + std::to_string(number));
  HALYARD_TRY(kernel.bind(record).bind(now_ms).run());
  HALYARD_TRY_ASSIGN(SqliteQuery build,
                     database.query("INSERT INTO builds VALUES (?, ?, ?, '{\"T\":\"bf16\"}', "
                                    "'{\"TILE_N\":64}', 'clang 19.1.7', '', '[\"-O3\"]', ?2, ?4, "
                                    "?4)"));
  build.bind(store::compute_build_key(inputs)).bind(inputs.kernel).bind(inputs.target);
  HALYARD_TRY(build.bind(now_ms).run());
  HALYARD_TRY_ASSIGN(
      SqliteQuery state,
      database.query("INSERT INTO states (kernel, target, first_driver, last_driver, state, who, "
                     "why, time_ms) VALUES (?, ?, '', '', 'verified', 'bench', '', ?)"));
  return state.bind(inputs.kernel).bind(inputs.target).bind(now_ms).run();
}

base::Status fill(const std::string& path, std::uint64_t kernels) {
  HALYARD_TRY_ASSIGN(const auto made, store::open_store("sqlite:" + path));
  HALYARD_TRY(made->generation());
  HALYARD_TRY_ASSIGN(const auto database,
                     SqliteDatabase::open(path, SqliteDatabase::Access::kReadWrite));
  HALYARD_TRY(database->execute("PRAGMA synchronous = OFF; PRAGMA cache_size = -2000000"));
  const std::int64_t now_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                                  std::chrono::system_clock::now().time_since_epoch())
                                  .count();
  HALYARD_TRY_ASSIGN(auto transaction, store::SqliteTransaction::begin(*database));
  for (std::uint64_t number = 0; number < kernels; ++number) {
    HALYARD_TRY(insert_kernel(*database, number, now_ms));
  }
  return transaction.commit();
}

// The median of a look-up of `kRounds` records anywhere in the store, the second time.
double median_us(std::uint64_t kernels, const std::function<bool(std::uint64_t)>& look_up) {
  std::vector<double> times;
  for (int pass = 0; pass < 2; ++pass) {
    times.clear();
    std::uint64_t number = 7;
    for (int round = 0; round < kRounds; ++round) {
      number = (number * 6364136223846793005U + 1442695040888963407U) >> 1U;
      const auto start = std::chrono::steady_clock::now();
      if (!look_up(number % kernels)) return 1e9;
      times.push_back(
          std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
              .count());
    }
  }
  std::nth_element(times.begin(), times.begin() + kRounds / 2, times.end());
  return times[kRounds / 2];
}

// Whether a bare query has a row; reads all of them.
bool has_rows(base::Result<SqliteQuery> query,
              const std::function<void(SqliteQuery&)>& bind_parameters) {
  if (!query) return false;
  bind_parameters(*query);
  int rows = 0;
  for (auto row = query->step(); row && *row; row = query->step())
    ++rows;
  return rows != 0;
}

struct Bars {
  double most_us;
  double most_open_ms;
};

void print_line(const char* what, double ours_us, double bare_us) {
  std::printf("%-14s median %.2f us, bare query %.2f us\n", what, ours_us, bare_us);
}

double measure(store::KernelStore& opened, SqliteDatabase& bare, std::uint64_t kernels) {
  const double find = median_us(kernels, [&](std::uint64_t number) {
    const auto found = opened.find_kernels(contract_of(number), target_of(number));
    return found && !found->empty();
  });
  print_line("find_kernels", find, median_us(kernels, [&](std::uint64_t number) {
               return has_rows(bare.query("SELECT kernel, contract, name, version FROM "
                                          "kernel_targets WHERE contract = ? AND target = ?"),
                               [&](SqliteQuery& query) {
                                 query.bind(contract_of(number)).bind(target_of(number));
                               });
             }));
  const double build = median_us(kernels, [&](std::uint64_t number) {
    const auto found = opened.get_build(store::compute_build_key(inputs_of(number)));
    return found && found->has_value();
  });
  print_line("get_build", build, median_us(kernels, [&](std::uint64_t number) {
               return has_rows(bare.query("SELECT * FROM builds WHERE key = ?"),
                               [&](SqliteQuery& query) {
                                 query.bind(store::compute_build_key(inputs_of(number)));
                               });
             }));
  const double states = median_us(kernels, [&](std::uint64_t number) {
    const auto found = opened.states(kernel_of(number), target_of(number));
    return found && !found->empty();
  });
  print_line("states", states, median_us(kernels, [&](std::uint64_t number) {
               return has_rows(bare.query("SELECT * FROM states WHERE kernel = ? AND target = ? "
                                          "ORDER BY sequence"),
                               [&](SqliteQuery& query) {
                                 query.bind(kernel_of(number)).bind(target_of(number));
                               });
             }));
  return std::max({find, build, states});
}

base::Result<bool> run(const std::string& path, std::uint64_t kernels, const Bars& bars) {
  HALYARD_TRY(fill(path, kernels));
  const auto start = std::chrono::steady_clock::now();
  HALYARD_TRY_ASSIGN(const auto opened, store::open_store("sqlite:" + path));
  HALYARD_TRY(opened->generation());
  const double open_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  HALYARD_TRY_ASSIGN(const auto bare,
                     SqliteDatabase::open(path, SqliteDatabase::Access::kReadOnly));
  std::printf("%llu kernels: open %.2f ms\n", static_cast<unsigned long long>(kernels), open_ms);
  const double slowest_us = measure(*opened, *bare, kernels);
  return slowest_us <= bars.most_us && open_ms <= bars.most_open_ms;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3 && argc != 5) {
    std::fprintf(stderr, "store_lookup_bench FILE [KERNELS [MOST_US MOST_OPEN_MS]]\n");
    return 2;
  }
  const std::uint64_t kernels = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1'000'000;
  const Bars bars = argc == 5 ? Bars{std::atof(argv[3]), std::atof(argv[4])} : Bars{1e9, 1e9};
  const auto within = run(argv[1], kernels, bars);
  if (!within) std::fprintf(stderr, "%s\n", within.error().message().c_str());
  return within && *within ? 0 : 1;
}
