// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <string_view>

namespace spume {

/// A value read from text; `problem` says in words why there is none.
struct Quantity {
    double value = 0;
    std::string problem;
    bool good() const { return problem.empty(); }
};

/// Reads "5 mm", "72 mN/m", "1 g/cm^3", "2 l/s", "10 deg" as a number of `wanted` ("m", "N/m",
/// "kg/m^3", "" for pure numbers). Units multiply with * · or a space, divide with / (each / turns
/// only what follows it next), and take powers ^2 ^-1 ² ³. The value is the double nearest to the
/// exact one. Text without a unit is in `wanted`.
Quantity parse_quantity(std::string_view text, std::string_view wanted);

/// "a length", "a density" …, for messages; "a number in X" for what has no name.
std::string quantity_name(std::string_view unit);

/// The units people write for such a quantity: "m, mm, cm, um, km".
std::string units_like(std::string_view unit);

/// The shortest text that reads back to the same double: 0.005, 1e6, 2.5e-7.
std::string number_text(double value);

}  // namespace spume
