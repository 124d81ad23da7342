// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <ctime>
#include <functional>

#include <gtest/gtest.h>

#include "spume/scene/toml.h"

#if __has_include(<toml++/toml.h>)
#include <toml++/toml.h>
#define SPUME_HAS_TOMLPLUSPLUS
#endif

#include "spume/core/random.h"

namespace spume {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__clang__)
constexpr double kPatience = 10;  // builds with sanitizers
#else
constexpr double kPatience = 1;
#endif

/// All of a document on one line, in the order of the keys' names.
std::string dump(const TomlNode& node) {
    switch (node.kind) {
        case TomlKind::kText:
            return "'" + node.text + "'";
        case TomlKind::kInteger:
            return std::to_string(node.integer);
        case TomlKind::kFloat:
            return fmt::format("{}", std::strtod(node.text.c_str(), nullptr));
        case TomlKind::kFlag:
            return node.flag ? "yes" : "no";
        case TomlKind::kDate:
            return "date";
        case TomlKind::kBroken:
            return "broken";
        case TomlKind::kArray:
        case TomlKind::kTable:
            break;
    }
    std::map<std::string, std::string> sorted;
    std::string out;
    for (const auto& item : node.items) {
        if (node.kind == TomlKind::kArray)
            out += dump(*item) + ",";
        else
            sorted[item->key] = dump(*item);
    }
    for (const auto& [key, value] : sorted) out += key + ":" + value + ",";
    return node.kind == TomlKind::kArray ? "[" + out + "]" : "{" + out + "}";
}

std::string good(const std::string& text) {
    const TomlResult result = parse_toml(text, "t");
    for (const Complaint& c : result.complaints) ADD_FAILURE() << to_text(c) << "\nin: " << text;
    return dump(*result.root);
}

TEST(Toml, ValuesOfEveryKind) {
    EXPECT_EQ(good("a = 1\nb = -17\nc = +3\nd = 1_000\ne = 0xDead_beef\nf = 0o17\ng = 0b101\n"),
              "{a:1,b:-17,c:3,d:1000,e:3735928559,f:15,g:5,}");
    EXPECT_EQ(good("a = 0.5\nb = -1e-3\nc = 6.02_2e+23\nd = 1e06\n"),
              "{a:0.5,b:-0.001,c:6.022e+23,d:1000000,}");
    EXPECT_EQ(good("a = inf\nb = -nan\nc = true\nd = false"), "{a:inf,b:-nan,c:yes,d:no,}");
    EXPECT_EQ(
        good("a = 1979-05-27T07:32:00Z\nb = 1979-05-27 07:32:00\nc = 07:32:00\nd = 1979-05-27"),
        "{a:date,b:date,c:date,d:date,}");
    EXPECT_EQ(good(R"(a = "q\"b\\n\tx\u00e9\U0001F600"
b = 'raw \n')"),
              "{a:'q\"b\\n\txé😀',b:'raw \\n',}");
    EXPECT_EQ(good("a = \"\"\"\nx\ny \\\n   z\"\"\"\"\nb = '''\n'q' '''\n"),
              "{a:'x\ny z\"',b:''q' ',}");
    EXPECT_EQ(good("a = []\nb = [1, 2 ,]\nc = [ # x\n 1,\n\n [2, 'y'], # z\n]"),
              "{a:[],b:[1,2,],c:[1,[2,'y',],],}");
    EXPECT_EQ(good("a = {}\nb = { x = 1, y.z = [2], \"q r\" = {} }"),
              "{a:{},b:{q r:{},x:1,y:{z:[2,],},},}");
    EXPECT_EQ(good("a.b.c = 1\na.b.d = 2\n\"a\".e = 3\n1.2 = 4"),
              "{1:{2:4,},a:{b:{c:1,d:2,},e:3,},}");
    EXPECT_EQ(good("[a.b]\nc = 1\n[a]\nd = 2\n[[e]]\nf = 1\n[[e]]\n[e.g]\nh = 2\n[[e.i]]\n[[e.i]]"),
              "{a:{b:{c:1,},d:2,},e:[{f:1,},{g:{h:2,},i:[{},{},],},],}");
    EXPECT_EQ(good("\xef\xbb\xbf# bom\r\na = 1\r\n\r\n[b] # c\r\n"), "{a:1,b:{},}");
    EXPECT_EQ(good(""), "{}");
}

