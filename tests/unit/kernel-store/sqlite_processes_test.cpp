// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/open_store.h"
#include "kernel-store/sqlite_database.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

// Many processes write one store and are killed at random; what they were told is done must be.
namespace halyard::store {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t kProcesses = 64;
constexpr std::string_view kTarget = "x86_64-v3";

struct Plan {
  std::size_t kills;
  milliseconds interval;
  std::size_t kernels;   // That all try to promote.
  std::size_t requests;  // That all try to settle.
};

Plan make_plan() {
  const char* const value = std::getenv("HALYARD_TEST_LONG");
  if (value != nullptr && *value != '\0') return {10'000, milliseconds(20), 4'000, 4'000};
  return {100, milliseconds(60), 100, 200};
}

KernelId kernel_of(std::size_t number) {
  return base::Sha256::of("kernel " + std::to_string(number));
}

// A process's part: verbs at random, each followed by a line when it has returned well.
class Worker {
 public:
  Worker(const std::string& path, int acknowledgements, std::string name, const Plan& plan)
      : store_(*open_store(path)),
        acknowledgements_(acknowledgements),
        name_(std::move(name)),
        plan_(plan),
        random_(static_cast<std::uint32_t>(std::hash<std::string>()(name_))) {}

  [[noreturn]] void run() {
    for (std::uint64_t turn = 0;; ++turn) {
      const std::string label = name_ + "/" + std::to_string(turn);
      switch (random_() % 4) {
        case 0:
          put_blob(label);
          break;
        case 1:
          put_evidence(label);
          break;
        case 2:
          promote();
          break;
        default:
          settle(label);
      }
    }
  }

 private:
  void tell(const std::string& line) const {
    const std::string text = line + "\n";
    if (::write(acknowledgements_, text.data(), text.size()) < 0) ::_exit(1);
  }

  void put_blob(const std::string& label) {
    const auto digest = store_->put_blob(std::as_bytes(std::span(label)));
    if (digest) tell("blob " + digest_text(*digest));
  }

  void put_evidence(const std::string& label) {
    EvidenceRecord record = testing::make_evidence({});
    record.message = label;
    const auto id = store_->put_evidence(record);
    if (id) tell("evidence " + digest_text(*id));
  }

  void promote() {
    const std::size_t number = random_() % plan_.kernels;
    StateChange change;
    change.kernel = kernel_of(number);
    change.target = kTarget;
    change.state = KernelState::kVerified;
    change.who = name_;
    const auto evidence = store_->put_evidence(testing::make_evidence(change.kernel));
    if (!evidence) return;
    change.evidence = *evidence;
    if (!store_->append_state(change)) return;
    change.state = KernelState::kPromoted;
    const auto added = store_->append_state(change);
    if (added && *added) tell("promoted " + std::to_string(number) + " " + name_);
  }

  void settle(const std::string& label) {
    const auto claim = store_->requests().claim_request(name_, {}, seconds(1));
    if (!claim || !*claim) return;
    RequestSettlement settlement;
    settlement.outcome = label;
    if (store_->requests().settle_request(**claim, settlement)) {
      tell("settled " + digest_text((*claim)->id) + " " + label);
    }
  }

  std::unique_ptr<KernelStore> store_;
  int acknowledgements_;
  std::string name_;
  Plan plan_;
  std::minstd_rand random_;
};

// The parent of the workers, which kills them.
class Killer {
 public:
  Killer(std::string path, const Plan& plan) : path_(std::move(path)), plan_(plan) {
    EXPECT_EQ(::pipe2(pipe_.data(), O_CLOEXEC), 0);
  }
  ~Killer() {
    ::close(pipe_[0]);
    ::close(pipe_[1]);
  }

  // The lines of the workers.
  std::string run() {
    std::vector<pid_t> workers;
    for (std::size_t i = 0; i < kProcesses; ++i)
      workers.push_back(start());
    for (std::size_t kill = 0; kill < plan_.kills; ++kill) {
      read_until(std::chrono::steady_clock::now() + plan_.interval);
      pid_t& victim = workers[random_() % workers.size()];
      end(victim);
      victim = start();
    }
    for (const pid_t worker : workers)
      end(worker);
    read_until(std::chrono::steady_clock::now());
    return std::move(lines_);
  }

 private:
  pid_t start() {
    const std::string name = std::to_string(started_++);
    const pid_t pid = ::fork();
    if (pid == 0) Worker(path_, pipe_[1], name, plan_).run();
    return pid;
  }

  static void end(pid_t worker) {
    ::kill(worker, SIGKILL);
    ::waitpid(worker, nullptr, 0);
  }

  void read_until(std::chrono::steady_clock::time_point time) {
    while (true) {
      const auto left =
          std::chrono::duration_cast<milliseconds>(time - std::chrono::steady_clock::now());
      pollfd ready{pipe_[0], POLLIN, 0};
      if (::poll(&ready, 1, std::max(0, static_cast<int>(left.count()))) <= 0) return;
      std::array<char, 65536> buffer;
      const ssize_t count = ::read(pipe_[0], buffer.data(), buffer.size());
      if (count > 0) lines_.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }

  std::string path_;
  Plan plan_;
  std::array<int, 2> pipe_{};
  std::string lines_;
  std::size_t started_ = 0;
  std::minstd_rand random_{20'26};
};

struct Told {
  std::size_t records = 0;
  std::size_t lost = 0;
  std::size_t twice = 0;
};

Told compare(KernelStore& store, const std::string& lines) {
  std::map<std::string, std::string> outcomes;
  const std::vector<Request> requests = *store.requests().list_requests();
  for (const Request& request : requests)
    outcomes[digest_text(request.id)] = request.outcome;
  std::map<std::string, bool> evidence;
  const std::vector<EvidenceRecord> found = *store.find_evidence({{}, {}, {}, {}, {}, {}});
  for (const EvidenceRecord& record : found)
    evidence[digest_text(evidence_id(record))] = true;
  std::map<std::string, int> ends;
  Told told;
  std::istringstream input(lines);
  for (std::string line; std::getline(input, line); ++told.records) {
    std::istringstream words(line);
    std::string verb;
    std::string id;
    std::string label;
    words >> verb >> id >> label;
    bool is_there = false;
    if (verb == "blob") is_there = store.get_blob(*digest_from_text(id))->has_value();
    if (verb == "evidence") is_there = evidence.count(id) != 0;
    if (verb == "settled") is_there = outcomes[id] == label;
    if (verb == "promoted") {
      const auto history = store.states(kernel_of(std::stoul(id)), kTarget);
      is_there = history && !history->empty() && history->back().state == KernelState::kPromoted &&
                 history->back().who == label;
    }
    if (!is_there) ++told.lost;
    const bool ends_once = verb == "promoted" || verb == "settled";
    if (ends_once && ++ends[verb + id] > 1) ++told.twice;
  }
  return told;
}

// As without a log that is written ahead, where a writer keeps readers out.
TEST(SqliteProcesses, StoreThatAnotherLocksIsWaitedForOnce) {
  const testing::TemporaryDirectory directory;
  const std::string path = directory / "s";
  ASSERT_TRUE((*open_store(path))->put_kernel(testing::make_package("a")));
  const auto other = SqliteDatabase::open(path, SqliteDatabase::Access::kReadWrite);
  ASSERT_TRUE(other);
  ASSERT_TRUE((*other)->execute("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE"));
  const auto store = *open_store(path);
  const auto first = store->generation();
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().code(), base::ErrorCode::kUnavailable);
  const auto begin = std::chrono::steady_clock::now();
  const auto second = store->generation();
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message(), first.error().message());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, kPatience);
}

TEST(SqliteProcesses, KilledProcessesLoseNothingAndPromoteOnce) {
  const testing::TemporaryDirectory directory;
  const std::string path = directory / "store.sqlite";
  const Plan plan = make_plan();
  {
    const auto store = *open_store(path);
    for (std::size_t i = 0; i < plan.requests; ++i) {
      ASSERT_TRUE(store->requests().put_request(RequestKind::kKernel, "",
                                                "{\"a\":" + std::to_string(i) + "}"));
    }
  }
  const std::string lines = Killer(path, plan).run();
  const auto store = *open_store(path);
  const auto verified = store->upkeep().verify_records([](const DamagedRecord&) {});
  ASSERT_TRUE(verified) << verified.error().message();
  EXPECT_EQ(verified->damaged, 0U);
  const Told told = compare(*store, lines);
  std::size_t promotions = 0;
  for (std::size_t i = 0; i < plan.kernels; ++i) {
    const auto history = store->states(kernel_of(i), kTarget);
    ASSERT_TRUE(history);
    const auto count = std::count_if(
        history->begin(), history->end(),
        [](const StateChange& change) { return change.state == KernelState::kPromoted; });
    EXPECT_LE(count, 1);
    promotions += static_cast<std::size_t>(count);
  }
  std::printf(
      "%zu processes, %zu kills, %zu acknowledged records: %zu lost, %zu done twice; %zu "
      "promotions\n",
      kProcesses, plan.kills, told.records, told.lost, told.twice, promotions);
  EXPECT_EQ(told.lost, 0U);
  EXPECT_EQ(told.twice, 0U);
  EXPECT_GT(told.records, plan.kills);
  EXPECT_GT(promotions, 0U);
}

}  // namespace
}  // namespace halyard::store
