// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/nearest_key.h"

#include <algorithm>
#include <tuple>

namespace spume {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Letters the two words share, whatever their order.
int shared_letters(std::string_view a, std::string_view b) {
    int counts[256] = {};
    for (char c : a) ++counts[static_cast<unsigned char>(lower(c))];
    int shared = 0;
    for (char c : b)
        if (counts[static_cast<unsigned char>(lower(c))]-- > 0) ++shared;
    return shared;
}

/// `fov` of `field_of_view`.
bool are_initials(std::string_view word, std::string_view of) {
    std::string initials;
    for (std::size_t i = 0; i < of.size(); ++i)
        if (i == 0 || of[i - 1] == '_') initials += lower(of[i]);
    return initials.size() > 1 && edit_distance(word, initials) == 0;
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
    const std::size_t n = b.size();
    std::vector<int> before(n + 1), last(n + 1), row(n + 1);
    for (std::size_t j = 0; j <= n; ++j) last[j] = static_cast<int>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= n; ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before.swap(last);
        last.swap(row);
    }
    return last[n];
}

std::string nearest_key(std::string_view word, const std::vector<std::string>& known,
                        const std::vector<std::string>& taken) {
    if (word.size() > 64) return {};
    std::string best;
    std::tuple<int, int, int, int> best_rank{};
    for (const std::string& candidate : known) {
        const int distance = edit_distance(word, candidate);
        const int length = static_cast<int>(std::max(word.size(), candidate.size()));
        const bool short_for = are_initials(word, candidate);
        const bool contains = word.size() >= 4 && (candidate.find(word) != std::string::npos ||
                                                   word.find(candidate) != std::string_view::npos);
        if (distance > std::max(2, length / 3) && !contains && !short_for) continue;
        if (distance >= length) continue;
        const bool used = std::find(taken.begin(), taken.end(), candidate) != taken.end();
        const bool first = !word.empty() && lower(word[0]) == lower(candidate[0]);
        const std::tuple rank{short_for ? 1 : distance, used ? 1 : 0,
                              -shared_letters(word, candidate), first ? 0 : 1};
        if (best.empty() || rank < best_rank) {
            best = candidate;
            best_rank = rank;
        }
    }
    return best;
}

}  // namespace spume
