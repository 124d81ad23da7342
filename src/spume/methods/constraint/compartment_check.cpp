// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/compartment_check.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "spume/physics/air/track_bubbles.h"
#include "spume/physics/domain/grid_domain.h"
#include "spume/physics/domain/liquid_set.h"
#include "spume/physics/domain/liquid_tiles.h"
#include "spume/physics/domain/solid_set.h"
#include "spume/scene/bodies.h"
#include "spume/surface/level_set.h"
#include "spume/surface/regions.h"

namespace spume::constraint {
namespace {

constexpr int kMostStoredCells = 1 << 19;      // near solids; keeps the look below about a second
constexpr double kMostTiles = 64 * 64 * 64.0;  // of the whole box
constexpr int kFewestMoments = 8, kMostMoments = 16;
constexpr double kNoticed = 1e-3;  // of a compartment's volume; rounding and slivers stay below

/// The middles of equal parts of the time in which solids follow keys or deform.
struct Moments {
    double begin = 0, end = 0;
    int count = 0;
    double length() const { return (end - begin) / count; }
    double at(int i) const { return begin + (i + 0.5) * length(); }
};
Moments moments_of(const Scene& scene, const MeshLibrary& meshes) {
    Moments m{1e300, -1e300, 0};
    std::size_t keys = 0;
    for (const Solid& solid : scene.solids) {
        const auto mesh = meshes.find(solid.shape.file);
        if (solid.shape.kind == ShapeKind::kMesh && mesh != meshes.end() && mesh->second.sequence) {
            const std::size_t frames = mesh->second.sequence->frames();
            const double fps = solid.shape.fps > 0 ? solid.shape.fps : mesh->second.fps;
            m.begin = std::min(m.begin, solid.shape.start);
            m.end = std::max(m.end,
                             solid.shape.repeat ? 1e300 : solid.shape.start + double(frames) / fps);
            keys = std::max(keys, frames);
        }
        if (solid.motion != Motion::kKeyed || solid.keys.size() < 2) continue;
        m.begin = std::min(m.begin, solid.keys.front().time);
        m.end = std::max(m.end, solid.keys.back().time);
        keys = std::max(keys, solid.keys.size());
    }
    m.begin = std::max(m.begin, 0.0);
    m.end = std::min(m.end, scene.time.frames / scene.time.fps);
    if (m.end > m.begin)
        m.count =
            std::clamp(2 * int(std::min<std::size_t>(keys, 100)), kFewestMoments, kMostMoments);
    return m;
}

/// A closed compartment through the moments.
struct Compartment {
    double volume = 0;            ///< when it was first seen closed, m³ (2D: m²)
    double change = 0;            ///< since then
    double most = 0;              ///< the largest of these
    bool wet = false;             ///< holds liquid, or was open before; air alone is not solved for
    double since = 0, until = 0;  ///< s, from when it was closed to when it had changed most
    std::map<std::size_t, double> moved;  ///< by solid: volume it swept
};

template <int D>
class CompartmentCheck {
  public:
    CompartmentCheck(const Scene& scene, const Inputs& inputs, const Moments& moments,
                     Context& context)
        : scene_(scene),
          solids_(scene.solids, inputs.meshes, true),
          liquids_(scene.liquids, scene.physics.water_density, scene.seed, inputs.meshes),
          moments_(moments),
          context_(context),
          basin_(grid_domain_of<D>(scene)) {
        for (const LiquidBody& liquid : scene.liquids) {
            if (liquid.mode == LiquidMode::kFill || liquid.mode == LiquidMode::kSource)
                wet_.push_back(placed<D>(liquid.shape, inputs.meshes));
            if (liquid.mode == LiquidMode::kSource) sources_.push_back(wet_.back());
        }
    }

    std::vector<Compartment> run() {
        choose_grid();
        std::vector<Compartment> ended;
        for (int i = 0; i < moments_.count; ++i) look_at(i, ended);
        for (auto& [region, c] : now_) ended.push_back(std::move(c));
        return ended;
    }
    double voxel() const { return basin_.voxel(); }

  private:
    /// The scene's own voxel if the tiles at its solids are few, else a larger one.
    void choose_grid() {
        for (double factor = 1;; factor *= 1.25) {
            basin_ = coarser(factor);
            if (double(product(basin_.cells.size())) > kMostTiles * kTileCells<D>) continue;
            std::vector<Index<D>> keys;
            for (int i = 0; i < moments_.count && keys.size() < kEnough; ++i)
                list_tiles(solids_.at(moments_.at(i)), keys);
            for (const PlacedBody<D>& body : wet_) list_samples(body, keys);
            std::sort(keys.begin(), keys.end(), [](const Index<D>& a, const Index<D>& b) {
                return std::lexicographical_compare(&a[0], &a[0] + D, &b[0], &b[0] + D);
            });
            keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
            if (keys.size() * kTileCells < D >> kMostStoredCells) continue;
            tiles_ = Tiles<D>::build(std::move(keys), basin_.transform);
            return;
        }
    }
    GridDomain<D> coarser(double factor) const {
        Scene scene = scene_;
        scene.domain.voxel = scene_.voxel() * factor;
        return grid_domain_of<D>(scene);
    }

