// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "spume/core/random.h"
#include "spume/grid/sample.h"

namespace spume {
namespace {

template <int D>
typename Tiles<D>::Ptr box(int cells, double extent) {
    // Centred, so that cells of both signs and tile borders are crossed.
    const Transform<D> transform{extent / cells, Point<D>::filled(0)};
    return Tiles<D>::dense({Index<D>::filled(-cells / 2), Index<D>::filled(cells / 2)}, transform);
}

/// Points at least `margin` inside the box.
template <int D>
Point<D> inner_point(std::uint64_t i, double extent, double margin) {
    const Point<D> u = Random(21, i, 0, Purpose::kTest).uniform_vec<D>(0);
    return (u - Point<D>::filled(0.5)) * (extent - 2 * margin);
}

template <int D>
double plane(const Point<D>& x, int component) {
    double r = 0.7 - component;
    for (int a = 0; a < D; ++a) r += (a + 2 + component) * x[a];
    return r;
}

template <int D>
void expect_linear_exact() {
    const auto tiles = box<D>(64, 3.0);
    CellField<double, D> cells(tiles);
    FaceField<double, D> faces(tiles);
    for (int t = 0; t < tiles->zero(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            const std::size_t i = std::size_t(t) * kTileCells<D> + std::size_t(o);
            cells.write()[i] = plane<D>(cells.position(t, o), 0);
            for (int a = 0; a < D; ++a) faces.write(a)[i] = plane<D>(faces.position(a, t, o), a);
        }
    TileCursor<D> cursor(*tiles);
    for (std::uint64_t i = 0; i < 2000; ++i) {
        const Point<D> x = inner_point<D>(i, 3.0, 0.1);
        EXPECT_NEAR(sample(cells, cursor, x), plane<D>(x, 0), 1e-12);
        const Vec<double, D> v = sample(faces, cursor, x);
        for (int a = 0; a < D; ++a) EXPECT_NEAR(v[a], plane<D>(x, a), 1e-12);
    }
}

TEST(GridSample, LinearIsExactForLinearFields) {
    expect_linear_exact<2>();
    expect_linear_exact<3>();
}

template <int D>
double wave(const Point<D>& x) {
    double r = 1;
    for (int a = 0; a < D; ++a) r *= std::sin(1.3 * x[a] + 0.4 * a + 0.2);
    return r;
}

/// Largest error over points where the wave is monotone along each axis around them, so that the
/// limiter, which must cut at extrema, is not what is measured.
template <int D>
double cubic_error(int cells, bool linear) {
    const double extent = 1.0;
    const auto tiles = box<D>(cells, extent);
    CellField<double, D> field(tiles);
    double* w = field.write();
    for (int t = 0; t < tiles->zero(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o)
            w[std::size_t(t) * kTileCells<D> + std::size_t(o)] = wave<D>(field.position(t, o));
    TileCursor<D> cursor(*tiles);
    double worst = 0;
    for (std::uint64_t i = 0; i < 4000; ++i) {
        const Point<D> x = inner_point<D>(i, extent, 0.15);
        const Point<D> u = cell_coordinate<D>(tiles->transform(), x);
        const double value = linear ? sample_linear<double, D>(field.read(), cursor, u)
                                    : sample_cubic<double, D>(field.read(), cursor, u);
        worst = std::max(worst, std::abs(value - wave<D>(x)));
    }
    return worst;
}

TEST(GridSample, OrderOfAccuracy) {
    const double linear2 = std::log2(cubic_error<2>(64, true) / cubic_error<2>(128, true));
    const double linear3 = std::log2(cubic_error<3>(32, true) / cubic_error<3>(64, true));
    EXPECT_NEAR(linear2, 2.0, 0.2);
    EXPECT_NEAR(linear3, 2.0, 0.2);
    const double cubic2 = std::log2(cubic_error<2>(64, false) / cubic_error<2>(128, false));
    const double cubic3 = std::log2(cubic_error<3>(32, false) / cubic_error<3>(64, false));
    EXPECT_GT(cubic2, 2.7);
    EXPECT_GT(cubic3, 2.7);
}

template <int D>
void expect_no_new_extrema() {
    const auto tiles = box<D>(32, 32.0);
    CellField<double, D> field(tiles);
    double* w = field.write();
    for (std::size_t i = 0; i < std::size_t(tiles->zero()) * kTileCells<D>; ++i)
        w[i] = Random(4, i, 0, Purpose::kTest).uniform(0) < 0.5 ? -1.0 : 2.0;
    TileCursor<D> cursor(*tiles);
    for (std::uint64_t i = 0; i < 4000; ++i) {
        const Point<D> u = inner_point<D>(i, 32.0, 3.0);
        const Index<D> base = floor_index<D>(u);
        double lo = 1e300, hi = -1e300;
        for (int c = 0; c < (1 << D); ++c) {
            Index<D> corner = base;
            for (int a = 0; a < D; ++a) corner[a] += c >> a & 1;
            const double v =
                field.at(tiles->find(tile_of<D>(corner)), tile_offset<D>(local_of<D>(corner)));
            lo = std::min(lo, v);
            hi = std::max(hi, v);
        }
        const double value = sample_cubic<double, D>(field.read(), cursor, u);
        EXPECT_GE(value, lo);
        EXPECT_LE(value, hi);
    }
}

TEST(GridSample, CubicMakesNoNewExtrema) {
    expect_no_new_extrema<2>();
    expect_no_new_extrema<3>();
}

TEST(GridSample, MissingTilesReadAsZero) {
    const auto tiles = Tiles<2>::build({{0, 0}}, {});
    const CellField<double, 2> field(tiles, 3.0);
    TileCursor<2> cursor(*tiles);
    EXPECT_EQ(sample(field, cursor, {8.0, 8.0}), 3.0);
    EXPECT_EQ(sample(field, cursor, {-8.0, 8.0}), 0.0);
    EXPECT_NEAR(sample(field, cursor, {0.0, 8.0}), 1.5, 1e-15);  // half of the weight is missing
    EXPECT_EQ(sample(field, cursor, {8.0, 8.0}), 3.0);
}

}  // namespace
}  // namespace spume
