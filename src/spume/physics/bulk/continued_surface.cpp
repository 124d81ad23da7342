// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/grid/sample.h"
#include "spume/physics/bulk/bulk_frame.h"
#include "spume/physics/domain/liquid_tiles.h"

namespace spume {
namespace {

/// So far inside solids a surface is continued, in voxels: a little more than the band.
constexpr double kInside = kBulkBand + 2;
/// A value is that of a wall, and not of the surface, if it differs by less, in voxels. Files may
/// hold three digits.
constexpr double kSame = 0.01;
constexpr int kSteps = 12;
constexpr double kWhole = 1 - 1e-9;  // weight of corners that are all known
constexpr double kNothing = 1e-11;   // weight of a corner that does not count

template <int D>
struct NearestWall {
    double distance;  ///< positive in the room between walls
    Vec<double, D> normal;
};

/// The continued sides of the box and the solids near a tile.
template <int D>
class Walls {
  public:
    /// Those within `beyond` of its cells.
    Walls(const BulkSetting<D>& setting, const PlacedSolids<D>& solids, const Index<D>& key,
          double beyond)
        : setting_(setting), reach_(kInside * setting.transform.voxel) {
        const Point<D> centre = tile_centre<D>(key, setting.transform);
        near_.find_around_tile(solids, setting.transform, key, beyond);
        const double half = 0.5 * kTileSide<D> * setting.transform.voxel + beyond;
        any_ = !near_.empty();
        for (int a = 0; a < D; ++a)
            any_ = any_ || (setting.continued[a][0] && centre[a] - setting.box.lo[a] < half) ||
                   (setting.continued[a][1] && setting.box.hi[a] - centre[a] < half);
    }
    bool any() const { return any_; }

    NearestWall<D> nearest(const Point<D>& x) const {
        NearestWall<D> r{reach_, {}};
        for (int a = 0; a < D; ++a)
            for (int side = 0; side < 2; ++side) {
                if (!setting_.continued[a][side]) continue;
                const double d = side ? setting_.box.hi[a] - x[a] : x[a] - setting_.box.lo[a];
                if (d < r.distance) r = {d, Vec<double, D>::unit(a, side ? -1 : 1)};
            }
        const PlacedBody<D>* body = nullptr;
        for (const PlacedBody<D>* one : near_) {
            const double d = one->distance_within(x, reach_);
            if (d < r.distance) {
                r.distance = std::max(d, -reach_);
                body = one;
            }
        }
        if (body) r.normal = body->normal(x);
        return r;
    }

  private:
    const BulkSetting<D>& setting_;
    double reach_;
    NearSolids<D> near_;
    bool any_ = false;
};

/// Mean of the corners that kept their value, and how much weight they have.
template <int D>
struct KnownMean {
    double value = 0, weight = 0;
    bool liquid = false;  ///< one of the corners is
};

template <int D>
class Continued {
  public:
    Continued(const CellField<double, D>& phi, const CellField<std::uint8_t, D>& own, double band)
        : phi_(phi), own_(own), band_(band), cursor_(*phi.tiles()) {}

    /// What the surface would be at x: from where it is known on the way out of the walls, along
    /// its slope there, so that a plane stays one. In gaps as narrow as that, from the nearest
    /// known; where walls fill them with their distances, deep.
    double operator()(const Walls<D>& walls, const Point<D>& x) {
        const double h = phi_.tiles()->voxel();
        NearestWall<D> wall = walls.nearest(x);
        const double start = wall.distance;
        const bool inside = start <= 0;
        Point<D> y = inside ? x + wall.normal * (0.5 * h - start) : x;
        double away = inside ? 0.5 * h - start : 0;
        bool liquid = !inside, some = false;
        double r = 0;
        for (int n = 0; n < kSteps; ++n) {
            const KnownMean<D> mean = at(y);
            liquid = liquid || mean.liquid;
            if (mean.weight > 0.25 && !some) {
                some = true;
                r = mean.value / mean.weight;
            }
            wall = walls.nearest(y);
            const Point<D> next = y + wall.normal * h;
            if (mean.weight > kWhole) {
                const KnownMean<D> beyond = at(next);
                const double slope = beyond.weight > kWhole ? (beyond.value - mean.value) / h : 0.0;
                r = mean.value - std::clamp(slope, -1.0, 1.0) * away;
                break;
            }
            y = next;
            away += h;
        }
        if (!some) r = liquid ? -band_ : band_;
        return std::clamp(inside ? r : std::min(r, -start), -band_, band_);
    }