TEST(Toml, MistakesHaveTheirPlace) {
    struct {
        const char* text;
        int line, column;
        const char* words;
    } cases[] = {
        {"a", 1, 2, "equals sign is missing"},
        {"a =", 1, 4, "value is missing"},
        {"\n  = 3", 2, 3, "cannot begin a key"},
        {"a = 5 mm", 1, 7, "unexpected `mm`"},
        {"a = mixture", 1, 5, "in quotes: \"mixture\""},
        {"a = True", 1, 5, "Write true or false"},
        {"a = 01", 1, 5, "not a number"},
        {"a = 1__0", 1, 5, "not a number"},
        {"a = 1.", 1, 5, "not a number"},
        {"a = .5", 1, 5, "not a number"},
        {"a = 5mm", 1, 5, "not a number"},
        {"a = 1e", 1, 5, "not a number"},
        {"é = 1", 1, 1, "cannot begin a key"},
        {"a = 'é' 2", 1, 9, "unexpected `2`"},
        {"a = \"x", 1, 5, "no closing quote"},
        {"a = \"\"\"x\n\n", 1, 5, "no closing quotes"},
        {"a = \"\\q\"", 1, 6, "unknown \\ sequence"},
        {"a = \"\\ud800\"", 1, 6, "unknown \\ sequence"},
        {"a = \"\\u12\"", 1, 6, "unknown \\ sequence"},
        {"a = [1, 2", 1, 5, "array has no end"},
        {"a = [1, 2\nb = 3", 1, 5, "array has no end"},
        {"a = [1,\n\n[b]\nc = 1", 3, 2, "not a value"},
        {"a = [1 2]", 1, 8, "comma"},
        {"a = { x = 1", 1, 12, "same line"},
        {"a = { x = 1,\n", 1, 13, "same line"},
        {"a = { x }", 1, 9, "equals sign"},
        {"a = { x = 1, }", 1, 14, "comma before }"},
        {"[a", 1, 3, "not closed"},
        {"[[a]", 1, 4, "not closed"},
        {"[a]]", 1, 4, "unexpected"},
        {"[]", 1, 2, "cannot begin a key"},
        {"a = 1\n  a = 2", 2, 3, "a is given twice"},
        {"[s]\na = 1\nb=1\na = 2", 4, 1, "s.a is given twice"},
        {"[[s]]\na = 1\n[[s]]\na.b = 1\na.b = 2", 5, 3, "s[1].a.b is given twice"},
        {"[a]\n[b]\n[a]", 3, 2, "a is given twice"},
        {"a = 1\n[a.b]", 2, 2, "a is given twice"},
        {"[[a]]\n[a]", 2, 2, "a is given twice"},
        {"a = []\n[[a]]", 2, 3, "a is given twice"},
        {"a = {}\n[a.b]", 2, 2, "a is given twice"},
        {"a = {}\na.b = 1", 2, 1, "a is given twice"},
        {"a = { b = 1, b = 2 }", 1, 14, "a.b is given twice"},
        {"a = 1\rb = 2", 1, 6, "control character"},
        {"a = \"\x01\"", 1, 6, "control character"},
        {"a = \"é\xff\"", 1, 7, "not UTF-8"},
        {"a = \"\xc0\x80\"", 1, 6, "not UTF-8"},
        {"a = \"\xed\xa0\x80\"", 1, 6, "not UTF-8"},
    };
    for (const auto& c : cases) {
        const TomlResult result = parse_toml(c.text, "t");
        ASSERT_EQ(result.complaints.size(), 1u) << c.text;
        const Complaint& found = result.complaints[0];
        EXPECT_EQ(found.place.line, c.line) << c.text << "\n" << to_text(found);
        EXPECT_EQ(found.place.column, c.column) << c.text << "\n" << to_text(found);
        EXPECT_NE(to_text(found).find(c.words), std::string::npos) << c.text << "\n"
                                                                   << to_text(found);
        EXPECT_FALSE(found.remedy.empty());
    }
}

TEST(Toml, ReadingGoesOnAfterAMistake) {
    const TomlResult result =
        parse_toml("a = ?\nb = 1\n[c\nd = 2\n[e]\nf = [\n  1,\n  oops,\n  [3],\n]\ng = 3\n", "t");
    ASSERT_EQ(result.complaints.size(), 3u);
    EXPECT_EQ(result.complaints[0].place.line, 1);
    EXPECT_EQ(result.complaints[1].place.line, 3);
    EXPECT_EQ(result.complaints[2].place.line, 8);
    EXPECT_EQ(dump(*result.root), "{a:broken,b:1,e:{f:broken,g:3,},}");
    EXPECT_EQ(dump(*parse_toml("a = [1,\n 2\nb = 3\n[c]\nd = 4", "t").root),
              "{a:broken,b:3,c:{d:4,},}");
}

