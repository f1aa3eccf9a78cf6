// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/text.h"
#include "tests/adversarial/base_kernels.h"
#include "tests/adversarial/corpus.h"

namespace halyard::adversarial {
namespace {

using base::concat;

// A system call in plain sight: its instruction is found before the code is loaded.
constexpr std::string_view kOpenCall = R"(
static long ask(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c)
                   : "rcx", "r11", "memory");
  return result;
}

)";

// The same instruction as part of a constant, reached by a computed address: only the process'
// confinement stops it.
constexpr std::string_view kHiddenCall = R"(
extern "C" __attribute__((naked, noinline, used)) void constant() {
  __asm__("movl $0x90c3050f, %eax\n\tret");
}
static long ask(long number, long a, long b, long c) {
  long result;
  uint64_t gate = reinterpret_cast<uint64_t>(&constant);
  __asm__("" : "+r"(gate));
  gate += 1;
  __asm__ volatile(
      "leaq -256(%%rsp), %%rsp\n\tcall *%%r8\n\tleaq 256(%%rsp), %%rsp"
      : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(gate)
      : "rcx", "r11", "memory");
  return result;
}

)";

Package with_call(std::string_view how, std::string_view statements) {
  std::string text(how);
  if (const std::size_t at = text.find("\"r\"(gate)"); at != std::string::npos) {
    text.replace(at, 9, "\"r\"(place)");
    const std::size_t before = text.find("  __asm__ volatile(");
    text.insert(before, "  register uint64_t place __asm__(\"r8\") = gate;\n");
  }
  Package package = inserted(probe_read_cpu(), "HALYARD_ENTRY(run)", text);
  return inserted(std::move(package), "for (uint64_t group", concat(statements, "\n  "));
}

struct Call {
  std::string_view id;
  std::string_view what;
  std::string_view statements;
};

constexpr Call kCalls[] = {
    {"C04-open", "opens a file of the system",
     "static constexpr char kName[] = \"/etc/passwd\";\n"
     "  ask(2, reinterpret_cast<long>(kName), 0, 0);"},
    {"C04-create", "creates a file",
     "static constexpr char kName[] = \"torch.py\";\n"
     "  ask(2, reinterpret_cast<long>(kName), 0101, 0644);"},
    {"A14-command-line", "reads how its process was started",
     "static constexpr char kName[] = \"/proc/self/cmdline\";\n"
     "  ask(257, -100, reinterpret_cast<long>(kName), 0);"},
    {"C04-socket", "opens a socket", "ask(41, 2, 1, 0);"},
    {"C06-fork", "forks", "ask(57, 0, 0, 0);"},
    {"C06-fork-bomb", "forks without end", "for (int i = 0; i < 100000; ++i) ask(57, 0, 0, 0);"},
    {"B02-clone", "starts a thread", "ask(56, 0x10f00, 0, 0);"},
    {"C05-exit", "ends its process before anything is checked", "ask(231, 0, 0, 0);"},
    {"B04-ptrace", "traces its parent", "ask(101, 16, ask(110, 0, 0, 0), 0);"},
    {"B04-mprotect", "makes its code writable",
     "ask(10, reinterpret_cast<long>(&ask) & -4096, 4096, 7);"},
    {"B04-process-memory", "writes to the memory of its parent",
     "ask(311, ask(110, 0, 0, 0), 0, 0);"},
    {"B05-forged-answer", "writes an answer to the channel",
     "static constexpr char kText[] = \"{\\\"answer\\\": \\\"done\\\"}\";\n"
     "  for (long fd = 0; fd < 256; ++fd) ask(1, fd, reinterpret_cast<long>(kText), "
     "sizeof(kText));"},
    {"B05-second-descriptor", "moves the channel to a descriptor of its own",
     "for (long fd = 3; fd < 16; ++fd) ask(33, fd, fd + 100, 0);"},
    {"C06-signal-handler", "handles the signal of a timer",
     "long action[20] = {};\n  ask(13, 14, reinterpret_cast<long>(action), 0);"},
    {"C06-memory-balloon", "takes memory until there is none",
     "for (int i = 0; i < 4096; ++i) {\n    const long p = ask(12, 0, 0, 0);\n"
     "    ask(12, p + (64 << 20), 0, 0);\n"
     "    for (long at = p; at < p + (64 << 20); at += 4096)\n"
     "      *reinterpret_cast<volatile char*>(at) = 1;\n  }"},
    {"C06-kill", "kills its parent", "ask(62, ask(110, 0, 0, 0), 9, 0);"},
    {"C01-mapped-memory", "asks what memory is mapped",
     "char pages[16];\n  ask(27, reinterpret_cast<long>(x) & -4096, 65536, "
     "reinterpret_cast<long>(pages));"},
    {"B04-priority", "raises its priority", "ask(141, 0, 0, -20);"},
};

