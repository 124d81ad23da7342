// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/core/random.h"
#include "spume/particles/sort.h"
#include "spume/surface/level_sample.h"
#include "spume/surface/marker_correction.h"

namespace spume {
namespace {

/// Places and radii of new markers; ids come when they are appended.
template <int D>
struct Fresh {
    std::vector<Point<D>> position;
    std::vector<float> radius;
};

template <int D>
class Seeder {
  public:
    Seeder(const DenseField<float, D>& phi, const Transform<D>& lattice, const MarkerRule& rule,
           std::uint64_t seed, std::uint32_t step)
        : phi_(phi), lattice_(lattice), rule_(rule), seed_(seed), step_(step) {}

    /// New markers in a cell; draws begin where those that are there may have ended.
    void fill(const Index<D>& cell, int count, Fresh<D>& fresh) const {
        const Random random(seed_, phi_.shape.at(cell), step_, Purpose::kPosition);
        for (int k = 0; k < count; ++k) {
            Point<D> u =
                cell.template as<double>() + random.template uniform_vec<D>(std::uint32_t(k * D));
            float height = at(u);
            const float least = float(rule_.least_radius);
            if (std::abs(height) < least) {  // to where its ball just touches the surface
                const Vec<float, D> g = level_slope<D>(phi_.read(), phi_.shape, u);
                const float square = std::max(dot(g, g), 0.25f);
                const float way = (height < 0 ? -least : least) - height;
                u += (g * (way / square)).template as<double>();
                for (int a = 0; a < D; ++a)
                    u[a] = std::clamp(u[a], 0.0, double(phi_.shape.size[a]));
                height = at(u);
            }
            if (!(std::abs(height) < float(rule_.reach))) continue;
            const float r = std::clamp(std::abs(height), least, float(rule_.most_radius));
            fresh.position.push_back(lattice_.to_world(u));
            fresh.radius.push_back(float(double(height < 0 ? -r : r) * lattice_.voxel));
        }
    }
    /// May the cell hold markers?
    bool within(const Index<D>& cell) const {
        return std::abs(phi_.at(cell)) < float(rule_.reach) + 0.5f;
    }
    float at(const Point<D>& u) const { return sample_level<D>(phi_.read(), phi_.shape, u); }

  private:
    const DenseField<float, D>& phi_;
    const Transform<D>& lattice_;
    const MarkerRule& rule_;
    std::uint64_t seed_;
    std::uint32_t step_;
};

template <int D>
void append_all(Markers<D>& markers, const std::vector<Fresh<D>>& parts) {
    for (const Fresh<D>& part : parts) {
        if (part.position.empty()) continue;
        Markers<D> fresh;
        fresh.position = Array<Point<D>>(std::span<const Point<D>>(part.position));
        fresh.radius = Array<float>(std::span<const float>(part.radius));
        fresh.seen = fresh.radius;
        fresh.id = Array<std::uint64_t>(part.position.size(), 0);
        append(markers, fresh);
    }
}

}  // namespace

template <int D>
void seed_markers(Markers<D>& markers, const DenseField<float, D>& phi, const Transform<D>& lattice,
                  const MarkerRule& rule, std::uint64_t seed, std::uint32_t step,
                  Context& context) {
    Stage stage(context, "seed_markers");
    constexpr std::size_t kGrain = kRowGrain<D> * 32;
    const Seeder<D> seeder(phi, lattice, rule, seed, step);
    std::vector<Fresh<D>> parts((phi.shape.rows() + kGrain - 1) / kGrain);
    for_range(context.arena, phi.shape.rows(), kGrain, [&](std::size_t b, std::size_t e) {
        for (std::size_t r = b; r < e; ++r) {
            Index<D> i = phi.shape.row(r);
            for (int n = 0; n < phi.shape.size[D - 1]; ++n, ++i[D - 1])
                if (seeder.within(i)) seeder.fill(i, rule.per_cell, parts[b / kGrain]);
        }
    });
    append_all(markers, parts);
}

template <int D>
void reseed_markers(Markers<D>& markers, const DenseField<float, D>& phi,
                    const typename Tiles<D>::Ptr& tiles, const MarkerRule& rule, std::uint64_t seed,
                    std::uint32_t step, Context& context) {
    Stage stage(context, "reseed_markers");
    const Transform<D>& lattice = tiles->transform();
    const Seeder<D> seeder(phi, lattice, rule, seed, step);
    const auto height_of = [&](std::size_t q) {  // on its own side
        const float h = seeder.at(lattice.to_lattice(markers.position[q]));
        return markers.radius[q] > 0 ? h : -h;
    };
    remove_if(markers, context, [&](std::size_t q) { return height_of(q) > float(rule.reach); });
    const Clamp<D> clamp = Clamp<D>::closed({Index<D>{}, phi.shape.size});
    const TileRanges<D> ranges = sort_by_tile(markers, tiles, context, clamp);
    std::vector<Fresh<D>> parts(std::size_t(tiles->active()));
    std::vector<std::uint8_t> gone(markers.size(), 0);
    for_tiles(context.arena, *tiles, [&](int t) {
        std::vector<std::vector<std::uint32_t>> in(kTileCells<D>);
        for (std::size_t q = ranges.first(t); q < ranges.last(t); ++q) {
            const Index<D> cell = clamp.cell(lattice.to_lattice(markers.position[q]));
            in[std::size_t(tile_offset<D>(local_of<D>(cell)))].push_back(std::uint32_t(q));
        }
        for (int o = 0; o < kTileCells<D>; ++o) {
            const Index<D> cell = tiles->origin(t) + tile_local<D>(o);
            bool inside = true;
            for (int a = 0; a < D; ++a)
                inside = inside && cell[a] >= 0 && cell[a] < phi.shape.size[a];
            if (!inside || !seeder.within(cell)) continue;
            auto& own = in[std::size_t(o)];
            const int missing = rule.per_cell - int(own.size());
            if (missing > 0) seeder.fill(cell, missing, parts[std::size_t(t)]);
            if (missing >= 0) continue;
            std::vector<std::pair<float, std::uint32_t>> far;
            for (const std::uint32_t q : own) {
                const float h = height_of(q);
                if (h > float(rule.most_radius)) far.push_back({-h, q});
            }
            std::sort(far.begin(), far.end());
            for (std::size_t k = 0; k < std::min(far.size(), std::size_t(-missing)); ++k)
                gone[far[k].second] = 1;
        }
    });
    remove_if(markers, context, [&](std::size_t q) { return gone[q] != 0; });
    append_all(markers, parts);
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template void seed_markers<D>(Markers<D>&, const DenseField<float, D>&, const Transform<D>&, \
                                  const MarkerRule&, std::uint64_t, std::uint32_t, Context&);    \
    template void reseed_markers<D>(Markers<D>&, const DenseField<float, D>&,                    \
                                    const typename Tiles<D>::Ptr&, const MarkerRule&,            \
                                    std::uint64_t, std::uint32_t, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
