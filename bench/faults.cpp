// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// The long form of tests/faults: the same tests with ten times as many kills, signals, flipped
// bytes and damaged files (SPUME_LONG), run before a release.

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <unistd.h>

int main() {
    char self[PATH_MAX] = "";
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return 1;
    const std::string path = self;
    const std::string tests = path.substr(0, path.rfind('/')) + "/test_faults";
    setenv("SPUME_LONG", "10", 0);
    std::printf("%s with SPUME_LONG=%s\n", tests.c_str(), std::getenv("SPUME_LONG"));
    std::fflush(stdout);
    execl(tests.c_str(), tests.c_str(), "--gtest_brief=1", static_cast<char*>(nullptr));
    std::perror(tests.c_str());
    return 1;
}
