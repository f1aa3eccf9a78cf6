// SPDX-License-Identifier: Apache-2.0
// A kernel, and what must not be in one. Compiled once for each CASE_ macro and read as bytes; none
// of them is ever loaded.
#define ENTRY __attribute__((visibility("default")))
#define KEEP __attribute__((used, noinline))

#if defined(CASE_constructor)
__attribute__((constructor)) static void boot(void) {
  __asm__ volatile("nop");
}
#elif defined(CASE_destructor)
__attribute__((destructor)) static void boot(void) {
  __asm__ volatile("nop");
}
#elif defined(CASE_boot)
ENTRY void boot(void) {
  __asm__ volatile("nop");
}
#elif defined(CASE_ifunc)
static void chosen(void) {}
static void* choose(void) {
  return (void*)chosen;
}
ENTRY void indirect(void) __attribute__((ifunc("choose")));
#elif defined(CASE_hidden_ifunc)
static void chosen(void) {}
static void* choose(void) {
  return (void*)chosen;
}
__attribute__((visibility("hidden"))) void indirect(void) __attribute__((ifunc("choose")));
#define BODY indirect();
#elif defined(CASE_textrel)
__asm__(".text\n.globl place\n.hidden place\nplace: .quad place\n");
#elif defined(CASE_writable_code)
__asm__(".section .patched,\"awx\",@progbits\nnop\n.text\n");
#elif defined(CASE_tls)
ENTRY _Thread_local int per_thread = 3;
#elif defined(CASE_local_tls)
static _Thread_local int per_thread = 3;
#define BODY per_thread += 1;
#elif defined(CASE_import)
extern char* getenv(const char* name);
#define BODY getenv("HOME");
#elif defined(CASE_weak_import)
extern char* getenv(const char* name) __attribute__((weak));
#define BODY \
  if (getenv) getenv("HOME");
#elif defined(CASE_import_in_disguise)
ENTRY __attribute__((noinline)) char* getenv(const char* name) {
  return (char*)name;
}
#define BODY getenv("HOME");
#elif defined(CASE_counter)
static volatile int counter = 1;
#define BODY counter += 1;
#elif defined(CASE_zeroed_counter)
static volatile int counter;
#define BODY counter += 1;
#elif defined(CASE_interpreter)
__attribute__((section(".interp"), used)) static const char interpreter[] = "/lib/ld.so";
#elif defined(CASE_unique)
__asm__(
    ".section .rodata\n.globl shared\n.type shared,@gnu_unique_object\nshared: .long 1\n"
    ".size shared,4\n.text\n");
#elif defined(CASE_syscall)
#define BODY __asm__ volatile("syscall" ::: "rcx", "r11", "memory");
#elif defined(CASE_interrupt)
#define BODY __asm__ volatile("int $0x80");
#elif defined(CASE_sysenter)
#define BODY __asm__ volatile("sysenter");
#elif defined(CASE_protection_keys)
#define BODY __asm__ volatile("xor %%eax, %%eax\nwrpkru" ::: "eax", "ecx", "edx");
#elif defined(CASE_rounding)
#define BODY                                       \
  const unsigned toward_zero_and_flushed = 0xffc0; \
  __asm__ volatile("ldmxcsr %0" ::"m"(toward_zero_and_flushed));
#elif defined(CASE_called_syscall)
static KEEP void helper(void) {
  __asm__ volatile("syscall" ::: "rcx", "r11", "memory");
}
#define BODY helper();
#elif defined(CASE_far_branch)
#define BODY __asm__ volatile("call . + 0x700000");
#elif defined(CASE_harmless_bytes)
// 0f 05 stands in the middle of an instruction.
#define BODY __asm__ volatile("mov $0x050f050f, %%eax" ::: "eax");
#elif defined(CASE_switch)
#define BODY                                         \
  switch (((const int*)group)[0]) {                  \
    case 0:                                          \
      ((double**)arguments)[0][0] = 1.5;             \
      break;                                         \
    case 1:                                          \
      ((float**)arguments)[0][0] = 2.5F;             \
      break;                                         \
    case 2:                                          \
      ((int**)arguments)[0][7] += 3;                 \
      break;                                         \
    case 3:                                          \
      ((long**)arguments)[0][1] *= 5;                \
      break;                                         \
    case 4:                                          \
      ((short**)arguments)[0][2] ^= 9;               \
      break;                                         \
    case 5:                                          \
      __asm__ volatile(SWITCH_ASM ::: "rcx", "r11"); \
      break;                                         \
  }
#elif defined(CASE_table)
static KEEP void first(float* x) {
  x[0] = 1;
}
static KEEP void second(float* x) {
  x[1] = 2;
}
static void (*const table[])(float*) = {first, second};
#define BODY table[((const int*)group)[0] & 1]((float*)arguments[0]);
#endif

#if defined(CASE_data_entry)
ENTRY const int kernel_entry[4] = {1, 2, 3, 4};
#elif defined(CASE_entry_in_data)
__asm__(
    ".section .rodata\n.globl kernel_entry\n.type kernel_entry,@function\nkernel_entry: ret\n"
    ".size kernel_entry,1\n.text\n");
#elif defined(CASE_missing_entry)
ENTRY void other_entry(void) {}
#else
#ifndef BODY
#define BODY ((float**)arguments)[0][0] = ((float**)arguments)[1][0];
#endif
ENTRY void kernel_entry(const void* group, void* const* arguments) {
  (void)group;
  (void)arguments;
  BODY
}
#endif
