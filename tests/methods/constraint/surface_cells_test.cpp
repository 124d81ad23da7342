// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/free_surface/surface_cells.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "box.h"

namespace spume {
namespace {

/// Σ over the faces of a cell, those above minus those below; walls let nothing through.
template <int D>
double divergence(const BubbleBox<D>& box, const Index<D>& i) {
    TileCursor<D> cursor(*box.tiles);
    double sum = 0;
    for (int a = 0; a < D; ++a)
        for (const int side : {0, 1}) {
            const std::size_t f = cursor(i + Index<D>::unit(a, side));
            sum += (side ? 1 : -1) * double(box.open.area.read(a)[f]) * box.velocity.read(a)[f];
        }
    return sum;
}

/// Water of any velocity below a level surface, still air above: the layer of air over it takes up
/// what the water does. One Jacobi sweep in a layer with m neighbours a cell, p = 0 above and a set
/// velocity below leaves no more than m / (m + 1) of the largest divergence; there are twelve.
template <int D>
void expect_closed() {
    const int n = D == 2 ? 24 : 16;
    BubbleBox<D> box({}, Index<D>::filled(n), 1.0 / n);
    box.domain.wall[1][1] = false;
    box.settle([&](const Point<D>& x) { return x[1] - 0.5; });
    FaceField<std::uint8_t, D> known(box.tiles);
    TileCursor<D> cursor(*box.tiles);
    Index<D> i{};
    for (i[0] = 0; i[0] < n; ++i[0])
        for (i[1] = 0; i[1] < n / 2; ++i[1])
            for (int k = 0; k < (D == 3 ? n : 1); ++k) {
                if constexpr (D == 3) i[2] = k;
                for (int a = 0; a < D; ++a)
                    for (const int side : {0, 1}) {
                        const std::size_t f = cursor(i + Index<D>::unit(a, side));
                        if (!(box.open.area.read(a)[f] > 0)) continue;
                        known.write(a)[f] = 1;
                        box.velocity.write(a)[f] = std::sin(12.9 * double(f) + a);
                    }
            }
    const FaceField<double, D> before = box.velocity;
    const auto largest = [&] {
        double most = 0;
        Index<D> c{};
        c[1] = n / 2;
        for (c[0] = 0; c[0] < n; ++c[0])
            for (int k = 0; k < (D == 3 ? n : 1); ++k) {
                if constexpr (D == 3) c[2] = k;
                most = std::max(most, std::abs(divergence<D>(box, c)));
            }
        return most;
    };
    const double first = largest();
    EXPECT_GT(first, 0.9);
    close_surface_cells<D>(box.velocity, known, box.faces, box.open, box.context);
    const double m = 2 * (D - 1), left = std::pow(m / (m + 1), 12);
    EXPECT_LE(largest(), left * first);
    for (int a = 0; a < D; ++a)
        for (std::size_t f = 0; f < box.velocity.component(a).size(); ++f)
            if (known.read(a)[f]) {
                ASSERT_EQ(box.velocity.read(a)[f], before.read(a)[f]);
            }
}

TEST(SurfaceCells, MakeAndLoseNothing) {
    expect_closed<2>();
    expect_closed<3>();
}

}  // namespace
}  // namespace spume
