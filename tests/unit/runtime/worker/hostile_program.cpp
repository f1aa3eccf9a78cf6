// SPDX-License-Identifier: Apache-2.0
// A program that tries one thing which a confined process must not be able to do, or to survive.
// It is run confined only. Usage: hostile_program TOKEN ATTEMPT [ARGUMENT]...
// It exits with 0 when the attempt did what it wanted; with 10 when the system refused, after
// printing the reason.

#include <arpa/inet.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

constexpr int kDone = 0;
constexpr int kUnknown = 2;
constexpr int kRefused = 10;

using Arguments = char**;

long number(const char* text) {
  return std::strtol(text, nullptr, 0);
}

int answer(bool is_done) {
  if (is_done) return kDone;
  std::printf("refused: %s\n", std::strerror(errno));
  return kRefused;
}

[[noreturn]] void wait_for_ever() {
  while (true)
    ::pause();
}

int exit_with(Arguments arguments) {
  return static_cast<int>(number(arguments[0]));
}

int raise_signal(Arguments arguments) {
  ::raise(static_cast<int>(number(arguments[0])));
  return kDone;
}

int print_environment(Arguments) {
  for (char** variable = ::environ; *variable != nullptr; ++variable)
    std::puts(*variable);
  return kDone;
}

int print_descriptors(Arguments) {
  for (int file = 0; file < 4096; ++file) {
    if (::fcntl(file, F_GETFD) >= 0) std::printf("%d ", file);
  }
  return kDone;
}

int read_file(Arguments arguments) {
  const int file = ::open(arguments[0], O_RDONLY);
  if (file < 0) return answer(false);
  std::array<char, 4096> buffer;
  const ssize_t got = ::read(file, buffer.data(), buffer.size());
  if (got > 0) (void)!::write(1, buffer.data(), static_cast<std::size_t>(got));
  return answer(got >= 0);
}

int write_file(Arguments arguments) {
  const int file = ::open(arguments[0], O_WRONLY | O_CREAT, 0644);
  return answer(file >= 0 && ::write(file, "written", 7) == 7);
}

int list_folder(Arguments arguments) {
  const int file = ::open(arguments[0], O_RDONLY | O_DIRECTORY);
  return answer(file >= 0);
}

int change_mode(Arguments arguments) {
  return answer(::chmod(arguments[0], 0777) == 0);
}

int cut_file(Arguments arguments) {
  return answer(::truncate(arguments[0], 0) == 0);
}

int open_socket(Arguments arguments) {
  return answer(::socket(static_cast<int>(number(arguments[0])), SOCK_STREAM, 0) >= 0);
}

int execute(Arguments arguments) {
  char* const argv[] = {arguments[0], const_cast<char*>("-"), const_cast<char*>("exit"),
                        const_cast<char*>("0"), nullptr};
  ::execve(arguments[0], argv, ::environ);
  return answer(false);
}

int fork_once(Arguments) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  return answer(child > 0);
}

int trace(Arguments arguments) {
  return answer(::ptrace(PTRACE_ATTACH, static_cast<pid_t>(number(arguments[0])), 0, 0) == 0);
}

int read_memory(Arguments arguments) {
  std::array<char, 16> bytes;
  const iovec here{bytes.data(), bytes.size()};
  const iovec there{reinterpret_cast<void*>(number(arguments[1])), bytes.size()};
  return answer(
      ::process_vm_readv(static_cast<pid_t>(number(arguments[0])), &here, 1, &there, 1, 0) > 0);
}

int send_signal(Arguments arguments) {
  return answer(::kill(static_cast<pid_t>(number(arguments[0])),
                       static_cast<int>(number(arguments[1]))) == 0);
}

int limit_other(Arguments arguments) {
  rlimit limit{64, 64};
  return answer(
      ::prlimit(static_cast<pid_t>(number(arguments[0])), RLIMIT_NOFILE, &limit, nullptr) == 0);
}

int call(Arguments arguments) {
  return answer(::syscall(number(arguments[0]), -1, 0, 0, 0, 0, 0) >= 0);
}

#ifdef __x86_64__
int call_i386(Arguments) {
  long result = 20;  // getpid
  asm volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
  return answer(result > 0);
}
#endif

int bomb_of_processes(Arguments) {
  while (true) {
    if (::fork() < 0) ::usleep(1000);
  }
}

int touch(void*) {
  wait_for_ever();
}

int bomb_of_threads(Arguments) {
  int count = 0;
  while (true) {
    constexpr std::size_t kStackBytes = 16384;
    void* const stack =
        ::mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED) break;
    const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;
    if (::clone(touch, static_cast<char*>(stack) + kStackBytes, flags, nullptr) < 0) break;
    ++count;
  }
  std::printf("%d threads\n", count);
  return kRefused;
}

int balloon_of_memory(Arguments) {
  constexpr std::size_t kStepBytes = std::size_t{16} << 20;
  std::size_t total = 0;
  while (true) {
    void* const block =
        ::mmap(nullptr, kStepBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) break;
    std::memset(block, 1, kStepBytes);
    total += kStepBytes;
  }
  std::printf("%zu MiB\n", total >> 20);
  return kRefused;
}

int balloon_of_file(Arguments arguments) {
  const int file = ::open(arguments[0], O_WRONLY | O_CREAT, 0644);
  if (file < 0) return answer(false);
  static std::array<char, 1 << 20> block;
  while (::write(file, block.data(), block.size()) > 0) {
  }
  return answer(false);
}