  private:
    KnownMean<D> at(const Point<D>& y) {
        const Point<D> u = cell_coordinate<D>(phi_.tiles()->transform(), y);
        // A place on the lattice by intent may miss it by rounding.
        Point<D> whole{};
        for (int a = 0; a < D; ++a) whole[a] = std::floor(u[a] + 1e-6);
        const Index<D> base = floor_index<D>(whole);
        KnownMean<D> r;
        for (int c = 0; c < (1 << D); ++c) {
            Index<D> i = base;
            double w = 1;
            for (int a = 0; a < D; ++a) {
                const double t = std::max(u[a] - whole[a], 0.0);
                i[a] += c >> a & 1;
                w *= c >> a & 1 ? t : 1 - t;
            }
            if (w < kNothing) continue;  // beside a plane wall all but one or two
            const std::size_t place = cursor_(i);
            if (!phi_.tiles()->is_active(cursor_.tile())) {
                r.value += w * band_;  // no tile: far air
                r.weight += w;
                continue;
            }
            r.liquid = r.liquid || phi_.read()[place] < 0;
            if (!own_.read()[place]) continue;
            r.value += w * phi_.read()[place];
            r.weight += w;
        }
        return r;
    }

    const CellField<double, D>& phi_;
    const CellField<std::uint8_t, D>& own_;
    double band_;
    TileCursor<D> cursor_;
};

}  // namespace

template <int D>
CellField<double, D> continued_surface(const CellField<double, D>& phi, double band,
                                       const BulkSetting<D>& setting, const PlacedSolids<D>& solids,
                                       CellField<std::uint8_t, D>& own, Context& context) {
    Stage stage(context, "bulk");
    const Tiles<D>& tiles = *phi.tiles();
    const double same = kSame * tiles.voxel();
    own = CellField<std::uint8_t, D>(phi.tiles(), 1);
    std::uint8_t* keeps = own.write();
    std::vector<std::uint8_t> wanting(std::size_t(tiles.active()));
    for_tiles(context.arena, tiles, [&](int t) {
        const Walls<D> walls(setting, solids, tiles.key(t), band);
        if (!walls.any()) return;
        for (int o = 0; o < kTileCells<D>; ++o) {
            const double d = walls.nearest(phi.position(t, o)).distance;
            // In the room between walls a closed level set is nowhere below −d.
            if (d >= band || (d > 0 && phi.at(t, o) > same - d)) continue;
            if (d <= -kInside * tiles.voxel()) continue;
            keeps[std::size_t(t) * kTileCells<D> + std::size_t(o)] = 0;
            wanting[std::size_t(t)] = 1;
        }
    });
    CellField<double, D> result = phi;
    double* out = result.write();
    for_tiles(context.arena, tiles, [&](int t) {
        if (!wanting[std::size_t(t)]) return;
        const Walls<D> walls(setting, solids, tiles.key(t), (kInside + kSteps) * tiles.voxel());
        Continued<D> continued(phi, own, band);
        for (int o = 0; o < kTileCells<D>; ++o)
            if (const std::size_t i = std::size_t(t) * kTileCells<D> + std::size_t(o); !keeps[i])
                out[i] = continued(walls, phi.position(t, o));
    });
    return result;
}

#define SPUME_INSTANTIATE(D)                                                                \
    template CellField<double, D> continued_surface<D>(                                     \
        const CellField<double, D>&, double, const BulkSetting<D>&, const PlacedSolids<D>&, \
        CellField<std::uint8_t, D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
