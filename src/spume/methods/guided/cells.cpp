// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/guided/cells.h"

#include <algorithm>

#include "spume/grid/stencil.h"
#include "spume/methods/guided/linear_halo.h"

namespace spume::guided {
namespace {

constexpr float kSliver = 1e-3f;  // as of solids: smaller openings only spoil the conditioning
constexpr std::uint8_t kPressureVoxel = kDirichletCell;  // while borders are being set

/// Φ at the corners of a tile's cells: the mean of the cells around each.
template <int D>
class CornerLevels {
  public:
    explicit CornerLevels(const HaloBlock<double, D, 1>& phi) {
        for (int n = 0; n < kCount; ++n) {
            Index<D> corner{};
            for (int a = D - 1, rest = n; a >= 0; --a, rest /= kSide) corner[a] = rest % kSide;
            double sum = 0;
            for (int k = 0; k < (1 << D); ++k) {
                Index<D> cell = corner;
                for (int a = 0; a < D; ++a) cell[a] -= k >> a & 1;
                sum += phi.v[phi.at(cell)];
            }
            level_[n] = sum / (1 << D);
        }
    }
    double at(const Index<D>& corner) const {
        int n = 0;
        for (int a = 0; a < D; ++a) n = n * kSide + corner[a];
        return level_[n];
    }
    /// Is any corner of the cell in the air?
    bool cuts(const Index<D>& cell) const {
        for (int k = 0; k < (1 << D); ++k) {
            Index<D> corner = cell;
            for (int a = 0; a < D; ++a) corner[a] += k >> a & 1;
            if (at(corner) >= 0) return true;
        }
        return false;
    }
    /// Part of the face across `axis` that is in the liquid.
    double wet_part(int axis, const Index<D>& face) const {
        if constexpr (D == 2) {
            return positive_part(-at(face), -at(face + Index<D>::unit(1 - axis)));
        } else {
            const Index<D> u = Index<D>::unit((axis + 1) % 3), v = Index<D>::unit((axis + 2) % 3);
            const double corners[4] = {-at(face), -at(face + u), -at(face + u + v), -at(face + v)};
            return positive_part(corners);
        }
    }

