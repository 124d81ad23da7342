// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/passive/bubble_list.h"

#include <algorithm>

#include <fmt/format.h>

#include "spume/core/error.h"
#include "spume/core/units.h"

namespace spume::passive {
namespace {

struct Word {
    std::string_view text;
    int column = 0;
};

std::vector<Word> words_of(std::string_view line) {
    std::vector<Word> words;
    line = line.substr(0, line.find('#'));
    const char* const kBlank = " \t\r";
    for (std::size_t at = line.find_first_not_of(kBlank); at != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(kBlank, at), line.size());
        words.push_back({line.substr(at, end - at), int(at) + 1});
        at = line.find_first_not_of(kBlank, end);
    }
    return words;
}

/// The lines of a list, one after the other, with what is wrong with them.
class ListReader {
  public:
    ListReader(const InputText& list, const Scene& scene) : list_(list), scene_(scene) {}

    BubbleList read() {
        std::string_view rest = list_.text;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            ++line_;
            words_ = words_of(rest.substr(0, end));
            if (!words_.empty()) read_line();
            rest.remove_prefix(std::min(end + 1, rest.size()));
            if (complaints_.size() >= 20) break;
        }
        if (!complaints_.empty()) throw UserError(std::move(complaints_));
        return std::move(read_);
    }

  private:
    void wrong(std::size_t word, std::string message, std::string remedy) {
        const int column = word < words_.size() ? words_[word].column : 1;
        complaints_.push_back({{list_.path, line_, column}, std::move(message), std::move(remedy)});
    }
    bool number(std::size_t word, const char* unit, double least, double most, double& value) {
        const Quantity q = parse_quantity(words_[word].text, unit);
        if (q.good() && q.value >= least && q.value <= most) {
            value = q.value;
            return true;
        }
        wrong(word,
              q.good() ? fmt::format("\"{}\" is out of range", words_[word].text)
                       : fmt::format("\"{}\": {}", words_[word].text, q.problem),
              fmt::format("write a number from {} to {} {}", number_text(least), number_text(most),
                          unit));
        return false;
    }
    /// Does the line have so many words after the first?
    bool has(std::size_t least, std::size_t most, const char* form) {
        const std::size_t n = words_.size() - 1;
        if (n >= least && n <= most) return true;
        wrong(0, fmt::format("{} words after \"{}\"", n, words_[0].text),
              fmt::format("write {}", form));
        return false;
    }

    void read_line() {
        const std::string_view what = words_[0].text;
        if (what == "bubble")
            read_bubble();
        else if (what == "remove")
            read_ids(read_.removals, false);
        else if (what == "pop")
            read_ids(read_.pops, true);
        else
            wrong(0, fmt::format("\"{}\" is none of bubble, remove, pop", what),
                  "begin the line with one of these, or with #");
    }
    void read_bubble() {
        if (!has(4, 5, "bubble X Y Z RADIUS [TIME]")) return;
        HandBubble b;
        bool good = true;
        for (int a = 0; a < 3; ++a)
            good &= number(std::size_t(a) + 1, "m", -1e6, 1e6, b.position[a]);
        good &= number(4, "m", 1e-7, 10, b.radius);
        if (words_.size() > 5) good &= number(5, "s", 0, 1e9, b.time);
        if (!good) return;
        const Domain& box = scene_.domain;
        for (int a = 0; a < box.dimensions; ++a)
            if (b.position[a] < box.lower[a] || b.position[a] > box.upper[a])
                return wrong(std::size_t(a) + 1,
                             fmt::format("the bubble lies outside the domain along {}", "xyz"[a]),
                             "move it inside");
        read_.bubbles.push_back(b);
    }
    void read_ids(std::vector<ListedIds>& out, bool pop) {
        if (!has(pop ? 2 : 1, pop ? 2 : 3, pop ? "pop IDS TIME" : "remove IDS [FROM [UNTIL]]"))
            return;
        ListedIds ids;
        bool good = true;
        if (!parse_ids(words_[1].text, ids.ids) || ids.ids.empty()) {
            wrong(1, fmt::format("\"{}\" is no list of ids", words_[1].text),
                  "write numbers and ranges without spaces, like 3,7-12,40");
            good = false;
        }
        if (words_.size() > 2) good &= number(2, "s", 0, 1e9, ids.start);
        if (words_.size() > 3) good &= number(3, "s", ids.start, 1e9, ids.stop);
        if (good) out.push_back(std::move(ids));
    }

    const InputText& list_;
    const Scene& scene_;
    BubbleList read_;
    std::vector<Word> words_;
    std::vector<Complaint> complaints_;
    int line_ = 0;
};

}  // namespace

BubbleList read_bubble_list(const InputText& list, const Scene& scene) {
    return ListReader(list, scene).read();
}

bool parse_ids(std::string_view text, std::vector<IdRange>& ranges) {
    std::size_t at = 0;
    const auto digit = [&] { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
    const auto number = [&](std::uint64_t& value) {
        value = 0;
        for (int digits = 0; digit(); ++at, ++digits) {
            if (digits >= 19) return false;
            value = value * 10 + std::uint64_t(text[at] - '0');
        }
        return true;
    };
    while (at < text.size()) {
        if (text[at] == ' ' || text[at] == ',') {
            ++at;
            continue;
        }
        IdRange range;
        if (!digit() || !number(range.first)) return false;
        range.last = range.first;
        if (at < text.size() && text[at] == '-') {
            ++at;
            if (!digit() || !number(range.last) || range.last < range.first) return false;
        }
        ranges.push_back(range);
    }
    return true;
}

}  // namespace spume::passive