    /// Tiles that a surface of a solid may cross.
    void list_tiles(const PlacedSolids<D>& bodies, std::vector<Index<D>>& keys) const {
        const double h = voxel(), radius = h * (kTileSide<D> * std::sqrt(double(D)) / 2 + 1);
        const Index<D> one = Index<D>::filled(1), last = tile_of<D>(basin_.cells.hi - one);
        for (const PlacedBody<D>& body : bodies.placed) {
            Box<int, D> range;
            for (int a = 0; a < D; ++a) {
                const auto cell = [&](double x, double way) {
                    const double at = (x - basin_.transform.origin[a]) / h + way;
                    return int(std::floor(std::clamp(at, double(basin_.cells.lo[a]),
                                                     double(basin_.cells.hi[a] - 1))));
                };
                range.lo[a] = cell(body.bounds().lo[a], -1);
                range.hi[a] = cell(body.bounds().hi[a], 1);
            }
            const Index<D> lo = tile_of<D>(range.lo), hi = min(tile_of<D>(range.hi), last) + one;
            Index<D> key = lo;
            while (key[D - 1] < hi[D - 1]) {
                const Index<D> corner = key * kTileSide<D>;
                const Point<D> centre = basin_.transform.to_world(
                    corner.template as<double>() + Point<D>::filled(kTileSide<D> / 2.0));
                if (std::abs(body.distance_within(centre, radius)) <= radius) keys.push_back(key);
                for (int a = 0; a < D; ++a) {
                    if (++key[a] < hi[a] || a == D - 1) break;
                    key[a] = lo[a];
                }
            }
        }
    }

    /// Some tiles of a liquid, so that compartments without solids near it are known to hold it.
    void list_samples(const PlacedBody<D>& body, std::vector<Index<D>>& keys) const {
        const Box<double, D> box = body.bounds().intersected(basin_.bounds());
        if (box.empty()) return;
        for (int n = 0; n < (1 << 2 * D); ++n) {
            Point<D> x = basin_.transform.to_lattice(box.lo);
            for (int a = 0; a < D; ++a)
                x[a] += ((n >> 2 * a & 3) + 0.5) / 4 * box.size()[a] / voxel();
            Index<D> cell;
            for (int a = 0; a < D; ++a) cell[a] = int(std::floor(x[a]));
            keys.push_back(tile_of<D>(cell));
        }
    }

    AirRegions<D> regions_at(const PlacedSolids<D>& bodies, const CutCells<D>& open) const {
        CellField<std::uint8_t, D> phase(tiles_);
        std::uint8_t* out = phase.write();
        const std::uint8_t* kind = open.kind.read();
        for_values(context_.arena, *tiles_, [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i)
                out[i] = kind[i] == kFluidCell ? kAirPhase : kSolidPhase;
        });
        OpenBox<D> box;
        box.cells = basin_.cells;
        for (int a = 0; a < D; ++a)
            for (int k = 0; k < 2; ++k) box.open[a][k] = !basin_.wall[a][k];
        const BoxIsAir<D> is_air = [&](const Box<int, D>& keys) {
            return outside_solids(bodies, keys, basin_.transform);
        };
        return find_air_regions<D>(phase, open.area, box, is_air, context_);
    }

    /// One moment: closed compartments go on as those they share most cells with.
    void look_at(int i, std::vector<Compartment>& ended) {
        const double t = moments_.at(i), length = moments_.length();
        const PlacedSolids<D> bodies = solids_.at(t);
        const CutCells<D> open = cut_cells(bodies, basin_, tiles_, context_);
        const AirRegions<D> regions = regions_at(bodies, open);
        std::map<int, Compartment> next = closed(regions, open);
        for (auto& [region, c] : next) {
            const int before = heir_of(region, regions.label);
            if (const auto found = now_.find(before); found != now_.end()) {
                std::swap(c, found->second);
                now_.erase(found);
            } else {
                c.since = moments_.begin + i * length;
                c.wet = i > 0 || holds_liquid(region, regions.label);
            }
        }
        for (auto& [region, c] : now_) ended.push_back(std::move(c));
        now_ = std::move(next);
        add_sweeps(bodies, open, regions.label, length);
        for (auto& [region, c] : now_)
            if (std::abs(c.change) > std::abs(c.most))
                c.most = c.change, c.until = moments_.begin + (i + 1) * length;
        label_ = regions.label;
    }

    /// Those large enough to be more than a crack between two cells.
    std::map<int, Compartment> closed(const AirRegions<D>& regions, const CutCells<D>& open) const {
        std::vector<double> cells(regions.regions.size());
        for (std::size_t k = 0; k < cells.size(); ++k) cells[k] = regions.regions[k].far_cells;
        const CellField<float, D> open_fraction = open_fractions(open, context_);
        for (int t = 0; t < tiles_->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o)
                if (const int k = regions.label.at(t, o); k >= 0)
                    cells[std::size_t(k)] += double(open_fraction.at(t, o));
        std::map<int, Compartment> r;
        for (std::size_t k = 0; k < cells.size(); ++k)
            if (!regions.regions[k].outside && cells[k] >= (1 << 2 * D))
                r[int(k)].volume = cells[k] * basin_.cell_volume();
        return r;
    }

