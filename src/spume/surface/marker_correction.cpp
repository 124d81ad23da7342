// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/marker_correction.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spume/surface/level_sample.h"

namespace spume {
namespace {

constexpr std::size_t kGrain = 8192;

/// What a marker would make of a cell.
struct Correction {
    std::size_t place;
    float value;
    bool air;  ///< by a marker of air

    friend bool operator<(const Correction& a, const Correction& b) {
        return a.place != b.place ? a.place < b.place : a.air != b.air ? b.air : a.value < b.value;
    }
};

/// The cells around a marker that its ball reaches farther than the level set does.
template <int D>
void add_corrections(const float* phi, const DenseShape<D>& shape, const SampleCorner& corner,
                     float radius, std::vector<Correction>& list) {
    const bool air = radius > 0;
    for (int k = 0; k < (1 << D); ++k) {
        Index<D> i{};
        float square = 0;
        bool inside = true;
        for (int a = 0; a < D; ++a) {
            i[a] = corner.lowest[a] + (k >> a & 1);
            const float d = corner.weight[a] - float(k >> a & 1);
            square += d * d;
            inside = inside && i[a] >= 0 && i[a] < shape.size[a];
        }
        if (!inside) continue;
        const std::size_t at = shape.at(i);
        const float ball = std::abs(radius) - std::sqrt(square), value = air ? ball : -ball;
        if (air ? value > phi[at] : value < phi[at]) list.push_back({at, value, air});
    }
}

}  // namespace

template <int D>
std::size_t correct_with_markers(DenseField<float, D>& phi, const Markers<D>& markers,
                                 const Transform<D>& lattice, const MarkerRule& rule,
                                 Context& context) {
    Stage stage(context, "correct_surface");
    const float* f = phi.read();
    const DenseShape<D>& shape = phi.shape;
    const std::size_t n = markers.size(), pieces = (n + kGrain - 1) / kGrain;
    std::vector<std::vector<Correction>> found(pieces);
    std::vector<std::size_t> count(pieces, 0);
    const Point<D>* x = markers.position.data();
    const float* radius = markers.radius.data();
    const float to_voxels = float(1 / lattice.voxel), from = float(rule.correct_from);
    // Those of the largest radius were at least as far away, and the surface moves with them: they
    // have not crossed it. Five of six are.
    const float far = rule.least_radius < rule.most_radius ? float(rule.most_radius) * (1 - 1e-5f)
                                                           : std::numeric_limits<float>::infinity();
    const LevelSampler<D> level(f, shape);
    const LatticeLanes<D> lanes(lattice);
    for_range(context.arena, n, kGrain, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q) {
            const float r = radius[q] * to_voxels;
            if (std::abs(r) >= far) continue;
            const SampleCorner corner = level.around(lanes(x[q]));
            const float height = level.at(corner), depth = r > 0 ? -height : height;
            if (!(depth > from * std::abs(r))) continue;
            ++count[b / kGrain];
            if (rule.leaves(depth, r)) continue;
            add_corrections<D>(f, shape, corner, r, found[b / kGrain]);
        }
    });
    std::vector<Correction> all;
    std::size_t wrong = 0;
    for (std::size_t p = 0; p < pieces; ++p) {
        all.insert(all.end(), found[p].begin(), found[p].end());
        wrong += count[p];
    }
    if (all.empty()) return wrong;
    std::sort(all.begin(), all.end());
    float* out = phi.write();
    for (std::size_t k = 0; k < all.size();) {
        const std::size_t at = all[k].place;
        float plus = out[at], minus = out[at];
        for (; k < all.size() && all[k].place == at; ++k)
            if (all[k].air)
                plus = std::max(plus, all[k].value);
            else
                minus = std::min(minus, all[k].value);
        out[at] = std::abs(plus) <= std::abs(minus) ? plus : minus;
        mirror_sample<float, D>(out, shape, index_at(shape, at));
    }
    return wrong;
}

template <int D>
Markers<D> adjust_markers(Markers<D>& markers, const DenseField<float, D>& phi,
                          const Transform<D>& lattice, const MarkerRule& rule, Context& context) {
    Stage stage(context, "adjust_markers");
    const float* f = phi.read();
    const std::size_t n = markers.size();
    const Point<D>* x = markers.position.data();
    float* radius = markers.radius.write().data();
    const float voxel = float(lattice.voxel), to_voxels = float(1 / lattice.voxel);
    const float least = float(rule.least_radius), most = float(rule.most_radius);
    std::vector<std::uint8_t> leaves(n);
    const LevelSampler<D> level(f, phi.shape);
    const LatticeLanes<D> lanes(lattice);
    for_range(context.arena, n, kGrain, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q) {
            const float sign = radius[q] > 0 ? 1.0f : -1.0f;
            const float height = sign * level(lanes(x[q]));
            leaves[q] = rule.leaves(-height, radius[q] * to_voxels);
            const float r = sign * std::min(std::max(height, least), most) * voxel;
            radius[q] = leaves[q] ? radius[q] : r;
        }
    });
    std::vector<std::uint32_t> gone;
    for (std::size_t q = 0; q < n; ++q)
        if (leaves[q]) gone.push_back(std::uint32_t(q));
    if (gone.empty()) return {};
    Markers<D> r = markers;
    permute(r, std::span<const std::uint32_t>(gone), context);
    remove_if(markers, context, [&](std::size_t q) { return leaves[q] != 0; });
    return r;
}

#define SPUME_INSTANTIATE(D)                                                               \
    template std::size_t correct_with_markers<D>(DenseField<float, D>&, const Markers<D>&, \
                                                 const Transform<D>&, const MarkerRule&,   \
                                                 Context&);                                \
    template Markers<D> adjust_markers<D>(Markers<D>&, const DenseField<float, D>&,        \
                                          const Transform<D>&, const MarkerRule&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
