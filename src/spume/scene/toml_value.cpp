// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/toml_value.h"

#include <algorithm>
#include <charconv>

#include "spume/scene/toml_number.h"

namespace spume {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_bare(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
}
bool ends_scalar(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == ']' || c == '}' ||
           c == '#' || c == '=' || c == '\0';
}

void append_utf8(std::string& out, std::uint32_t c) {
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xc0 | (c >> 6));
        out += static_cast<char>(0x80 | (c & 0x3f));
    } else {
        if (c < 0x10000) {
            out += static_cast<char>(0xe0 | (c >> 12));
        } else {
            out += static_cast<char>(0xf0 | (c >> 18));
            out += static_cast<char>(0x80 | ((c >> 12) & 0x3f));
        }
        out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
        out += static_cast<char>(0x80 | (c & 0x3f));
    }
}

}  // namespace

void TomlCursor::fail(std::string message, std::string remedy) const {
    throw TomlFailure{place(), std::move(message), std::move(remedy)};
}

void TomlCursor::advance(std::size_t bytes) {
    for (; bytes > 0 && position_ < text_.size(); --bytes) {
        const auto c = static_cast<unsigned char>(text_[position_++]);
        if (c == '\n') {
            ++line_;
            column_ = 1;
        } else if ((c & 0xc0) != 0x80) {
            ++column_;
        }
    }
}

std::string TomlCursor::word_here() const {
    std::size_t n = 0;
    while (n < 40 && !ends_scalar(peek(n))) ++n;
    while (n > 0 && (static_cast<unsigned char>(peek(n)) & 0xc0) == 0x80) --n;
    return std::string(text_.substr(position_, n == 0 && !at_end() ? 1 : n));
}

void TomlCursor::skip_blanks() {
    while (peek() == ' ' || peek() == '\t') advance();
}

bool TomlCursor::take_line_break() {
    if (peek() == '\r' && peek(1) == '\n') advance();
    if (peek() != '\n') return false;
    advance();
    return true;
}

void TomlCursor::skip_rest_of_line() {
    while (!at_end() && peek() != '\n') advance();
    advance();
}

void TomlCursor::skip_to_line_end() {
    skip_blanks();
    if (peek() == '#')
        while (!at_end() && peek() != '\n' && !looking_at("\r\n")) advance();
    if (at_end() || peek() == '\n' || looking_at("\r\n")) return;
    fail(fmt::format("unexpected `{}` after the end of the value", word_here()),
         "One key a line; text and values with a unit stand in quotes: voxel = \"5 mm\".");
}

std::string TomlCursor::take_key() {
    if (peek() == '"' || peek() == '\'') {
        if (looking_at("\"\"\"") || looking_at("'''"))
            fail("a key cannot be multi-line text", "Use a bare key.");
        return take_single_line(peek());
    }
    std::string key;
    for (; is_bare(peek()); advance()) key += peek();
    if (key.empty())
        fail(at_end() || peek() == '\n' || peek() == '\r'
                 ? "a key is missing"
                 : fmt::format("`{}` cannot begin a key", word_here()),
             "Keys are made of letters, digits, _ and -.");
    return key;
}

std::unique_ptr<TomlNode> TomlCursor::new_node(TomlKind kind) {
    if (++values_ > limits_.values)
        fail(fmt::format("more than {} values", limits_.values), "Split the scene.");
    auto node = std::make_unique<TomlNode>();
    node->kind = kind;
    node->place = place();
    return node;
}

std::unique_ptr<TomlNode> TomlCursor::take_value(int depth) {
    if (depth > limits_.depth)
        fail(fmt::format("nested deeper than {}", limits_.depth), "Scenes need three levels.");
    switch (peek()) {
        case '"':
        case '\'': {
            auto node = new_node(TomlKind::kText);
            node->text = take_string();
            return node;
        }
        case '[':
            return take_array(depth);
        case '{':
            return take_inline_table(depth);
        default:
            return take_scalar();
    }
}

std::unique_ptr<TomlNode> TomlCursor::take_scalar() {
    auto node = new_node(TomlKind::kBroken);
    std::size_t n = 0;
    while (!ends_scalar(peek(n))) ++n;
    const std::string_view word = text_.substr(position_, n);
    if (word.empty())
        fail("a value is missing", "Write one after the equals sign, or remove the key.");
    if (word == "true" || word == "false") {
        node->kind = TomlKind::kFlag;
        node->flag = word == "true";
    } else if (looks_like_toml_date(word)) {
        node->kind = TomlKind::kDate;
        if (peek(n) == ' ' && is_digit(peek(n + 1)) && peek(n + 3) == ':')
            for (++n; !ends_scalar(peek(n));) ++n;
    } else if (!read_toml_number(word, *node)) {
        const std::string shown = word_here();
        if (is_digit(word[0]) || word[0] == '-' || word[0] == '+' || word[0] == '.')
            fail(fmt::format("`{}` is not a number", shown),
                 "Write 0.5, 12, 1e-3, or in quotes with a unit: \"5 mm\".");
        if (word == "True" || word == "False" || word == "yes" || word == "no" || word == "on" ||
            word == "off")
            fail(fmt::format("`{}` is not a value", shown), "Write true or false.");
        fail(fmt::format("`{}` is not a value", shown),
             fmt::format("Text stands in quotes: \"{}\".", shown));
    }
    advance(n);
    return node;
}

void TomlCursor::skip_in_array() {
    for (;;) {
        skip_blanks();
        if (peek() == '#')
            while (!at_end() && peek() != '\n') advance();
        if (!take_line_break()) return;
    }
}