    bool holds_liquid(int region, const CellField<std::int32_t, D>& label) const {
        for (int t = 0; t < tiles_->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o) {
                if (label.at(t, o) != region) continue;
                const Point<D> x = label.position(t, o);
                if (liquids_.distance(x) < 0) return true;
                for (const PlacedBody<D>& source : sources_)
                    if (source.distance(x) < 0) return true;
            }
        return false;
    }

    /// The region before that shares most stored cells with this one.
    int heir_of(int region, const CellField<std::int32_t, D>& label) const {
        if (!label_.tiles()) return -1;
        std::map<int, int> shared;
        for (int t = 0; t < tiles_->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o)
                if (label.at(t, o) == region && label_.at(t, o) >= 0) ++shared[label_.at(t, o)];
        int best = -1, most = 0;
        for (const auto& [before, count] : shared)
            if (count > most) most = count, best = before;
        return best;
    }

    /// Volume that each solid sweeps out of the compartments, [GB17] Eq. 6: a solid that moves
    /// inside one comes out as zero, whatever the grid.
    void add_sweeps(const PlacedSolids<D>& bodies, const CutCells<D>& open,
                    const CellField<std::int32_t, D>& label, double seconds) {
        const double scale = seconds * basin_.cell_volume() / voxel();
        for (int t = 0; t < tiles_->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o) {
                const auto found = now_.find(label.at(t, o));
                if (found == now_.end()) continue;
                for (int side = 0; side < 2 * D; ++side) {
                    const std::size_t f = face_place<D>(*tiles_, t, o, side);
                    const double shut = 1 - double(open.area.read(side / 2)[f]);
                    const double speed = open.velocity.read(side / 2)[f];
                    if (shut == 0 || speed == 0) continue;
                    const double way = side % 2 ? 1 : -1, swept = way * shut * speed * scale;
                    const Point<D> x =
                        label.position(t, o) + Point<D>::unit(side / 2, way * voxel() / 2);
                    found->second.change += swept;
                    found->second.moved[std::size_t(&bodies.nearest(x) - bodies.placed.data())] +=
                        swept;
                }
            }
    }

    static constexpr std::size_t kEnough = std::size_t(1) << 24;
    const Scene& scene_;
    SolidSet<D> solids_;
    LiquidSet<D> liquids_;
    std::vector<PlacedBody<D>> wet_, sources_;
    Moments moments_;
    Context& context_;
    GridDomain<D> basin_;
    typename Tiles<D>::Ptr tiles_;
    CellField<std::int32_t, D> label_;  ///< of the moment before
    std::map<int, Compartment> now_;    ///< by region of that moment
};

/// The solids that swept more than a tenth of what the busiest did.
std::string names_of(const Compartment& c, const Scene& scene) {
    double most = 0;
    for (const auto& [solid, swept] : c.moved) most = std::max(most, std::abs(swept));
    std::vector<std::string> names;
    for (const auto& [solid, swept] : c.moved)
        if (std::abs(swept) > 0.1 * most)
            names.push_back(scene.solids[solid].name.empty()
                                ? fmt::format("solid[{}]", solid)
                                : fmt::format("\"{}\"", scene.solids[solid].name));
    return fmt::format("{} {}", fmt::join(names, ", "), names.size() == 1 ? "changes" : "change");
}

template <int D>
std::vector<std::string> texts(const Scene& scene, const Inputs& inputs, const Moments& moments,
                               Context& context) {
    CompartmentCheck<D> look(scene, inputs, moments, context);
    std::vector<std::string> r;
    for (const Compartment& c : look.run()) {
        if (!c.wet || std::abs(c.most) < kNoticed * c.volume) continue;
        std::string text = fmt::format(
            "{} the volume of a closed compartment, {:.3g} m^{}, by {:+.2g} m^{} between {:.3g} s "
            "and {:.3g} s: air and liquid in it cannot give way",
            names_of(c, scene), c.volume, D, c.most, D, c.since, c.until);
        if (look.voxel() > 1.001 * scene.voxel())
            text += fmt::format(" (seen with voxels of {:.3g} m)", look.voxel());
        r.push_back(text +
                    "; open a side of the domain to it, or set "
                    "constraint.bubbles = \"compressible\"");
    }
    return r;
}

}  // namespace

std::vector<std::string> compartment_warnings(const Scene& scene, const Params& params,
                                              const Inputs& inputs, Context& context) {
    if (params.bubbles != BubbleMode::kConstrained) return {};
    const Moments moments = moments_of(scene, inputs.meshes);
    if (moments.count == 0) return {};
    return scene.domain.dimensions == 2 ? texts<2>(scene, inputs, moments, context)
                                        : texts<3>(scene, inputs, moments, context);
}

}  // namespace spume::constraint