TEST(Toml, HostileFilesCostAMoment) {
    auto repeat = [](const std::string& s, int n) {
        std::string out;
        for (int i = 0; i < n; ++i) out += s;
        return out;
    };
    std::string keys, headers;
    for (int i = 0; i < 150000; ++i) keys += "k" + std::to_string(i) + " = 1\n";
    for (int i = 0; i < 100000; ++i) headers += "[a.b" + std::to_string(i) + "]\n";
    const std::pair<std::string, bool> cases[] = {
        {"a = " + repeat("[", 30000), false},
        {"a = " + repeat("[", 30) + repeat("]", 30), true},
        {"a = " + repeat("[", 33) + repeat("]", 33), false},
        {"a = " + repeat("{a=", 10000), false},
        {repeat("a.", 10000) + "a = 1", false},
        {"[" + repeat("a.", 10000) + "a]", false},
        {"a = \"" + repeat("x", 70000) + "\"", false},
        {repeat("x", 5 << 20), false},
        {"a = [" + repeat("1,\n", 250000) + "]", false},
        {repeat("[[a]]\n", 500000), true},
        {keys, true},
        {headers, true},
        {repeat("=\n", 1000000), false},
        {repeat("a = 1\n", 500000), false},
        {repeat("\n", 4000000), true},
        {repeat("# x\n", 1000000), true},
        {"a = '''" + repeat("\n", 4000000), false},
    };
    for (const auto& [text, fine] : cases) {
        const std::clock_t start = std::clock();
        const TomlResult result = parse_toml(text, "t");
        const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        EXPECT_EQ(result.complaints.empty(), fine) << text.substr(0, 40);
        EXPECT_LE(result.complaints.size(), 100u);
        EXPECT_LT(seconds, 3.0 * kPatience) << text.substr(0, 40);
    }
}

/// Random TOML that is right by construction.
class RandomToml {
  public:
    explicit RandomToml(std::uint64_t id) : random_(21, id, 0, Purpose::kTest) {}
    std::string document() {
        std::string out;
        for (int i = below(5); i > 0; --i) out += assignment();
        for (int i = below(5); i > 0; --i) {
            const std::string name = key();
            out += below(2) == 0 ? "[" + name + "." + key() + "]\n" : "[[" + name + "]]\n";
            for (int k = below(4); k > 0; --k) out += assignment();
        }
        return out;
    }

  private:
    int below(int n) { return static_cast<int>(random_.uniform(draw_++) * n); }
    std::string pick(std::initializer_list<const char*> words) {
        return *(words.begin() + below(static_cast<int>(words.size())));
    }
    std::string blank() { return pick({"", " ", "\t ", ""}); }
    std::string key() {
        return pick({"k", "\"k", "'k"})
            .append(std::to_string(next_++))
            .insert(0, "")
            .append(quote_end());
    }
    // The same quote that pick() opened: looked up from the draw just made.
    std::string quote_end() {
        const int which = static_cast<int>(random_.uniform(draw_ - 1) * 3);
        return which == 0 ? "" : which == 1 ? "\"" : "'";
    }
    std::string assignment() {
        return blank() + key() + blank() + "=" + blank() + value(0) +
               pick({"\n", " # c\n", "\r\n"});
    }
    std::string value(int depth) {
        switch (below(depth < 3 ? 9 : 6)) {
            case 0:
                return pick(
                    {"0", "-5", "+7", "1_000", "0xff", "0o7", "0b11", "9223372036854775807", "-0"});
            case 1:
                return pick({"0.5", "-1.25e3", "1e-7", "3.0", "6.02e23", "1_0.0_1", "5e+2", "-0.0",
                             "inf", "-inf"});
            case 2:
                return pick({"true", "false"});
            case 3:
                return pick({"\"\"", "\"a b\"", "\"\\\"\\\\\\t\\u00e9\"", "\"é#=[]\"",
                             "\"\"\"\nx\"\"y\\\n  z\"\"\""});
            case 4:
                return pick({"''", "'a\"b'", "'\\n'", "'''\n'x'\ny'''", "'''it''s'''"});
            case 5:
                return pick({"1979-05-27", "1979-05-27T07:32:00", "07:32:00"});
            case 6: {
                std::string out = "{" + blank();
                const int n = below(4);
                for (int i = 0; i < n; ++i)
                    out += (i > 0 ? "," : "") + blank() + key() + blank() + "=" + blank() +
                           value(depth + 1) + blank();
                return out + "}";
            }
            default: {
                std::string out = "[";
                const int n = below(4);
                for (int i = 0; i < n; ++i)
                    out += blank() + pick({"", "\n", "#c\n"}) + value(depth + 1) +
                           (i + 1 < n || below(2) == 0 ? "," : "") + blank();
                return out + pick({"", "\n", " # end\n"}) + "]";
            }
        }
    }

