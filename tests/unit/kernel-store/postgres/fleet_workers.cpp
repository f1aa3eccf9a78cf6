// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/kernel-store/postgres/fleet_workers.h"

#include "runtime/base/text.h"
#include "tests/unit/kernel-store/postgres/postgres_fixture.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <random>
#include <utility>

namespace halyard::store::testing {
namespace {

using base::ErrorCode;

// One process's part. It never returns.
class FleetWorker {
 public:
  FleetWorker(const std::string& url, const std::string& file,
              std::chrono::microseconds longest_work, int number)
      : store_(make_store(url)),
        file_(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)),
        owner_(base::concat("worker ", number)),
        random_(static_cast<unsigned>(number)),
        work_us_(0, longest_work.count()) {}

  [[noreturn]] void run() {
    const RequestFilter filter{{RequestKind::kVerification}, {"x86_64-v3"}};
    while (true) {
      const auto claim = store_->requests().claim_request(owner_, filter, kFleetLease);
      if (!claim) {
        if (claim.error().code() != ErrorCode::kUnavailable) fail(claim.error());
        ::usleep(20'000);
      } else if (!*claim) {
        ::usleep(20'000);
      } else {
        work_on(**claim);
      }
    }
  }

 private:
  void write(const std::string& line) const {
    const ssize_t size = ::write(file_, line.data(), line.size());
    if (size != static_cast<ssize_t>(line.size())) ::_exit(2);
  }

  [[noreturn]] void fail(const base::Error& error) const {
    write("E " + error.message() + "\n");
    ::_exit(1);
  }

  void work_on(const RequestClaim& claim) {
    const std::string word = base::concat(digest_text(claim.id), ' ', claim.token);
    ::usleep(static_cast<useconds_t>(work_us_(random_)));
    if (claim.token % 8 == 0) static_cast<void>(store_->requests().renew_claim(claim, kFleetLease));
    RequestSettlement settlement;
    settlement.outcome = word;
    settlement.evidence = {make_evidence({})};
    settlement.evidence[0].environment["word"] = word;
    settlement.evidence[0].environment["process"] = static_cast<std::int64_t>(::getpid());
    const auto settled = store_->requests().settle_request(claim, settlement);
    if (settled) {
      write("A " + word + "\n");
    } else if (settled.error().code() == ErrorCode::kPermissionDenied) {
      write("R " + word + "\n");
    } else if (settled.error().code() == ErrorCode::kUnavailable) {
      write("U " + word + "\n");
    } else {
      fail(settled.error());
    }
  }

  std::unique_ptr<PostgresStore> store_;
  int file_;
  std::string owner_;
  std::minstd_rand random_;
  std::uniform_int_distribution<std::int64_t> work_us_;
};

void reap(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

FleetWorkers::FleetWorkers(std::string url, std::string directory,
                           std::chrono::microseconds longest_work)
    : url_(std::move(url)),
      directory_(std::move(directory)),
      longest_work_(longest_work) {}

FleetWorkers::~FleetWorkers() {
  end();
}

pid_t FleetWorkers::start_one() {
  const int number = started_++;
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);
  FleetWorker(url_, directory_ + "/" + std::to_string(number), longest_work_, number).run();
}

void FleetWorkers::start(int count) {
  for (int i = 0; i < count; ++i)
    workers_.push_back(start_one());
}

void FleetWorkers::replace(std::size_t worker) {
  ::kill(workers_[worker], SIGKILL);
  reap(workers_[worker]);
  workers_[worker] = start_one();
}

void FleetWorkers::pause(std::size_t worker) {
  ::kill(workers_[worker], SIGSTOP);
}

void FleetWorkers::go_on(std::size_t worker) {
  ::kill(workers_[worker], SIGCONT);
}

void FleetWorkers::end() {
  for (const pid_t worker : workers_) {
    ::kill(worker, SIGKILL);
    reap(worker);
  }
  workers_.clear();
}

FleetRecord FleetWorkers::record() const {
  FleetRecord record;
  for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      switch (line[0]) {
        case 'A':
          ++record.accepted;
          record.words.insert(line.substr(2));
          break;
        case 'R':
          ++record.refused;
          break;
        case 'U':
          ++record.unknown;
          break;
        default:
          record.errors.push_back(line.substr(2));
      }
    }
  }
  return record;
}

}  // namespace halyard::store::testing