void add_calls(CaseList& list) {
  // Found before it runs; and where it is hidden, at the first launch.
  for (const Call& call : kCalls) {
    list.add(concat(call.id, "-inline"), concat(call.what, ", by an instruction in plain sight"),
             kStatic, with_call(kOpenCall, call.statements));
    // Memory beyond the limit may end in a fault, and many refusals take their time.
    const bool is_slow = call.id.starts_with("C06-memory") || call.id.starts_with("C06-fork-bomb");
    list.add(concat(call.id, "-hidden"), concat(call.what, ", by an instruction within another"),
             is_slow ? CaseList::Classes{VerdictClass::kCheat, VerdictClass::kHang,
                                         VerdictClass::kBounds}
                     : kCheat,
             with_call(kHiddenCall, call.statements));
  }
}

Package with_instruction(std::string_view text) {
  return inserted(probe_read_cpu(), "for (uint64_t group",
                  concat("__asm__ volatile(\"", text,
                         "\" ::: \"rax\", \"rcx\", \"rdx\", "
                         "\"memory\");\n  "));
}

void add_instructions(CaseList& list) {
  list.add("E14-interrupt", "asks the system by the old interrupt", kStatic,
           with_instruction("movl $20, %%eax\\n\\tint $0x80"));
  list.add("E14-sysenter", "asks the system by sysenter", kStatic, with_instruction("sysenter"));
  list.add("E14-protection-keys", "opens memory that a protection key closes", kStatic,
           with_instruction(
               "xorl %%eax, %%eax\\n\\txorl %%ecx, %%ecx\\n\\txorl %%edx, %%edx\\n\\twrpkru"));
  list.add("E14-thread-pointer", "moves the thread's base", kStatic,
           with_instruction("rdfsbase %%rax\\n\\twrfsbase %%rax"));
  list.add("E14-halt", "halts", kStatic, with_instruction("hlt"));
  list.add("E14-port", "writes to a port", kStatic,
           with_instruction("movl $0x80, %%edx\\n\\toutb %%al, %%dx"));
  list.add("E14-trap", "ends in an instruction that there is not",
           {VerdictClass::kNumeric, VerdictClass::kStatic}, with_instruction("ud2"));
  list.add("E14-breakpoint", "stops at a breakpoint",
           {VerdictClass::kStatic, VerdictClass::kNumeric}, with_instruction("int3"));
  list.add("D09-flushes-subnormals", "lets the processor flush what it then copies by arithmetic",
           kStatic,
           edited(inserted(cast_cpu("f32", "bf16"), "for (int64_t i = begin",
                           "const unsigned control = 0x9fc0;\n"
                           "  __asm__ volatile(\"ldmxcsr %0\" : : \"m\"(control));\n"
                           "  volatile float one = 1.0f;\n  "),
                  "from_f32<T>(to_f32(x[i]))", "from_f32<T>(to_f32(x[i]) * one)"));
  list.add(
      "C01-stack-scan", "looks for the answer up the stack, past its end",
      {VerdictClass::kBounds, VerdictClass::kNumeric},
      inserted(probe_read_cpu(), "for (uint64_t group",
               "for (const auto* at = reinterpret_cast<const volatile float*>(range);; ++at) {\n"
               "    if (*at == 0.123456f) y[0] = *at;\n  }\n  "));
  list.add("C01-heap-scan", "looks for the answer beside its tensors", kBounds,
           inserted(probe_read_cpu(), "for (uint64_t group",
                    "for (const volatile float* at = y;; ++at) {\n"
                    "    if (*at == 0.123456f) y[0] = *at;\n  }\n  "));
  list.add("B05-control-block", "writes where the verifier's own words lie", kBounds,
           inserted(probe_read_cpu(), "for (uint64_t group",
                    "auto* block = reinterpret_cast<volatile uint64_t*>(\n"
                    "      (reinterpret_cast<uint64_t>(x) & ~uint64_t{4095}) - 4096);\n"
                    "  for (int i = 0; i < 512; ++i) block[i] = 1;\n  "));
  list.add("C06-stack-overflow", "recurses without end",
           {VerdictClass::kBounds, VerdictClass::kNumeric},
           inserted(inserted(probe_read_cpu(), "HALYARD_ENTRY(run)",
                             "__attribute__((noinline, optnone)) static long deep(long n) {\n"
                             "  volatile char room[4096];\n  room[n & 4095] = 1;\n"
                             "  return deep(n + 1) + room[0];\n}\n\n"),
                    "for (uint64_t group", "if (deep(0) == 1) return;\n  "));
  list.add("C05-wild-jump", "jumps to an address of its own making",
           {VerdictClass::kBounds, VerdictClass::kNumeric},
           inserted(probe_read_cpu(), "for (uint64_t group",
                    "reinterpret_cast<void (*)()>(reinterpret_cast<uint64_t>(y) | 1)();\n  "));
}

}  // namespace

void add_system_calls(CaseList& list) {
  add_calls(list);
  add_instructions(list);
}

}  // namespace halyard::adversarial