    Random random_;
    std::uint32_t draw_ = 0;
    int next_ = 0;
};

#ifdef SPUME_HAS_TOMLPLUSPLUS
std::string dump(const toml::node& node) {
    if (const auto* v = node.as_string()) return "'" + v->get() + "'";
    if (const auto* v = node.as_integer()) return std::to_string(v->get());
    if (const auto* v = node.as_floating_point()) return fmt::format("{}", v->get());
    if (const auto* v = node.as_boolean()) return v->get() ? "yes" : "no";
    std::string out;
    if (const auto* array = node.as_array()) {
        for (const auto& item : *array) out += dump(item) + ",";
        return "[" + out + "]";
    }
    if (const auto* table = node.as_table()) {
        for (const auto& [key, item] : *table)
            out += std::string(key.str()) + ":" + dump(item) + ",";
        return "{" + out + "}";
    }
    return "date";
}

TEST(Toml, AgreesWithAnotherReader) {
    int values = 0;
    for (std::uint64_t i = 0; i < 3000; ++i) {
        const std::string text = RandomToml(i).document();
        const toml::parse_result theirs = toml::parse(text);
        const std::string ours = good(text);
        ASSERT_EQ(ours, dump(theirs)) << text;
        values += static_cast<int>(std::count(ours.begin(), ours.end(), ':'));
    }
    EXPECT_GT(values, 10000);
}
#endif

TEST(Toml, ColumnsPointAtWhatTheySay) {
    // The text at every value's place must read as that value again.
    for (std::uint64_t i = 0; i < 500; ++i) {
        const std::string text = RandomToml(i).document();
        const TomlResult result = parse_toml(text, "t");
        std::vector<std::string> lines(1);
        for (char c : text) c == '\n' ? lines.emplace_back() : lines.back() += c;
        const std::function<void(const TomlNode&)> check = [&](const TomlNode& node) {
            for (const auto& item : node.items) check(*item);
            if (node.kind == TomlKind::kTable || node.kind == TomlKind::kArray ||
                node.kind == TomlKind::kDate)
                return;
            const std::string& line = lines[static_cast<std::size_t>(node.place.line - 1)];
            std::size_t byte = 0;
            for (int column = 1; column < node.place.column; ++column) {
                ++byte;
                while ((line[byte] & 0xc0) == 0x80) ++byte;
            }
            const char first = line[byte];
            if (node.kind == TomlKind::kText)
                EXPECT_TRUE(first == '"' || first == '\'') << line;
            else if (node.kind == TomlKind::kFlag)
                EXPECT_EQ(first, node.flag ? 't' : 'f') << line;
            else
                EXPECT_NE(std::string("+-0123456789in").find(first), std::string::npos) << line;
        };
        check(*result.root);
    }
}

TEST(Toml, ValuesOfOverrides) {
    const Place place{"--set", 0, 0};
    auto value = [&](const char* text) { return dump(*parse_toml_value(text, place)); };
    EXPECT_EQ(value("5"), "5");
    EXPECT_EQ(value("5 mm"), "'5 mm'");
    EXPECT_EQ(value("\"5 mm\""), "'5 mm'");
    EXPECT_EQ(value("mixture"), "'mixture'");
    EXPECT_EQ(value("[0, 1, 2]"), "[0,1,2,]");
    EXPECT_EQ(value("true"), "yes");
    EXPECT_EQ(value(""), "''");
    EXPECT_EQ(value("[1"), "'[1'");
    EXPECT_EQ(split_key_path("a.b[2].c"), (std::vector<std::string>{"a", "b", "2", "c"}));
    EXPECT_TRUE(split_key_path("a..b").empty());
    EXPECT_TRUE(split_key_path("").empty());
}

}  // namespace
}  // namespace spume