bool TomlCursor::begins_statement() const {
    std::size_t i = 0;
    while (peek(i) == ' ' || peek(i) == '\t') ++i;
    const bool header = peek(i) == '[';
    while (header && peek(i) == '[') ++i;
    const std::size_t start = i;
    bool letters = false;
    for (;; ++i) {
        const char c = peek(i);
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        letters = letters || letter;
        if (!letter && c != '.' && c != '-' && !is_digit(c)) break;
    }
    while (peek(i) == ' ' || peek(i) == '\t') ++i;
    return i > start && letters && peek(i) == (header ? ']' : '=');
}

std::unique_ptr<TomlNode> TomlCursor::take_array(int depth) {
    auto node = new_node(TomlKind::kArray);
    const Place opened = place();
    // A forgotten bracket shows when the file ends or the next key stands where a value should.
    auto expect_more = [&] {
        if (at_end() || (line_ > opened.line && peek() != '[' && begins_statement()))
            throw TomlFailure{opened, "this array has no end", "Close it with ].", {}, !at_end()};
    };
    advance();
    for (;;) {
        skip_in_array();
        if (peek() == ']') break;
        expect_more();
        node->items.push_back(take_value(depth + 1));
        skip_in_array();
        if (peek() == ',') {
            advance();
        } else if (peek() != ']') {
            expect_more();
            fail(fmt::format("unexpected `{}` in an array", word_here()),
                 "Put a comma between values and ] at the end.");
        }
    }
    advance();
    return node;
}

std::unique_ptr<TomlNode> TomlCursor::take_inline_table(int depth) {
    auto node = new_node(TomlKind::kTable);
    node->origin = TomlNode::Origin::kDotted;
    advance();
    skip_blanks();
    while (peek() != '}') {
        std::vector<std::pair<std::string, Place>> keys;
        for (;;) {
            skip_blanks();
            const Place here = place();
            keys.emplace_back(take_key(), here);
            skip_blanks();
            if (peek() != '.') break;
            if (static_cast<int>(keys.size()) + depth > limits_.depth)
                fail("too many dots in a key", "Scenes need three levels.");
            advance();
        }
        if (peek() != '=')
            fail(fmt::format("an equals sign is missing after `{}`", keys.back().first),
                 "Inside braces write { key = value, key = value } on one line.");
        advance();
        skip_blanks();
        put_in_table(*node, keys, take_value(depth + static_cast<int>(keys.size())),
                     TomlNode::Origin::kDotted);
        skip_blanks();
        if (peek() == '}') break;
        if (peek() != ',')
            fail(at_end() || peek() == '\n' || peek() == '\r'
                     ? "braces must be closed on the same line"
                     : fmt::format("unexpected `{}` inside braces", word_here()),
                 "Inside braces write { key = value, key = value } on one line.");
        advance();
        skip_blanks();
        if (peek() == '}') fail("a comma before }", "Remove it.");
        if (at_end() || peek() == '\n' || peek() == '\r')
            fail("braces must be closed on the same line",
                 "Or write a section of its own, with a key a line.");
    }
    advance();
    node->origin = TomlNode::Origin::kInline;
    return node;
}

std::string TomlCursor::take_string() {
    if (looking_at("\"\"\"") || looking_at("'''")) return take_multi_line(peek());
    return take_single_line(peek());
}

std::string TomlCursor::take_single_line(char quote) {
    const Place opened = place();
    advance();
    std::string out;
    while (peek() != quote || at_end()) {
        if (at_end() || peek() == '\n' || looking_at("\r\n"))
            throw TomlFailure{opened, "this text has no closing quote",
                              fmt::format("End it with {}.", quote)};
        if (quote == '"' && peek() == '\\') {
            take_escape(out);
        } else {
            out += peek();
            advance();
        }
    }
    advance();
    return out;
}

std::string TomlCursor::take_multi_line(char quote) {
    const Place opened = place();
    const std::string marks(3, quote);
    advance(3);
    take_line_break();
    std::string out;
    for (;;) {
        if (at_end())
            throw TomlFailure{opened, "this text has no closing quotes",
                              fmt::format("End it with {}.", marks)};
        if (looking_at(marks)) {
            advance(3);
            for (int extra = 0; extra < 2 && peek() == quote; ++extra, advance()) out += quote;
            return out;
        }
        if (quote == '"' && peek() == '\\') {
            std::size_t n = 1;
            while (peek(n) == ' ' || peek(n) == '\t') ++n;
            if (peek(n) == '\n' || (peek(n) == '\r' && peek(n + 1) == '\n')) {
                advance(n);
                while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')
                    advance();
            } else {
                take_escape(out);
            }
        } else {
            out += peek();
            advance();
        }
    }
}

void TomlCursor::take_escape(std::string& out) {
    const char c = peek(1);
    constexpr std::string_view kNames = "btnfr\"\\", kValues = "\b\t\n\f\r\"\\";
    if (const auto known = kNames.find(c); c != '\0' && known != std::string_view::npos) {
        out += kValues[known];
        advance(2);
        return;
    }
    if (c == 'u' || c == 'U') {
        const std::size_t digits = c == 'u' ? 4 : 8;
        const std::string_view hex = text_.substr(std::min(position_ + 2, text_.size()), digits);
        std::uint32_t value = 0;
        const auto done = std::from_chars(hex.data(), hex.data() + hex.size(), value, 16);
        const bool scalar = value < 0xd800 || (value >= 0xe000 && value <= 0x10ffff);
        if (hex.size() == digits && done.ptr == hex.data() + digits && scalar) {
            append_utf8(out, value);
            advance(2 + digits);
            return;
        }
    }
    fail("an unknown \\ sequence in text", "Write \\\\ for a backslash, or use single quotes.");
}

}  // namespace spume
