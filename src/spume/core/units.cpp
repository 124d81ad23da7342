// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/core/units.h"

#include <array>
#include <numeric>
#include <optional>

#include "spume/core/decimal.h"
#include "spume/core/error.h"

namespace spume {
namespace {

struct Dimension {
    int m = 0, kg = 0, s = 0, angle = 0;
    friend bool operator==(const Dimension&, const Dimension&) = default;
};

struct Unit {
    Dimension dimension;
    DecimalFactor factor;
};

struct NamedUnit {
    std::string_view symbol;
    bool prefixes;  ///< k, c, m, µ … may stand before it
    Dimension dimension;
    DecimalFactor factor;
};

// To coherent SI: a gram is 10^-3 kg, a degree π/180.
constexpr NamedUnit kUnits[] = {
    {"m", true, {1, 0, 0, 0}, {}},
    {"g", true, {0, 1, 0, 0}, {1, 1, -3, 0}},
    {"s", true, {0, 0, 1, 0}, {}},
    {"t", false, {0, 1, 0, 0}, {1, 1, 3, 0}},
    {"min", false, {0, 0, 1, 0}, {60, 1, 0, 0}},
    {"h", false, {0, 0, 1, 0}, {3600, 1, 0, 0}},
    {"Hz", true, {0, 0, -1, 0}, {}},
    {"l", true, {3, 0, 0, 0}, {1, 1, -3, 0}},
    {"L", true, {3, 0, 0, 0}, {1, 1, -3, 0}},
    {"N", true, {1, 1, -2, 0}, {}},
    {"dyn", false, {1, 1, -2, 0}, {1, 1, -5, 0}},
    {"Pa", true, {-1, 1, -2, 0}, {}},
    {"bar", true, {-1, 1, -2, 0}, {1, 1, 5, 0}},
    {"atm", false, {-1, 1, -2, 0}, {101325, 1, 0, 0}},
    {"P", true, {-1, 1, -1, 0}, {1, 1, -1, 0}},
    {"St", true, {2, 0, -1, 0}, {1, 1, -4, 0}},
    {"J", true, {2, 1, -2, 0}, {}},
    {"W", true, {2, 1, -3, 0}, {}},
    {"rad", true, {0, 0, 0, 1}, {}},
    {"deg", false, {0, 0, 0, 1}, {1, 180, 0, 1}},
    {"°", false, {0, 0, 0, 1}, {1, 180, 0, 1}},
    {"in", false, {1, 0, 0, 0}, {254, 1, -4, 0}},
    {"ft", false, {1, 0, 0, 0}, {3048, 1, -4, 0}},
    {"%", false, {}, {1, 1, -2, 0}},
    {"1", false, {}, {}},
};

struct Prefix {
    std::string_view symbol;
    int exponent;
};
constexpr Prefix kPrefixes[] = {{"", 0},   {"k", 3},  {"c", -2}, {"m", -3}, {"d", -1}, {"u", -6},
                                {"µ", -6}, {"μ", -6}, {"n", -9}, {"M", 6},  {"h", 2},  {"G", 9}};

struct Family {
    std::string_view name, units;
};
// The first unit of each family is the one parameters are declared in.
constexpr Family kFamilies[] = {
    {"a length", "m, mm, cm, um, km"},
    {"a time", "s, ms, us, min, h"},
    {"an angle", "deg, rad"},
    {"a speed", "m/s, cm/s, mm/s, km/h"},
    {"an acceleration", "m/s^2, cm/s^2, mm/s^2"},
    {"a density", "kg/m^3, g/cm^3, kg/l"},
    {"a dynamic viscosity", "Pa*s, mPa*s, cP"},
    {"a surface tension", "N/m, mN/m, dyn/cm"},
    {"a volume rate", "m^3/s, l/s, ml/s, l/min, cm^3/s"},
    {"an area rate or kinematic viscosity", "m^2/s, cm^2/s, mm^2/s, cSt"},
    {"a volume", "m^3, l, ml, cm^3, mm^3"},
    {"an area", "m^2, cm^2, mm^2"},
    {"a mass", "kg, g, mg, t"},
    {"a pressure", "Pa, kPa, bar, mbar, atm"},
    {"a frequency", "1/s, Hz, kHz, 1/min"},
    {"a force", "N, mN, dyn"},
    {"an energy", "J, mJ"},
    {"a power", "W, mW, kW"},
    {"an angular speed", "rad/s, deg/s"},
    {"a pure number", "%"},
};

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0 || c == '%';
}

bool starts(std::string_view text, std::string_view with) {
    return text.substr(0, with.size()) == with;
}

std::optional<Unit> find_symbol(std::string_view symbol) {
    for (const Prefix& p : kPrefixes) {
        if (!starts(symbol, p.symbol)) continue;
        for (const NamedUnit& u : kUnits) {
            if (u.symbol != symbol.substr(p.symbol.size()) || (!p.symbol.empty() && !u.prefixes))
                continue;
            Unit found{u.dimension, u.factor};
            found.factor.exponent += p.exponent;
            return found;
        }
    }
    return std::nullopt;
}

/// a · b^power; false if the numbers become absurd.
bool multiply_in(Unit& a, const Unit& b, int power) {
    a.dimension.m += power * b.dimension.m;
    a.dimension.kg += power * b.dimension.kg;
    a.dimension.s += power * b.dimension.s;
    a.dimension.angle += power * b.dimension.angle;
    a.factor.exponent += power * b.factor.exponent;
    a.factor.pi += power * b.factor.pi;
    const auto& [top, bottom] = std::array{b.factor.numerator, b.factor.denominator};
    for (int i = 0; i < (power < 0 ? -power : power); ++i) {
        a.factor.numerator *= power > 0 ? top : bottom;
        a.factor.denominator *= power > 0 ? bottom : top;
        const std::uint64_t common = std::gcd(a.factor.numerator, a.factor.denominator);
        a.factor.numerator /= common;
        a.factor.denominator /= common;
        if (a.factor.numerator > 1000000000000u || a.factor.denominator > 1000000000000u)
            return false;
    }
    return true;
}

/// An optional power after a symbol: ^2, ^-1, ², ³. 0 when it is malformed or beyond ±4.
int take_power(std::string_view& text) {
    if (starts(text, "²")) return text.remove_prefix(2), 2;
    if (starts(text, "³")) return text.remove_prefix(2), 3;
    if (!starts(text, "^")) return 1;
    text.remove_prefix(1);
    const bool minus = starts(text, "-");
    if (minus) text.remove_prefix(1);
    if (text.empty() || text[0] < '1' || text[0] > '4') return 0;
    const int power = text[0] - '0';
    text.remove_prefix(1);
    if (!text.empty() && text[0] >= '0' && text[0] <= '9') return 0;
    return minus ? -power : power;
}

/// Length of the symbol at the front: letters up to a power sign, or the 1 of "1/s".
std::size_t symbol_length(std::string_view text) {
    if (starts(text, "1/")) return 1;
    std::size_t n = 0;
    while (n < text.size() && is_letter(text[n]) && !starts(text.substr(n), "²") &&
           !starts(text.substr(n), "³") && !starts(text.substr(n), "·"))
        ++n;
    return n;
}

void skip_spaces(std::string_view& text) {
    while (!text.empty() && text[0] == ' ') text.remove_prefix(1);
}

std::optional<Unit> parse_unit(std::string_view text) {
    Unit result;
    skip_spaces(text);
    int sign = 1;
    while (!text.empty()) {
        const std::size_t n = symbol_length(text);
        if (n == 0) return std::nullopt;
        const auto unit = find_symbol(text.substr(0, n));
        text.remove_prefix(n);
        const int power = take_power(text);
        if (!unit || power == 0 || !multiply_in(result, *unit, sign * power)) return std::nullopt;
        const bool space = starts(text, " ");
        skip_spaces(text);
        if (text.empty()) break;
        sign = starts(text, "/") ? -1 : 1;
        const bool mark = starts(text, "/") || starts(text, "*");
        const bool dot = starts(text, "·");
        if (!mark && !dot && !space) return std::nullopt;
        if (mark || dot) text.remove_prefix(mark ? 1 : 2);
        skip_spaces(text);
        if (text.empty()) return std::nullopt;
    }
    return result;
}

const Family* family_of(std::string_view unit) {
    const auto parsed = parse_unit(unit);
    if (!parsed) return nullptr;
    for (const Family& f : kFamilies)
        if (parse_unit(f.units.substr(0, f.units.find(',')))->dimension == parsed->dimension)
            return &f;
    return nullptr;
}

}  // namespace