  private:
    static constexpr int kSide = kTileSide<D> + 1;
    static constexpr int kCount = D == 2 ? kSide * kSide : kSide * kSide * kSide;
    double level_[kCount];
};

/// Closes a part of a face: `part` of it stays, and what is closed now moves with `velocity`.
void close_face(float& area, double& closed, double part, double velocity) {
    const float now = static_cast<float>(double(area) * part);
    const float left = now < kSliver ? 0.0f : now;
    if (left == area) return;
    const double shut = double(area) - double(left);  // not in float: the flux must be the bulk's
    closed = ((1 - double(area)) * closed + shut * velocity) / (1 - double(left));
    area = left;
}

template <int D>
struct Writable {
    float* area[D];
    double* velocity[D];
    explicit Writable(CutCells<D>& open) {
        for (int a = 0; a < D; ++a)
            area[a] = open.area.write(a), velocity[a] = open.velocity.write(a);
    }
};

/// Closes the air side; marks the cells that the surface cuts.
template <int D>
CellField<std::uint8_t, D> close_air(CutCells<D>& open, const BulkFields<D>& bulk,
                                     Context& context) {
    const Tiles<D>& tiles = *open.kind.tiles();
    CellField<std::uint8_t, D> cut(open.kind.tiles());
    std::uint8_t* marks = cut.write();
    const Writable<D> to(open);
    for_tiles(context.arena, tiles, [&](int t) {
        HaloBlock<double, D, 1> phi;
        load_cells_linear(bulk.phi.read(), tiles, t, phi);
        if (*std::max_element(phi.v, phi.v + phi.kSize) < 0) return;
        const CornerLevels<D> levels(phi);
        for (int o = 0; o < kTileCells<D>; ++o)
            marks[std::size_t(t) * kTileCells<D> + std::size_t(o)] = levels.cuts(tile_local<D>(o));
        for (int a = 0; a < D; ++a) {
            const double* u = bulk.velocity.read(a);
            const auto close = [&](const Index<D>& face, std::size_t at) {
                close_face(to.area[a][at], to.velocity[a][at], levels.wet_part(a, face), u[at]);
            };
            for (int o = 0; o < kTileCells<D>; ++o)
                close(tile_local<D>(o), std::size_t(t) * kTileCells<D> + std::size_t(o));
            const int next = tiles.neighbour(t, Index<D>::unit(a));
            for (int o = 0; o < kTileCells<D> && !tiles.is_active(next); ++o) {
                Index<D> face = tile_local<D>(o);
                if (face[a] != 0) continue;
                face[a] = kTileSide<D>;
                close(face, std::size_t(next) * kTileCells<D> + std::size_t(o));
            }
        }
    });
    return cut;
}

/// f(fluid cell's place, tile, offset) with the right to change its kind in `to`.
template <int D, class F>
void for_fluid_cells(const CellField<std::uint8_t, D>& kind, Context& context, F&& f) {
    for_tiles(context.arena, *kind.tiles(), [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o)
            if (kind.at(t, o) == kFluidCell)
                f(std::size_t(t) * kTileCells<D> + std::size_t(o), t, o);
    });
}

/// Cells without an open face are none; with mixed borders, those at a face across gravity that
/// looks out of the tiles become pressure voxels. A cell of the domain that is none has no open
/// face, so what lies behind one is a fluid cell or outside.
template <int D>
void mark_pressure_voxels(CutCells<D>& open, Border border, int down, Context& context) {
    const Tiles<D>& tiles = *open.kind.tiles();
    CellField<std::uint8_t, D> after = open.kind;
    std::uint8_t* kind = after.write();
    const auto any_open = [&](int t, int o) {
        for (int face = 0; face < 2 * D; ++face)
            if (open.area.read(face / 2)[face_place<D>(tiles, t, o, face)] > 0) return true;
        return false;
    };
    for_fluid_cells(open.kind, context, [&](std::size_t at, int t, int o) {
        if (!any_open(t, o)) kind[at] = kNoCell;
    });
    open.kind = after;
    if (border != Border::kMixed) return;
    const CellField<std::uint8_t, D> before = after;
    kind = after.write();
    for_fluid_cells(before, context, [&](std::size_t at, int t, int o) {
        for (int side = 0; side < 2; ++side) {
            const int face = 2 * down + side;
            if (before.read()[neighbour_of<D>(tiles, t, o, face).place()] == kNoCell &&
                open.area.read(down)[face_place<D>(tiles, t, o, face)] > 0)
                kind[at] = kPressureVoxel;
        }
    });
    open.kind = after;
}

/// Faces that no fluid cell touches follow the bulk; so do, but for pressure borders, those between
/// a fluid cell and what is not stored.
template <int D>
void close_borders(GuidedCells<D>& r, const BulkFields<D>& bulk, Border border, Context& context) {
    const typename Tiles<D>::Ptr tiles = r.open.kind.tiles();
    r.border = FaceField<std::uint8_t, D>(tiles);
    const Writable<D> to(r.open);
    const std::uint8_t* kind = r.open.kind.read();
    for (int a = 0; a < D; ++a) {
        std::uint8_t* mark = r.border.write(a);
        const double* u = bulk.velocity.read(a);
        for_face_pairs(context.arena, *tiles, a, [&](std::size_t face, std::size_t below) {
            const int fluid = (kind[face] == kFluidCell) + (kind[below] == kFluidCell);
            if (fluid == 2 || to.area[a][face] == 0) return;
            if (fluid == 1 && (border == Border::kPressure || kind[face] == kPressureVoxel ||
                               kind[below] == kPressureVoxel))
                return;
            mark[face] = std::uint8_t(fluid);
            close_face(to.area[a][face], to.velocity[a][face], 0, u[face]);
        });
    }
}

/// Divergence in the cells that the surface cuts, where the bulk's own is not zero: that of the
/// bulk through what is open, and of whatever closes the rest. A wall that the bulk flows into then
/// needs no other way out, which might be a sliver.
template <int D>
CellField<double, D> divergence_of(const CutCells<D>& open, const FaceField<double, D>& bulk,
                                   const CellField<std::uint8_t, D>& cut, Context& context) {
    const Tiles<D>& tiles = *open.kind.tiles();
    CellField<double, D> r(open.kind.tiles());
    double* out = r.write();
    for_fluid_cells(open.kind, context, [&](std::size_t at, int t, int o) {
        if (!cut.read()[at]) return;
        double sum = 0;
        for (int face = 0; face < 2 * D; ++face) {
            const int a = face / 2;
            const std::size_t place = face_place<D>(tiles, t, o, face);
            const double area = double(open.area.read(a)[place]);
            const double flux =
                area * bulk.read(a)[place] + (1 - area) * open.velocity.read(a)[place];
            sum += face % 2 ? flux : -flux;
        }
        out[at] = sum / tiles.voxel();
    });
    return r;
}

}  // namespace

template <int D>
GuidedCells<D> guided_cells(CutCells<D> walls, const BulkFields<D>& bulk, Border border, int down,
                            Context& context) {
    Stage stage(context, "borders");
    GuidedCells<D> r;
    r.open = std::move(walls);
    const auto cut = close_air(r.open, bulk, context);
    mark_pressure_voxels(r.open, border, down, context);
    close_borders(r, bulk, border, context);
    r.divergence = divergence_of(r.open, bulk.velocity, cut, context);
    std::uint8_t* kind = r.open.kind.write();
    r.open.water_cells = reduce_tiles<D>(
        context.arena, *r.open.kind.tiles(), 0.0,
        [&](int t) {
            double count = 0;
            std::uint8_t* own = kind + std::size_t(t) * kTileCells<D>;
            for (int o = 0; o < kTileCells<D>; ++o) {
                if (own[o] == kPressureVoxel) own[o] = kNoCell;
                count += own[o] == kFluidCell;
            }
            return count;
        },
        [](double a, double b) { return a + b; });
    spread_net_flux(r, context);
    return r;
}

template GuidedCells<2> guided_cells<2>(CutCells<2>, const BulkFields<2>&, Border, int, Context&);
template GuidedCells<3> guided_cells<3>(CutCells<3>, const BulkFields<3>&, Border, int, Context&);

}  // namespace spume::guided
