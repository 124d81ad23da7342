// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace spume {

/// A number as written: ± digits · 10^exponent.
struct Decimal {
    bool negative = false;
    std::string digits;
    std::int64_t exponent = 0;
};

/// What a unit multiplies by: numerator / denominator · 10^exponent · π^pi.
struct DecimalFactor {
    std::uint64_t numerator = 1, denominator = 1;
    int exponent = 0;
    int pi = 0;
};

/// Takes a decimal number off the front of `text`: sign, digits, point, exponent. Empty if there is
/// none, or if it has more than 400 digits.
std::optional<Decimal> take_decimal(std::string_view& text);

/// The double nearest to the exact product: 5 · 10⁻³ gives the same bits as the literal 0.005.
/// Empty if a non-zero value is too large or too small for a double.
std::optional<double> to_double(const Decimal& decimal, const DecimalFactor& factor = {});

}  // namespace spume