int flood(Arguments) {
  static std::array<char, 65536> block;
  block.fill('x');
  while (true)
    (void)!::write(1, block.data(), block.size());
}

int spin(Arguments) {
  for (volatile std::uint64_t turns = 0;;)
    turns = turns + 1;
}

// Loops without looking at the signal that ends its time.
int spin_deaf(Arguments arguments) {
  std::signal(SIGXCPU, SIG_IGN);
  return spin(arguments);
}

int stop_itself(Arguments) {
  ::raise(SIGSTOP);
  wait_for_ever();
}

int ignore_signals(Arguments) {
  for (int signal = 1; signal < 65; ++signal)
    std::signal(signal, SIG_IGN);
  std::puts("deaf");
  std::fflush(stdout);
  wait_for_ever();
}

// Leaves a process behind whose parent is gone.
int leave_daemon(Arguments) {
  if (::fork() == 0) {
    ::setsid();
    ::setpgid(0, 0);
    if (::fork() == 0) wait_for_ever();
    ::_exit(0);
  }
  ::usleep(50'000);
  return kDone;
}

// The key is given with each bit flipped, so that the argument is not what is looked for.
bool holds(const unsigned char* bytes, std::size_t size, const std::string& flipped) {
  for (std::size_t i = 0; i + flipped.size() <= size; ++i) {
    std::size_t same = 0;
    while (same < flipped.size() && bytes[i + same] == static_cast<unsigned char>(~flipped[same])) {
      ++same;
    }
    if (same == flipped.size()) return true;
  }
  return false;
}

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    const std::string digits(hex.substr(i, 2));
    bytes.push_back(static_cast<char>(std::strtol(digits.c_str(), nullptr, 16)));
  }
  return bytes;
}

// Pages of this process around `centre`.
bool scan_around(const void* centre, const std::string& flipped) {
  constexpr std::uintptr_t kPage = 4096;
  constexpr std::uintptr_t kReach = std::uintptr_t{16} << 20;
  const std::uintptr_t middle = reinterpret_cast<std::uintptr_t>(centre) & ~(kPage - 1);
  const std::uintptr_t begin = middle > kReach ? middle - kReach : kPage;
  for (std::uintptr_t page = begin; page < middle + kReach; page += kPage) {
    // A pipe takes only what can be read, and says so for what cannot.
    int ends[2];
    if (::pipe(ends) != 0) return false;
    std::array<unsigned char, kPage> copy;
    const bool is_readable =
        ::write(ends[1], reinterpret_cast<void*>(page), kPage) == static_cast<ssize_t>(kPage) &&
        ::read(ends[0], copy.data(), kPage) == static_cast<ssize_t>(kPage);
    ::close(ends[0]);
    ::close(ends[1]);
    if (is_readable && holds(copy.data(), copy.size(), flipped)) return true;
  }
  return false;
}

bool scan_file(const std::string& path, off_t offset, const std::string& flipped) {
  const int file = ::open(path.c_str(), O_RDONLY);
  if (file < 0) return false;
  static std::array<unsigned char, 65536> bytes;
  const ssize_t got = ::pread(file, bytes.data(), bytes.size(), offset);
  ::close(file);
  return got > 0 && holds(bytes.data(), static_cast<std::size_t>(got), flipped);
}

// Looks for a key in its own memory and in what /proc shows of all processes.
int scan(Arguments arguments) {
  const std::string flipped = from_hex(arguments[0]);
  const off_t address = number(arguments[1]);
  const long parent = number(arguments[2]);
  const auto* const code = reinterpret_cast<const void*>(&scan);
  bool is_found = scan_around(&is_found, flipped) || scan_around(::sbrk(0), flipped) ||
                  scan_around(code, flipped) || scan_around(::environ[0], flipped);
  for (const std::string& process : {std::to_string(parent), std::string("self")}) {
    for (const char* const name : {"/mem", "/environ", "/cmdline", "/maps", "/fd/0"}) {
      is_found = is_found || scan_file("/proc/" + process + name, 0, flipped);
      is_found = is_found || scan_file("/proc/" + process + name, address, flipped);
    }
  }
  return is_found ? kDone : kRefused;
}

struct Attempt {
  const char* name;
  int (*run)(Arguments);
};

constexpr Attempt kAttempts[] = {
    {"exit", exit_with},
    {"raise", raise_signal},
    {"environment", print_environment},
    {"descriptors", print_descriptors},
    {"read", read_file},
    {"write", write_file},
    {"list", list_folder},
    {"chmod", change_mode},
    {"truncate", cut_file},
    {"socket", open_socket},
    {"execute", execute},
    {"fork", fork_once},
    {"trace", trace},
    {"read-memory", read_memory},
    {"signal", send_signal},
    {"limit-other", limit_other},
    {"call", call},
#ifdef __x86_64__
    {"call-i386", call_i386},
#endif
    {"process-bomb", bomb_of_processes},
    {"thread-bomb", bomb_of_threads},
    {"memory-balloon", balloon_of_memory},
    {"file-balloon", balloon_of_file},
    {"flood", flood},
    {"spin", spin},
    {"spin-deaf", spin_deaf},
    {"stop", stop_itself},
    {"ignore-signals", ignore_signals},
    {"daemon", leave_daemon},
    {"scan", scan},
};

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return kUnknown;
  for (const Attempt& attempt : kAttempts) {
    if (std::strcmp(attempt.name, arguments[2]) == 0) return attempt.run(arguments + 3);
  }
  return kUnknown;
}
