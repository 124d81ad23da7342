// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "methods/guided/guided_run.h"
#include "spume/grid/stencil.h"
#include "spume/methods/guided/cells.h"

namespace spume {
namespace {

using guided::Border;

/// A patch of two by two tiles in a wide domain.
template <int D>
struct Patch {
    Context context{1};
    GridDomain<D> domain;
    typename Tiles<D>::Ptr tiles;
    BulkFields<D> bulk;

    Patch() {
        domain.transform = {0.1, {}};
        domain.cells = {Index<D>::filled(-100), Index<D>::filled(100)};
        Box<int, D> cells{{}, Index<D>::filled(2 * kTileSide<D>)};
        tiles = Tiles<D>::dense(cells, domain.transform);
        bulk = {0, CellField<double, D>(tiles, -100.0), FaceField<double, D>(tiles)};
    }
    template <class F>
    void set_velocity(F&& u) {
        for (int a = 0; a < D; ++a) {
            double* v = bulk.velocity.write(a);
            for (int t = 0; t < tiles->zero(); ++t)
                for (int o = 0; o < kTileCells<D>; ++o)
                    v[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                        u(bulk.velocity.position(a, t, o))[a];
        }
    }
    guided::GuidedCells<D> cells(Border border) {
        return guided_cells(cut_cells(PlacedSolids<D>{}, domain, tiles, context), bulk, border, 1,
                            context);
    }
};

// [WFS22] §4: pressure below and above, velocity at the sides, pressure in corners.
template <int D>
void has_its_borders() {
    Patch<D> patch;
    patch.set_velocity([](const Point<D>& x) { return x * 2; });
    const auto cells = patch.cells(Border::kMixed);
    const int side = 2 * kTileSide<D>;
    int fluid = 0, pressure = 0;
    for (int t = 0; t < patch.tiles->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            const Index<D> cell = patch.tiles->origin(t) + tile_local<D>(o);
            const bool end = cell[1] == 0 || cell[1] == side - 1;
            EXPECT_EQ(cells.open.kind.at(t, o), end ? kNoCell : kFluidCell);
            fluid += !end, pressure += end;
            for (int a = 0; a < D; ++a) {
                const bool at_side = cell[a] == 0;
                const double area = double(cells.open.area.at(a, t, o));
                EXPECT_EQ(area, at_side || (end && a != 1) ? 0 : 1);
                if (area == 0) {
                    EXPECT_EQ(cells.open.velocity.at(a, t, o), patch.bulk.velocity.at(a, t, o));
                }
            }
        }
    EXPECT_EQ(cells.open.water_cells, fluid);
    EXPECT_GT(pressure, 0);
    EXPECT_EQ(cells.closed_parts, 0);
}
TEST(GuidedBorder, PressureAlongGravityVelocityAcross) {
    has_its_borders<2>();
    has_its_borders<3>();
}

/// Net flux through what encloses the fluid cells, less the divergence asked for, per volume.
template <int D>
double net_flux(const guided::GuidedCells<D>& cells) {
    const Tiles<D>& tiles = *cells.open.kind.tiles();
    double sum = 0, count = 0;
    for (int t = 0; t < tiles.active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            if (cells.open.kind.at(t, o) != kFluidCell) continue;
            count += 1;
            sum -= cells.divergence.at(t, o);
            for (int face = 0; face < 2 * D; ++face) {
                const std::size_t at = face_place<D>(tiles, t, o, face);
                const double closed = 1 - double(cells.open.area.read(face / 2)[at]);
                sum += (face % 2 ? 1 : -1) * closed * cells.open.velocity.read(face / 2)[at] /
                       tiles.voxel();
            }
        }
    return sum / count;
}

// A duct: walls below and above, a bulk that brings 5 % of the volume a second too much.
template <int D>
void closes_a_duct() {
    Patch<D> patch;
    patch.domain.wall[1][0] = patch.domain.wall[1][1] = true;
    patch.domain.cells.lo[1] = 2;
    patch.domain.cells.hi[1] = 2 * kTileSide<D> - 3;
    patch.set_velocity([](const Point<D>& x) {
        Vec<double, D> u{};
        u[0] = 1 - 0.05 * x[0];
        return u;
    });
    const auto cells = patch.cells(Border::kMixed);
    EXPECT_EQ(cells.closed_parts, 1);
    EXPECT_NEAR(cells.largest_net_flux, 0.05, 1e-12);
    EXPECT_LE(std::abs(net_flux(cells)), 1e-12);
}
TEST(GuidedBorder, NetFluxOfAClosedPatchIsSpread) {
    closes_a_duct<2>();
    closes_a_duct<3>();
}

// Under a surface and over a floor there is no pressure voxel either. The wave's own flux is off by
// its discretisation; what is solved for is not.
TEST(GuidedBorder, AWaveOverAFloorIsClosed) {
    Scene s = over_bulk(2, 0.02, {1.28, 0.64, 0}, BulkKind::kAnalytic);
    s.domain.bottom = spume::Border::kWall;
    s.bulk.flow = BulkFlow::kStandingWave;
    s.bulk.level = 0.4;
    s.bulk.depth = 0.4;
    s.bulk.amplitude = 0.03;
    s.bulk.wavelength = 1.28;
    guided::Params p;
    p.pressure_tolerance = 1e-10;
    GuidedRun<2> run(s, p);
    run.add({0.5, 0.2}, 1e-3);
    ASSERT_TRUE(run.until(0.3));
    EXPECT_GT(run.state.net_flux, 0);
    EXPECT_LE(run.last.max_divergence, 1e-8);
    EXPECT_TRUE(run.last.warnings.empty() || run.state.net_flux > 1e-3);
}

// A level surface cuts faces where it lies, to round-off.
template <int D>
void cuts_faces() {
    Patch<D> patch;
    const double level = 0.1 * (kTileSide<D> + 0.3);
    double* phi = patch.bulk.phi.write();
    for (int t = 0; t < patch.tiles->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o)
            phi[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                patch.bulk.phi.position(t, o)[1] - level;
    const auto cells = patch.cells(Border::kPressure);
    for (int t = 0; t < patch.tiles->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            const int y = (patch.tiles->origin(t) + tile_local<D>(o))[1];
            const double wet = y < kTileSide<D> ? 1 : y == kTileSide<D> ? 0.3 : 0;
            EXPECT_EQ(cells.open.kind.at(t, o), wet > 0 ? kFluidCell : kNoCell);
            EXPECT_NEAR(cells.open.area.at(0, t, o), wet, 1e-6);
            EXPECT_NEAR(cells.open.area.at(1, t, o), y <= kTileSide<D> ? 1 : 0, 1e-6);
        }
}
/// The only way out of a cell at the wall is a sliver: what the bulk carries into the wall must not
/// be squeezed back through it.
TEST(GuidedBorder, AFilmThatRunsIntoAWallIsNotSqueezedOut) {
    for (const double film : {0.002, 0.01, 0.3}) {
        Scene s = over_bulk(2, 0.02, {0.64, 0.32, 0}, BulkKind::kAnalytic);
        s.domain.bottom = s.domain.sides = spume::Border::kWall;
        s.domain.dense = true;
        s.bulk.flow = BulkFlow::kStream;
        s.bulk.level = film * s.domain.voxel;
        s.bulk.velocity = {2, 0, 0};
        GuidedRun<2> run(s, {});
        ASSERT_TRUE(run.until(1.0 / 24)) << film;
        EXPECT_LE(run.last.max_speed, 2.5) << film;
    }
}

TEST(GuidedBorder, TheSurfaceCutsFaces) {
    cuts_faces<2>();
    cuts_faces<3>();
}

// The surface holds the water: a cloud below it stirs the water and no water leaves by it.
TEST(GuidedBorder, TheSurfaceIsACollider) {
    Scene s = over_bulk(2, 0.02, {0.64, 0.64, 0});
    s.domain.sides = s.domain.bottom = spume::Border::kWall;
    s.domain.dense = true;
    s.bulk.level = 0.5;
    guided::Params p;
    p.pressure_tolerance = 1e-12;
    GuidedRun<2> run(s, p);
    for (int n = 0; n < 20; ++n) run.add({0.3 + 0.004 * n, 0.2 + 0.003 * (n % 5)}, 2e-3);
    ASSERT_TRUE(run.until(0.4));
    const Tiles<2>& tiles = *run.state.grid.tiles;
    double stirred = 0;
    for (int t = 0; t < tiles.active(); ++t)
        for (int o = 0; o < kTileCells<2>; ++o) {
            const int y = (tiles.origin(t) + tile_local<2>(o))[1];
            const double v = std::abs(run.state.water.at(1, t, o));
            if (y == 25) {
                EXPECT_LE(v, 1e-9);
            }
            stirred = std::max(stirred, v);
        }
    EXPECT_GT(stirred, 0.01);
}

}  // namespace
}  // namespace spume
