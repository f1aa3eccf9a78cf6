// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace halyard::store::testing {

inline constexpr std::chrono::seconds kFleetLease{2};

// What a worker's word about its settlements was.
struct FleetRecord {
  std::uint64_t accepted = 0;
  std::uint64_t refused = 0;    // Its claim held no more.
  std::uint64_t unknown = 0;    // The connection was lost meanwhile.
  std::set<std::string> words;  // Of those accepted: "<request> <token>".
  std::vector<std::string> errors;
};

// Processes that claim verification requests, put off their end for a moment, and settle them with
// evidence that names request, token and process. Each has a store of its own and writes what came
// of it into a file before it goes on.
class FleetWorkers {
 public:
  // `directory` takes the files; `longest_work` is how long a worker sits on a claim at most.
  FleetWorkers(std::string url, std::string directory, std::chrono::microseconds longest_work);
  ~FleetWorkers();
  FleetWorkers(const FleetWorkers&) = delete;
  FleetWorkers& operator=(const FleetWorkers&) = delete;

  void start(int count);
  // By SIGKILL; another takes its place.
  void replace(std::size_t worker);
  void pause(std::size_t worker);
  void go_on(std::size_t worker);
  void end();
  std::size_t size() const { return workers_.size(); }

  // After the end.
  FleetRecord record() const;

 private:
  pid_t start_one();

  std::string url_;
  std::string directory_;
  std::chrono::microseconds longest_work_;
  std::vector<pid_t> workers_;
  int started_ = 0;
};

}  // namespace halyard::store::testing
