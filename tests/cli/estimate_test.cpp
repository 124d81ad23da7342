// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace spume::test {
namespace {

using Estimate = ProgramTest;

/// What `spume check` says behind a word, in MB.
double said(const std::string& text, const std::string& word) {
    const std::size_t line = text.find("\n" + word);
    if (line == std::string::npos) return -1;
    const std::string rest = text.substr(line + 1, text.find('\n', line + 1) - line - 1);
    const std::size_t digits = rest.find_first_of("0123456789");
    if (digits == std::string::npos) return -1;
    std::istringstream in(rest.substr(digits));
    double value = 0;
    std::string unit;
    in >> value >> unit;
    return value * (unit == "GB" ? 1000 : unit == "kB" ? 1e-3 : 1);
}

/// The numbers behind "likely" in that line, in MB.
double likely(const std::string& text, const std::string& word) {
    const std::size_t line = text.find("\n" + word);
    const std::size_t at = text.find("likely", line);
    return line == std::string::npos || at == std::string::npos
               ? -1
               : said("\n" + word + text.substr(at, text.find('\n', at) - at), word);
}

/// No run may need more than was said before it, nor so much less that nobody would believe it.
TEST_F(Estimate, BoundsWhatARunTakes) {
    const std::pair<std::string, std::string> runs[] = {{"wsb25_fig13c_heavy_bubbles", "3"},
                                                        {"dam_break", "3"},
                                                        {"bubble_column_2d", "24"},
                                                        {"dam_break_2d", "3"}};
    for (const auto& [name, last] : runs) {
        const std::string number = std::string(4 - last.size(), '0') + last + ".";
        const std::string scene = std::string(SPUME_SOURCE) + "/scenes/" + name + ".toml";
        const Outcome check = spume({"check", scene, "--preset", "low", "-e", last});
        ASSERT_EQ(check.status, 0) << check.err;
        const double memory = said("\n" + check.out, "memory:"),
                     disk = said("\n" + check.out, "disk:");
        ASSERT_GT(memory, 0) << check.out;
        ASSERT_EQ(spume({"run", scene, "--preset", "low", "-e", last, "-o", name, "--progress",
                         "none", "--set", "output.preview=none"})
                      .status,
                  0);
        const auto files = cache(name);
        double peak = 0, frame = 0;
        std::istringstream lines(content_of(directory + "/" + name + "/timing.jsonl"));
        for (std::string line; std::getline(lines, line);)
            peak = std::max(peak, nlohmann::json::parse(line)["memory_mb"].get<double>());
        for (const auto& [file, bytes] : files)
            if (file.find(number) != std::string::npos &&
                file.find("checkpoint") == std::string::npos)
                frame += static_cast<double>(bytes.size()) * 1e-6;
        ASSERT_GT(peak, 0);
        EXPECT_LE(peak, memory) << name;
        EXPECT_GE(peak, memory / 4) << name;
        EXPECT_LE(frame, disk) << name;
        EXPECT_GE(frame, disk / 8) << name;
        // The likely figures are no bounds, but near.
        const double likely_memory = likely("\n" + check.out, "memory:"),
                     likely_frame = likely("\n" + check.out, "disk:");
        EXPECT_LE(likely_memory, memory) << name;
        EXPECT_LE(likely_frame, disk) << name;
        EXPECT_LT(likely_memory, 2 * peak) << name;
        EXPECT_GT(likely_memory, peak / 2) << name;
        EXPECT_LT(likely_frame, 3 * frame) << name;
        EXPECT_GT(likely_frame, frame / 3) << name;
    }
}

}  // namespace
}  // namespace spume::test
