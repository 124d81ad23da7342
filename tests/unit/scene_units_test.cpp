// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "spume/core/decimal.h"
#include "spume/core/random.h"
#include "spume/core/units.h"

namespace spume {
namespace {

double read(const std::string& text, const std::string& unit) {
    const Quantity q = parse_quantity(text, unit);
    EXPECT_TRUE(q.good()) << text << ": " << q.problem;
    return q.value;
}

TEST(Units, ValuesAreTheNearestDoubles) {
    // Each right-hand side is a literal, rounded once by the compiler.
    struct {
        const char *text, *unit;
        double value;
    } cases[] = {{"5 mm", "m", 0.005},
                 {"5mm", "m", 0.005},
                 {"  5   mm  ", "m", 0.005},
                 {"0.3 mm", "m", 0.0003},
                 {"7 um", "m", 7e-6},
                 {"7 µm", "m", 7e-6},
                 {"7 μm", "m", 7e-6},
                 {"1.1 km", "m", 1100},
                 {"12.7 in", "m", 0.32258},
                 {"3 ft", "m", 0.9144},
                 {"72 mN/m", "N/m", 0.072},
                 {"72.8 dyn/cm", "N/m", 0.0728},
                 {"1 g/cm^3", "kg/m^3", 1000},
                 {"1 g/cm³", "kg/m^3", 1000},
                 {"0.9982 kg/l", "kg/m^3", 998.2},
                 {"2 l/s", "m^3/s", 0.002},
                 {"2 L/s", "m^3/s", 0.002},
                 {"150 ml/s", "m^3/s", 0.00015},
                 {"3 l/min", "m^3/s", 0.00005},
                 {"20 ms", "s", 0.02},
                 {"1.5 min", "s", 90},
                 {"2 h", "s", 7200},
                 {"1 mm^3", "m^3", 1e-9},
                 {"10 deg", "deg", 10},
                 {"10 °", "deg", 10},
                 {"180 deg", "rad", 3.14159265358979323846264338327950288},
                 {"1 deg", "rad", 0.0174532925199432957692369076848861271},
                 {"1 rad", "deg", 57.2957795130823208767981548141051703},
                 {"3.6 km/h", "m/s", 1},
                 {"100 km/h", "m/s", 27.7777777777777777777777777777777778},
                 {"9.81 m/s^2", "m/s^2", 9.81},
                 {"9.81 m s^-2", "m/s^2", 9.81},
                 {"981 cm/s/s", "m/s^2", 9.81},
                 {"1 mPa*s", "Pa*s", 0.001},
                 {"1 mPa·s", "Pa*s", 0.001},
                 {"1.002 cP", "Pa*s", 0.001002},
                 {"1 kg/m/s", "Pa*s", 1},
                 {"1.004 cSt", "m^2/s", 1.004e-6},
                 {"1 atm", "Pa", 101325},
                 {"1013.25 mbar", "Pa", 101325},
                 {"24 Hz", "1/s", 24},
                 {"1440 1/min", "1/s", 24},
                 {"12.5 %", "", 0.125},
                 {"-0.7 cm", "m", -0.007},
                 {"+.5 m", "m", 0.5},
                 {"5. m", "m", 5},
                 {"1e-3 mm", "m", 1e-6},
                 {"1E3 mm", "m", 1},
                 {"4.35", "m", 4.35}};
    for (const auto& c : cases) EXPECT_EQ(read(c.text, c.unit), c.value) << c.text;
}

TEST(Units, PrefixesNeverCostABit) {
    // Against strtod on the same digits with the power of ten written out.
    for (std::uint64_t i = 0; i < 3000; ++i) {
        const Random random(3, i, 0, Purpose::kTest);
        const int digits = 1 + static_cast<int>(random.uniform(0) * 20);
        std::string number;
        for (int d = 0; d < digits; ++d)
            number += static_cast<char>(
                '0' + static_cast<int>(random.uniform(static_cast<std::uint32_t>(d + 1)) * 10));
        if (digits > 3) number.insert(2, ".");
        const int exponent = static_cast<int>(random.uniform(40) * 40) - 20;
        for (auto [unit, shift] :
             {std::pair{"mm", -3}, {"um", -6}, {"km", 3}, {"cm", -2}, {"m", 0}}) {
            const std::string text = number + "e" + std::to_string(exponent) + " " + unit;
            const double want =
                std::strtod((number + "e" + std::to_string(exponent + shift)).c_str(), nullptr);
            EXPECT_EQ(read(text, "m"), want) << text;
        }
    }
}

TEST(Units, QuotientsAreRoundedOnce) {
    // x / 60 in long double is exact enough to show a second rounding.
    for (int i = 1; i < 5000; ++i) {
        const auto want = static_cast<double>(static_cast<long double>(i) / 60.0L);
        EXPECT_EQ(read(std::to_string(i) + " 1/min", "1/s"), want);
    }
}

TEST(Units, EveryMismatchIsCaughtAndTheRightUnitsListed) {
    const char* units[] = {"m",   "s",     "deg",   "m/s", "m/s^2", "kg/m^3", "Pa*s",
                           "N/m", "m^3/s", "m^2/s", "m^3", "m^2",   "kg",     "Pa",
                           "1/s", "N",     "J",     "W",   "rad/s", "",       "m^4/s"};
    for (const char* given : units)
        for (const char* wanted : units) {
            const Quantity q = parse_quantity(std::string("2 ") + given, wanted);
            const bool bare = *given == '\0';
            EXPECT_EQ(q.good(), bare || std::string(given) == wanted) << given << " for " << wanted;
            if (q.good()) continue;
            EXPECT_NE(q.problem.find(quantity_name(wanted)), std::string::npos) << q.problem;
        }
    for (const char* unit : units) {
        if (*unit == '\0') continue;
        // Every unit that is offered must itself be accepted.
        std::string list = units_like(unit) + ", ";
        for (std::size_t at; (at = list.find(", ")) != std::string::npos; list.erase(0, at + 2))
            EXPECT_TRUE(parse_quantity("1 " + list.substr(0, at), unit).good())
                << list.substr(0, at);
    }
}

TEST(Units, NonsenseIsRefused) {
    for (const char* text : {"",       " ",       "m",        "mm 5",        "5 mmm",
                             "5 m^",   "5 m^0",   "5 m^5",    "5 m^22",      "5 m//s",
                             "5 m/",   "5 /m",    "5 m*",     "5 5",         "5 1",
                             "--5 m",  "5,3 m",   "0x10 m",   "5 m m^-1 m^", "nan m",
                             "inf",    "1e999 m", "1e-999 m", "5 \xff",      "5 ²",
                             "5 m²²x", "5 kkm",   "5 kmin",   "5 mdeg",      "5 h^4/min^4 m"})
        EXPECT_FALSE(parse_quantity(text, "m").good()) << text;
    EXPECT_FALSE(parse_quantity(std::string(500, '1') + " m", "m").good());
    EXPECT_FALSE(parse_quantity("1 " + std::string(100000, 'm'), "m").good());
}

TEST(Units, NumberTextReadsBack) {
    EXPECT_EQ(number_text(0.005), "0.005");
    EXPECT_EQ(number_text(1e6), "1e6");
    EXPECT_EQ(number_text(-1e9), "-1e9");
    EXPECT_EQ(number_text(1e-7), "1e-7");
    EXPECT_EQ(number_text(1000), "1000");
    EXPECT_EQ(number_text(0), "0");
    for (std::uint64_t i = 0; i < 20000; ++i) {
        const Random random(4, i, 0, Purpose::kTest);
        double x =
            std::ldexp(random.uniform(0) - 0.5, static_cast<int>(random.uniform(1) * 2090) - 1073);
        if (i % 3 == 0)
            x = std::round(random.uniform(0) * 1e4) * std::pow(10.0, static_cast<int>(i % 20));
        const std::string text = number_text(x);
        EXPECT_EQ(std::strtod(text.c_str(), nullptr), x) << text;
        std::string_view rest = text;
        const auto decimal = take_decimal(rest);
        ASSERT_TRUE(decimal && rest.empty()) << text;
        EXPECT_EQ(to_double(*decimal), x) << text;
    }
}

}  // namespace
}  // namespace spume
