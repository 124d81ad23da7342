// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/run/job_warnings.h"

#include <cmath>

#include <fmt/core.h>

namespace spume {
namespace {

constexpr double kTolerated = 0.01;  // share of drift that is not worth a word

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Past a number like 1.5e-07 that begins at i.
std::size_t past_number(const std::string& text, std::size_t i) {
    while (i < text.size() && (is_digit(text[i]) || text[i] == '.')) ++i;
    if (i + 1 < text.size() && text[i] == 'e') {
        std::size_t j = i + 1;
        if (text[j] == '-' || text[j] == '+') ++j;
        if (j < text.size() && is_digit(text[j])) i = past_number(text, j);
    }
    return i;
}

std::string kind_of(const std::string& text) {
    std::string kind;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size();) {
        quoted = quoted != (text[i] == '"');
        if (quoted || !is_digit(text[i])) {
            kind += text[i++];
            continue;
        }
        if (!kind.empty() && kind.back() == '-') kind.pop_back();
        kind += '#';
        i = past_number(text, i);
    }
    return kind;
}

std::string percent(double share) { return fmt::format("{:.3g} %", 100 * share); }

}  // namespace

bool WarningTally::add(const std::string& text) {
    const auto [found, fresh] = index_.emplace(kind_of(text), kinds_.size());
    if (fresh) kinds_.push_back({text, 0});
    ++kinds_[found->second].count;
    return fresh;
}

long WarningTally::total() const {
    long n = 0;
    for (const Kind& kind : kinds_) n += kind.count;
    return n;
}

std::vector<std::string> audit_warnings(const StateSummary& summary) {
    std::vector<std::string> texts;
    const AirAudit& air = summary.air;
    if (std::abs(summary.liquid_drift) > kTolerated)
        texts.push_back(fmt::format("{} of the liquid {} unaccounted for (liquid_drift)",
                                    percent(std::abs(summary.liquid_drift)),
                                    summary.liquid_drift < 0 ? "is missing," : "is too much,"));
    if (std::abs(air.drift()) > kTolerated)
        texts.push_back(fmt::format("{} of the air {} unaccounted for (air.drift)",
                                    percent(std::abs(air.drift())),
                                    air.drift() < 0 ? "is missing," : "is too much,"));
    // Markers hold more air than they stand for: for them the cut is meant.
    const bool markers = air.seeded < air.emitted * (1 - 1e-9);
    const double cut = air.bubbles - air.grid;
    if (air.grid > 0 && !markers && cut > kTolerated * air.bubbles)
        texts.push_back(
            fmt::format("bubbles crowd: the grid has no room for {} of the air (air.grid); larger "
                        "voxels or a larger emitter would hold it",
                        percent(cut / air.bubbles)));
    return texts;
}

}  // namespace spume
