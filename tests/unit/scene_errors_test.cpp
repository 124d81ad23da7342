// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Mistakes made on purpose in a scene that holds every key: each must be found, alone, at its exact
// place. The keys come from the declarations, so a new key without an entry here fails.

#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "scene_cases.h"
#include "spume/core/error.h"
#include "spume/core/units.h"
#include "spume/scene/nearest_key.h"
#include "spume/scene/parse.h"

namespace spume {
namespace {

using Kind = ParamRow::Kind;
constexpr double kInf = std::numeric_limits<double>::infinity();

std::vector<Complaint> complaints_of(const std::string& text) {
    try {
        parse_scene(text, "s.toml");
        return {};
    } catch (const UserError& e) {
        return e.complaints();
    }
}

std::map<std::string, ParamRow> rows_by_path() {
    std::map<std::string, ParamRow> rows;
    for (const ParamRow& row : scene_params())
        rows[row.table.empty() ? row.name : row.table + "." + row.name] = row;
    return rows;
}

const ParamRow& row_of(const std::map<std::string, ParamRow>& rows, const SceneEntry& e) {
    return rows.at(e.table().empty() ? e.name() : e.table() + "." + e.name());
}

/// Counts cases and checks that there is exactly one complaint, at that place, naming that path.
struct Judge {
    int cases = 0;
    ~Judge() { testing::Test::RecordProperty("cases", cases); }
    void expect_one(const std::string& text, int line, int column, const std::string& path,
                    const std::string& words, const std::string& what) {
        ++cases;
        const auto found = complaints_of(text);
        ASSERT_EQ(found.size(), 1u)
            << what << ": " << path
            << (found.empty() ? "" : "\n" + to_text(found[0]) + "\n" + to_text(found.back()));
        EXPECT_EQ(found[0].place.file, "s.toml");
        EXPECT_EQ(found[0].place.line, line) << what << "\n" << to_text(found[0]);
        EXPECT_EQ(found[0].place.column, column) << what << "\n" << to_text(found[0]);
        EXPECT_NE(found[0].message.find(path), std::string::npos)
            << path << " in " << to_text(found[0]);
        EXPECT_NE((found[0].message + found[0].remedy).find(words), std::string::npos)
            << words << " in " << to_text(found[0]);
        EXPECT_FALSE(found[0].remedy.empty());
    }
};

/// Runs f(entry number, entries, row) for each key of the scenes, in the first that has it.
template <class F>
void for_each_key(F&& f) {
    const auto rows = rows_by_path();
    std::set<std::string> known;
    for (int variant = 0; variant < kVariantsOfEveryKey; ++variant) {
        const auto entries = every_key(variant);
        for (std::size_t i = 0; i < entries.size(); ++i)
            if (known.insert(entries[i].path()).second) f(i, entries, row_of(rows, entries[i]));
    }
}

void expect_bad_value(Judge& judge, std::vector<SceneEntry> entries, std::size_t i,
                      const std::string& value, const std::string& words, const char* what) {
    entries[i].value = value;
    const SceneText scene = write_scene(std::move(entries));
    const SceneEntry& e = scene.entries[i];
    judge.expect_one(scene.text, e.line, e.value_column, e.path(), words, what);
}

TEST(SceneErrors, TheSceneWithEveryKeyIsRightAndComplete) {
    std::set<std::string> seen;
    for (int variant = 0; variant < kVariantsOfEveryKey; ++variant) {
        const SceneText scene = write_scene(every_key(variant));
        const auto found = complaints_of(scene.text);
        EXPECT_TRUE(found.empty()) << to_text(found[0]);
        for (const SceneEntry& e : scene.entries)
            seen.insert(e.table().empty() ? e.name() : e.table() + "." + e.name());
    }
    for (const auto& [path, row] : rows_by_path()) {
        if (row.kind == Kind::kSection || row.kind == Kind::kList) continue;
        EXPECT_EQ(seen.count(path), 1u) << path << " is declared but not in tests/scene_cases.h";
    }
}

TEST(SceneErrors, MistypedKeysAreNamedWithTheRightOne) {
    Judge judge;
    int right = 0;
    std::string misses;
    for_each_key([&](std::size_t i, const std::vector<SceneEntry>& all, const ParamRow& row) {
        std::set<std::string> known;
        for (const ParamRow& other : scene_params())
            if (other.table == row.table) known.insert(other.name);
        for (std::uint32_t trial = 0; trial < 3; ++trial) {
            const std::string word =
                mistyped(row.name, trial < 2 ? 1 : 2, Random(5, i, trial, Purpose::kTest));
            if (known.count(word) > 0) continue;
            auto entries = all;
            entries[i].key.replace(entries[i].key.size() - row.name.size(), row.name.size(), word);
            const SceneText scene = write_scene(std::move(entries));
            const SceneEntry& e = scene.entries[i];
            judge.expect_one(scene.text, e.line, e.last_column, "`" + e.path() + "`",
                             "Allowed here", "typo");
            const auto found = complaints_of(scene.text);
            if (!found.empty() && found[0].remedy.find("Did you mean `" + row.name + "`") == 0)
                ++right;
            else
                misses += word + " for " + row.name + ": " +
                          (found.empty() ? "" : found[0].remedy.substr(0, 40)) + "\n";
        }
    });
    EXPECT_GE(judge.cases, 500);
    EXPECT_GE(right, 0.95 * judge.cases) << misses;
    RecordProperty("right", right);
}

TEST(SceneErrors, WrongTypes) {
    Judge judge;
    for_each_key([&](std::size_t i, const std::vector<SceneEntry>& all, const ParamRow& row) {
        auto bad = [&](const char* value, const char* words) {
            expect_bad_value(judge, all, i, value, words, "type");
        };
        switch (row.kind) {
            case Kind::kNumber:
                bad("true", "Write a");
                bad("[1]", "Write a");
                bad("\"much\"", "Write a");
                bad("{ a = 1 }", "Write a");
                bad("1979-05-27", "Write a");
                break;
            case Kind::kInteger:
            case Kind::kWhole:
                bad("1.5", "a whole number");
                bad("\"3\"", "a whole number");
                bad("true", "a whole number");
                bad("99999999999999999999999999", "out of range");
                break;
            case Kind::kFlag:
                bad("\"yes\"", "true or false");
                bad("1", "true or false");
                break;
            case Kind::kText:
            case Kind::kPath:
                bad("3", "in quotes");
                bad("[\"a\"]", "in quotes");
                break;
            case Kind::kVector:
                bad("3", "3 numbers in brackets");
                bad("[1, 2]", "3 numbers in brackets");
                bad("[1, 2, 3, 4]", "3 numbers in brackets");
                bad("\"x\"", "3 numbers in brackets");
                break;
            case Kind::kChoice:
                bad("7", "must be");
                bad("\"xyzzyx\"", row.words[0].first.c_str());
                break;
            case Kind::kSection:
            case Kind::kList:
                break;
        }
    });
    EXPECT_GE(judge.cases, 300);
}

TEST(SceneErrors, OneUlpOutsideTheRange) {
    Judge judge;
    for_each_key([&](std::size_t i, const std::vector<SceneEntry>& all, const ParamRow& row) {
        auto bad = [&](const std::string& value) {
            expect_bad_value(judge, all, i, value, "It must be", "range");
        };
        if (row.kind == Kind::kInteger) {
            bad(std::to_string(static_cast<long>(row.least) - 1));
            bad(std::to_string(static_cast<long>(row.most) + 1));
        }
        if (row.kind == Kind::kWhole) {
            bad("-1");
            bad("9223372036854775808");
        }
        if (row.kind != Kind::kNumber) return;
        const NumberSpec& n = row.number;
        bad(number_text(std::nextafter(n.max, kInf)));
        bad(number_text(n.above_min ? n.min : std::nextafter(n.min, -kInf)));
        if (n.above_min) bad("-0.0");
        bad("1e308");
        bad("-1e308");
        if (row.unit == "m") bad("\"1e100 km\"");
    });
    EXPECT_GE(judge.cases, 150);
}

TEST(SceneErrors, RangesIncludeTheirEnds) {
    int cases = 0;
    for_each_key([&](std::size_t i, std::vector<SceneEntry> entries, const ParamRow& row) {
        std::vector<std::string> values;
        if (row.kind == Kind::kInteger)
            values = {std::to_string(row.least), std::to_string(row.most)};
        if (row.kind == Kind::kNumber)
            values = {number_text(row.number.above_min ? std::nextafter(row.number.min, kInf)
                                                       : row.number.min),
                      number_text(row.number.max)};
        for (const std::string& value : values) {
            ++cases;
            entries[i].value = value;
            const SceneText scene = write_scene(entries);
            // Other rules may object to such a value, but never as out of range.
            for (const Complaint& c : complaints_of(scene.text))
                EXPECT_EQ(c.message.find("out of range"), std::string::npos) << to_text(c);
        }
    });
    EXPECT_GE(cases, 80);
}

TEST(SceneErrors, NumbersThatAreNone) {
    Judge judge;
    for_each_key([&](std::size_t i, const std::vector<SceneEntry>& all, const ParamRow& row) {
        if (row.kind != Kind::kNumber) return;
        for (const char* value : {"nan", "inf", "-inf", "+nan"})
            expect_bad_value(judge, all, i, value, "not a finite number", "nan");
        for (const char* value : {"1e999", "1e-999"})
            expect_bad_value(judge, all, i, value, "too large or too small", "huge");
    });
    EXPECT_GE(judge.cases, 150);
}

TEST(SceneErrors, BadComponentsOfVectors) {
    Judge judge;
    for_each_key([&](std::size_t i, const std::vector<SceneEntry>& all, const ParamRow& row) {
        if (row.kind != Kind::kVector) return;
        for (const char* value : {"nan", "true", "\"1 xyzzy\"", "1e300"}) {
            auto entries = all;
            entries[i].value = std::string("[1, ") + value + ", 1]";
            const SceneText scene = write_scene(std::move(entries));
            const SceneEntry& e = scene.entries[i];
            judge.expect_one(scene.text, e.line, e.value_column + 4, e.path() + "[1]", "",
                             "component");
        }
    });
    EXPECT_GE(judge.cases, 60);
}

TEST(SceneErrors, UnknownAndWrongUnits) {
    Judge judge;
    for_each_key([&](std::size_t i, const std::vector<SceneEntry>& all, const ParamRow& row) {
        if (row.kind != Kind::kNumber) return;
        if (row.unit.empty())
            return expect_bad_value(judge, all, i, "\"5 m\"", "plain number", "unit");
        const std::string list = "units: " + units_like(row.unit);
        expect_bad_value(judge, all, i, "\"5 xyzzy\"", list, "unknown unit");
        expect_bad_value(judge, all, i, "\"5 kg^2\"", list, "wrong unit");
        expect_bad_value(judge, all, i, row.unit == "s" ? "\"5 m\"" : "\"5 s\"", list,
                         "wrong unit");
    });
    EXPECT_GE(judge.cases, 80);
}

TEST(SceneErrors, DuplicateKeys) {
    Judge judge;
    for_each_key([&](std::size_t i, std::vector<SceneEntry> entries, const ParamRow&) {
        entries.insert(entries.begin() + static_cast<long>(i) + 1, entries[i]);
        const SceneText scene = write_scene(std::move(entries));
        const SceneEntry& second = scene.entries[i + 1];
        judge.expect_one(scene.text, second.line, second.last_column, second.path(),
                         "line " + std::to_string(scene.entries[i].line), "duplicate");
    });
    EXPECT_GE(judge.cases, 100);
}

TEST(SceneErrors, MissingKeys) {
    Judge judge;
    for_each_key([&](std::size_t i, const std::vector<SceneEntry>& all, const ParamRow& row) {
        if (row.needed.empty()) return;
        auto entries = all;
        const std::string path = entries[i].path(), item = entries[i].item;
        entries.erase(entries.begin() + static_cast<long>(i));
        const SceneText scene = write_scene(std::move(entries));
        // Said at the table that lacks it: its header, or the first key written into it.
        const std::string inside =
            path.substr(item.size() + 1, path.size() - item.size() - 1 - row.name.size());
        int line = 0, column = 1;
        for (const SceneEntry& e : scene.entries)
            if (e.item == item && line == 0 && e.key.compare(0, inside.size(), inside) == 0) {
                line = inside.empty() ? e.header_line : e.line;
                column = inside.empty() ? 1 : e.key_column;
            }
        judge.expect_one(scene.text, line, column, path + " is missing",
                         "It is needed when " + row.needed, "missing");
    });
    EXPECT_GE(judge.cases, 15);
}

TEST(SceneErrors, MistypedSections) {
    Judge judge;
    int right = 0;
    const auto all = every_key(0);
    for (const char* name : {"time", "domain", "physics", "solid", "emitter", "force", "bulk",
                             "aeration", "emission", "camera", "output"}) {
        for (std::uint32_t trial = 0; trial < 4; ++trial) {
            const std::string word = mistyped(name, 1 + static_cast<int>(trial) / 2,
                                              Random(9, trial, 0, Purpose::kTest));
            auto entries = all;
            // All of it renamed, as a user would.
            int line = 0;
            for (SceneEntry& e : entries) {
                const std::size_t at = e.header.find(name);
                if (at == std::string::npos || word == name) continue;
                e.header.replace(at, std::string(name).size(), word);
            }
            const SceneText scene = write_scene(std::move(entries));
            int column = 0;
            for (const SceneEntry& e : scene.entries)
                if (line == 0 && e.header.find(word) != std::string::npos && word != name) {
                    line = e.header_line;
                    column = e.header.rfind('[') == 1 ? 3 : 2;
                }
            if (line == 0) continue;
            judge.expect_one(scene.text, line, column, "unknown section `" + word + "`",
                             "Allowed here", "section");
            const auto found = complaints_of(scene.text);
            if (!found.empty() &&
                found[0].remedy.find(std::string("Did you mean `") + name + "`") == 0)
                ++right;
        }
    }
    EXPECT_GE(judge.cases, 28);
    EXPECT_GE(right, 0.95 * judge.cases);
}

TEST(SceneErrors, ManyAtOnceInFileOrder) {
    const auto rows = rows_by_path();
    auto entries = every_key(0);
    int broken = 0;
    for (SceneEntry& e : entries)
        if (row_of(rows, e).kind == Kind::kNumber && broken < 15) e.value = "nan", ++broken;
    const auto found = complaints_of(write_scene(entries).text);
    ASSERT_EQ(found.size(), 15u);
    for (std::size_t i = 1; i < found.size(); ++i)
        EXPECT_LT(found[i - 1].place.line, found[i].place.line);
    for (SceneEntry& e : entries)
        if (row_of(rows, e).kind == Kind::kFlag) e.value = "3", ++broken;
    ASSERT_GT(broken, 20);
    const auto most = complaints_of(write_scene(entries).text);
    ASSERT_EQ(most.size(), 20u);
    EXPECT_EQ(most.back().message, std::to_string(broken - 19) + " more mistakes are not shown");
}

TEST(NearestKey, CountsSlips) {
    EXPECT_EQ(edit_distance("voxel", "voxel"), 0);
    EXPECT_EQ(edit_distance("Voxel", "voxel"), 0);
    EXPECT_EQ(edit_distance("voxle", "voxel"), 1);
    EXPECT_EQ(edit_distance("vxl", "voxel"), 2);
    EXPECT_EQ(edit_distance("", "abc"), 3);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
    EXPECT_EQ(nearest_key("zzzzzz", {"voxel", "frames"}), "");
    EXPECT_EQ(nearest_key("tops", {"stop", "top"}), "top");
}

}  // namespace
}  // namespace spume