Quantity parse_quantity(std::string_view text, std::string_view wanted) {
    const std::string_view whole = text;
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    skip_spaces(text);
    const auto decimal = take_decimal(text);
    if (!decimal)
        return {0, fmt::format("\"{}\" does not begin with a number", whole.substr(0, 60))};
    skip_spaces(text);
    const auto target = parse_unit(wanted);
    SPUME_CHECK(target.has_value());
    DecimalFactor factor;
    if (!text.empty()) {
        auto unit = parse_unit(text);
        if (!unit) return {0, fmt::format("there is no unit \"{}\"", text.substr(0, 60))};
        if (!(unit->dimension == target->dimension))
            return {0, fmt::format("\"{}\" is not {}", whole.substr(0, 60), quantity_name(wanted))};
        unit->dimension = {};
        if (!multiply_in(*unit, *target, -1) || unit->factor.pi < -1 || unit->factor.pi > 1)
            return {0, fmt::format("there is no unit \"{}\"", text.substr(0, 60))};
        factor = unit->factor;
    }
    const auto value = to_double(*decimal, factor);
    if (!value)
        return {0,
                fmt::format("\"{}\" is too large or too small for a number", whole.substr(0, 60))};
    return {*value, {}};
}

std::string quantity_name(std::string_view unit) {
    const Family* family = family_of(unit);
    return family != nullptr ? std::string(family->name) : fmt::format("a quantity in {}", unit);
}

std::string units_like(std::string_view unit) {
    const Family* family = family_of(unit);
    return family != nullptr ? std::string(family->units) : std::string(unit);
}

std::string number_text(double value) {
    std::string plain = fmt::format("{}", value);
    const std::size_t e = plain.find('e');
    if (e != std::string::npos) {  // 1e-06 to 1e-6, 1e+16 to 1e16
        std::string exponent = plain.substr(e + 1);
        const bool minus = exponent[0] == '-';
        exponent.erase(0, exponent.find_first_not_of("+-0"));
        return plain.substr(0, e + 1) + (minus ? "-" : "") + exponent;
    }
    const std::size_t zeros = plain.size() - 1 - plain.find_last_not_of('0');
    if (plain.find('.') == std::string::npos && zeros >= 5 && zeros < plain.size())
        return plain.substr(0, plain.size() - zeros) + "e" + std::to_string(zeros);
    return plain;
}

}  // namespace spume
