// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "box.h"

namespace spume {
namespace {

/// The mode's shape: cos nθ in 2D, in 3D the Legendre polynomial of the height.
template <int D>
double mode(int n, const Point<D>& x) {
    if constexpr (D == 2) {
        return std::cos(n * std::atan2(x[1], x[0]));
    } else {
        const double r = length(x), c = r > 0 ? x[1] / r : 0;
        return n == 2 ? (3 * c * c - 1) / 2 : ((35 * c * c - 30) * c * c + 3) / 8;
    }
}

/// ω² ρ R³ / σ of mode n of a massless bubble in a closed tank `wide` radii wide, from its first
/// acceleration.
template <int D>
double squared_frequency(int n, double cells_per_radius, double wide) {
    const double h = 1.0 / cells_per_radius, swing = 0.02;
    const int cells = static_cast<int>(std::ceil(wide * cells_per_radius));
    BubbleBox<D> box(Point<D>::filled(-cells * h / 2 + 0.137 * h), Index<D>::filled(cells), h);
    box.tension = 1;
    box.forces.density = 1;
    box.options.tolerance = D == 2 ? 1e-9 : 1e-6;
    box.settle([&](const Point<D>& x) { return 1 + swing * mode<D>(n, x) - length(x); });
    const BubbleSolve r = box.fall(0.0);
    EXPECT_TRUE(r.solve.good());
    // ∮ u_r (r/R)^n Y over the surface is the amplitude times ∮ Y²: the power of r makes the
    // product insensitive to where exactly a face lies.
    double sum = 0;
    for (const SurfaceFace& f : box.faces) {
        const int t = int(f.face) / kTileCells<D>, o = int(f.face) % kTileCells<D>;
        const Point<D> x = box.velocity.position(f.axis(), t, o);
        sum -= std::pow(length(x), n) * mode<D>(n, x) * f.sign() * std::pow(h, D - 1) *
               box.velocity.read(f.axis())[f.face];
    }
    const double norm = D == 2 ? std::numbers::pi : 4 * std::numbers::pi / (2 * n + 1);
    return -sum / norm / box.forces.dt / swing;
}

TEST(ConstraintExact, FrequenciesOfAMasslessBubble) {
    EXPECT_NEAR(squared_frequency<2>(2, 13, 8) / 6, 1, 0.1) << "frequency within 5 %";
    EXPECT_NEAR(squared_frequency<2>(4, 13, 8) / 60, 1, 0.1);
}

TEST(ConstraintExact, FrequenciesOfAMasslessBubble3D) {
    for (const auto& [n, squared] : {std::pair(2, 12.0), std::pair(4, 90.0)}) {
        const double error = std::sqrt(squared_frequency<3>(n, 12.5, 8) / squared) - 1;
        RecordProperty("error_" + std::to_string(n), std::to_string(error));
        EXPECT_NEAR(error, 0, 0.02) << n;
    }
}

}  // namespace
}  // namespace spume
