// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/core/decimal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "spume/core/error.h"

namespace spume {
namespace {

constexpr std::size_t kMaxDigits = 400;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Decimal digits, last first, so that carries run with the index.
using Digits = std::vector<std::uint8_t>;

Digits product(const Digits& a, const Digits& b) {
    std::vector<std::uint32_t> sums(a.size() + b.size(), 0);
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j)
            sums[i + j] += static_cast<std::uint32_t>(a[i] * b[j]);
    Digits result(sums.size());
    std::uint32_t carry = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        carry += sums[i];
        result[i] = static_cast<std::uint8_t>(carry % 10);
        carry /= 10;
    }
    return result;
}

Digits digits_of(std::string_view text) {
    Digits d;
    for (auto c = text.rbegin(); c != text.rend(); ++c)
        d.push_back(static_cast<std::uint8_t>(*c - '0'));
    return d;
}

// Seventy digits: no decimal of fewer than 17 digits comes so near to a tie that more could matter.
constexpr std::string_view kPiDigits =
    "3141592653589793238462643383279502884197169399375105820974944592307816";
constexpr std::string_view kInversePiDigits =
    "3183098861837906715377675267450287240689192914809128974953346881177936";

double nearest(const std::string& text, bool& in_range) {
    double value = 0;
#if defined(__cpp_lib_to_chars)
    const auto done = std::from_chars(text.data(), text.data() + text.size(), value);
    in_range = done.ec == std::errc{};
#else
    value = std::strtod(text.c_str(), nullptr);
    in_range = std::isfinite(value) && value != 0;
#endif
    return value;
}

}  // namespace

std::optional<Decimal> take_decimal(std::string_view& text) {
    Decimal d;
    std::size_t i = 0;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) d.negative = text[i++] == '-';
    std::size_t seen = 0;
    for (; i < text.size() && is_digit(text[i]); ++i, ++seen) d.digits += text[i];
    if (i < text.size() && text[i] == '.' &&
        (seen > 0 || (i + 1 < text.size() && is_digit(text[i + 1]))))
        for (++i; i < text.size() && is_digit(text[i]); ++i, ++seen, --d.exponent)
            d.digits += text[i];
    if (seen == 0 || seen > kMaxDigits) return std::nullopt;
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        std::size_t j = i + 1;
        const bool minus = j < text.size() && text[j] == '-';
        if (j < text.size() && (text[j] == '-' || text[j] == '+')) ++j;
        if (j < text.size() && is_digit(text[j])) {
            std::int64_t e = 0;
            for (; j < text.size() && is_digit(text[j]); ++j)
                e = std::min<std::int64_t>(e * 10 + (text[j] - '0'), 100000);
            d.exponent += minus ? -e : e;
            i = j;
        }
    }
    text.remove_prefix(i);
    return d;
}

std::optional<double> to_double(const Decimal& decimal, const DecimalFactor& factor) {
    SPUME_CHECK(factor.denominator > 0 && factor.denominator < 1000000000000000000u);
    SPUME_CHECK(factor.pi >= -1 && factor.pi <= 1);
    Digits number = digits_of(decimal.digits);
    std::int64_t exponent = decimal.exponent + factor.exponent;
    if (factor.numerator != 1)
        number = product(number, digits_of(std::to_string(factor.numerator)));
    if (factor.pi != 0) {
        number = product(number, digits_of(factor.pi > 0 ? kPiDigits : kInversePiDigits));
        exponent -= factor.pi > 0 ? 69 : 70;
    }
    std::string text;
    bool zero = true;
    if (factor.denominator == 1) {
        for (auto d = number.rbegin(); d != number.rend(); ++d) text += static_cast<char>('0' + *d);
    } else {
        // Long division to more digits than any midpoint between doubles has; a final 1 stands for
        // the remainder, so rounding sees on which side of a midpoint the quotient lies.
        std::uint64_t rest = 0;
        for (auto d = number.rbegin(); d != number.rend(); ++d) {
            rest = rest * 10 + *d;
            text += static_cast<char>('0' + rest / factor.denominator);
            rest %= factor.denominator;
        }
        for (int i = 0; i < 800 && rest != 0; ++i, --exponent) {
            rest *= 10;
            text += static_cast<char>('0' + rest / factor.denominator);
            rest %= factor.denominator;
        }
        if (rest != 0) text += '1', --exponent;
    }
    for (char c : text) zero = zero && c == '0';
    if (zero) return decimal.negative ? -0.0 : 0.0;
    text += 'e' + std::to_string(exponent);
    bool in_range = false;
    const double value = nearest(text, in_range);
    if (!in_range) return std::nullopt;
    return decimal.negative ? -value : value;
}

}  // namespace spume
