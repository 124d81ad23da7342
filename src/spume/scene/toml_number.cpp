// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/toml_number.h"

#include <charconv>

namespace spume {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Digits with single underscores between them; false if there are none or underscores stray.
bool take_digits(std::string_view& rest, std::string& out, int base) {
    bool last_digit = false;
    std::size_t i = 0;
    for (; i < rest.size(); ++i) {
        const char c = rest[i];
        const int value = is_digit(c)              ? c - '0'
                          : (c >= 'a' && c <= 'f') ? c - 'a' + 10
                          : (c >= 'A' && c <= 'F') ? c - 'A' + 10
                                                   : 99;
        if (value < base) {
            out += c;
            last_digit = true;
        } else if (c == '_' && last_digit) {
            last_digit = false;
        } else {
            break;
        }
    }
    rest.remove_prefix(i);
    return last_digit;
}

/// 0x…, 0o…, 0b…: true if `word` is such a number; fills the node.
bool read_based(std::string_view word, TomlNode& node) {
    if (word.size() < 3 || word[0] != '0') return false;
    const int base = word[1] == 'x' ? 16 : word[1] == 'o' ? 8 : word[1] == 'b' ? 2 : 0;
    if (base == 0) return false;
    std::string digits;
    word.remove_prefix(2);
    if (!take_digits(word, digits, base) || !word.empty()) return false;
    const auto done =
        std::from_chars(digits.data(), digits.data() + digits.size(), node.integer, base);
    if (done.ec != std::errc{}) return false;
    node.kind = TomlKind::kInteger;
    node.text = std::to_string(node.integer);
    return true;
}

}  // namespace

bool read_toml_number(std::string_view word, TomlNode& node) {
    if (read_based(word, node)) return true;
    std::string text;
    if (!word.empty() && (word[0] == '+' || word[0] == '-')) {
        if (word[0] == '-') text = "-";
        word.remove_prefix(1);
    }
    if (word == "inf" || word == "nan") {
        node.kind = TomlKind::kFloat;
        node.text = text + std::string(word);
        return true;
    }
    const std::size_t before = text.size();
    if (!take_digits(word, text, 10)) return false;
    if (text.size() > before + 1 && text[before] == '0') return false;  // leading zero
    bool whole = true;
    if (!word.empty() && word[0] == '.') {
        whole = false;
        text += '.';
        word.remove_prefix(1);
        if (!take_digits(word, text, 10)) return false;
    }
    if (!word.empty() && (word[0] == 'e' || word[0] == 'E')) {
        whole = false;
        text += 'e';
        word.remove_prefix(1);
        if (!word.empty() && (word[0] == '+' || word[0] == '-')) {
            text += word[0];
            word.remove_prefix(1);
        }
        if (!take_digits(word, text, 10)) return false;
    }
    if (!word.empty()) return false;
    node.kind = whole ? TomlKind::kInteger : TomlKind::kFloat;
    if (whole) {
        const auto done = std::from_chars(text.data(), text.data() + text.size(), node.integer);
        // Beyond 64 bits it is still a number: as a real one it may be in range.
        if (done.ec != std::errc{}) node.kind = TomlKind::kFloat;
    }
    node.text = std::move(text);
    return true;
}

bool looks_like_toml_date(std::string_view word) {
    if (word.size() >= 10 && word[4] == '-' && word[7] == '-')
        return is_digit(word[0]) && is_digit(word[9]);
    return word.size() >= 8 && word[2] == ':' && is_digit(word[0]) && is_digit(word[7]);
}

}  // namespace spume
