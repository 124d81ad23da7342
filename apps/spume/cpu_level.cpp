// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Compiled for any x86-64 and run before everything else: the rest of the program may hold
// instructions this processor does not have, even in the initialisers of globals.

#include <cstring>

#include <unistd.h>

namespace {

bool processor_suffices() {
#if defined(__x86_64__)
    if (std::strcmp(SPUME_ARCH, "x86-64-v3") == 0)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
               __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
               __builtin_cpu_supports("popcnt");
    if (std::strcmp(SPUME_ARCH, "x86-64-v4") == 0)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
    return true;
}

__attribute__((constructor(101))) void check_processor() {
#if defined(__x86_64__)
    __builtin_cpu_init();
#endif
    if (processor_suffices()) return;
    static const char text[] =
        "error: this build of Spume needs a processor of level " SPUME_ARCH
        ", which this machine does not have\n"
        "  build it with -DSPUME_ARCH= (plain x86-64), or run it on a newer machine\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text, sizeof text - 1);
    _exit(4);
}

}  // namespace
