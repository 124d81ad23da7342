// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/liquid_history.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spume/grid/topology.h"
#include "spume/surface/extrapolate.h"

namespace spume {
namespace {

constexpr double kInstant = 1e-9;  // s: times that differ less are the same
constexpr double kSpacing = 0.25;  // of τ: kept between the ends of frames
constexpr double kMostLayers = 64;

bool ends_frame(double time, double fps) {
    return std::abs(time * fps - std::round(time * fps)) < 1e-6;
}

/// Fastest face that touches liquid, m/s, and which faces do.
template <int D>
double mark_liquid_faces(const BulkFields<D>& f, FaceField<std::uint8_t, D>& valid,
                         Context& context) {
    const double* phi = f.phi.read();
    const Tiles<D>& tiles = *f.phi.tiles();
    double fastest = 0;
    for (int a = 0; a < D; ++a) {
        std::uint8_t* out = valid.write(a);
        const double* u = f.velocity.read(a);
        // The zero tile is no liquid: its Φ is 0.
        for_face_pairs(context.arena, tiles, a, [&](std::size_t above, std::size_t below) {
            const bool upper = tiles.is_active(int(above / kTileCells<D>)) && phi[above] < 0;
            const bool lower = tiles.is_active(int(below / kTileCells<D>)) && phi[below] < 0;
            out[above] = std::uint8_t(upper || lower);
        });
        fastest = std::max(
            fastest, reduce_tiles(
                         context.arena, tiles, 0.0,
                         [&](int t) {
                             double most = 0;
                             for (std::size_t i = std::size_t(t) * kTileCells<D>;
                                  i < std::size_t(t + 1) * kTileCells<D>; ++i)
                                 if (out[i]) most = std::max(most, std::abs(u[i]));
                             return most;
                         },
                         [](double x, double y) { return std::max(x, y); }));
    }
    return fastest;
}

/// The velocity of that time on tiles of another, continued as far as the liquid moves in τ.
template <int D>
FaceField<double, D> continued(const BulkFields<D>& f, const typename Tiles<D>::Ptr& to, double tau,
                               Context& context) {
    const auto& from = f.phi.tiles();
    FaceField<std::uint8_t, D> valid(from, 0);
    const double fastest = mark_liquid_faces(f, valid, context);
    std::vector<Index<D>> keys(from->active_keys().begin(), from->active_keys().end());
    keys.insert(keys.end(), to->active_keys().begin(), to->active_keys().end());
    const auto both = Tiles<D>::build(std::move(keys), to->transform());
    FaceField<double, D> u = carried(f.velocity, both, 0.0, context);
    FaceField<std::uint8_t, D> known = carried(valid, both, std::uint8_t(0), context);
    const double layers = std::ceil(fastest * tau / to->voxel()) + 2;
    extrapolate(u, known, int(std::min(layers, kMostLayers)), context);
    return carried(u, to, 0.0, context);
}

}  // namespace

template <int D>
void remember(LiquidHistory<D>& history, const BulkFields<D>& now, const Scene& scene) {
    const double tau = scene.aeration.tau, fps = scene.time.fps;
    auto& past = history.past;
    if (past.size() > 1) {
        const BulkFields<D>&last = past.back(), &before = past[past.size() - 2];
        const bool near = last.time - before.time < kSpacing * tau;
        if (near && !ends_frame(last.time, fps)) past.pop_back();
    }
    past.push_back(now);
    while (past.size() > 2 && past[1].time <= now.time - tau + kInstant) past.erase(past.begin());
}

template <int D>
CellField<double, D> aeration(const LiquidHistory<D>& history, const Scene& scene,
                              Context& context) {
    SPUME_CHECK(!history.past.empty());
    const auto& past = history.past;
    const BulkFields<D>& now = past.back();
    const double tau = scene.aeration.tau, earlier = now.time - tau;
    const auto& tiles = now.phi.tiles();
    if (past.front().time > earlier + kInstant) return CellField<double, D>(tiles);
    std::size_t next = 1;
    while (next + 1 < past.size() && past[next].time < earlier) ++next;
    const BulkFields<D>&a = past[next - 1], &b = past[next];
    BulkFields<D> before{earlier, {}, continued(a, tiles, tau, context)};
    const double part = (earlier - a.time) / (b.time - a.time);
    if (part * (b.time - a.time) > kInstant) {
        const FaceField<double, D> later = continued(b, tiles, tau, context);
        for (int axis = 0; axis < D; ++axis) {
            double* u = before.velocity.write(axis);
            const double* v = later.read(axis);
            for_values(context.arena, *tiles, [=](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) u[i] += part * (v[i] - u[i]);
            });
        }
    }
    return aeration(now, before, aeration_law(scene), context);
}

template <int D>
void describe_history(LiquidHistory<D>& history, const Transform<D>& transform,
                      StateVisitor& visitor) {
    std::uint64_t count = history.past.size();
    visitor("past.count", count);
    if (visitor.loading()) history.past.assign(std::size_t(count), {});
    for (std::size_t i = 0; i < history.past.size(); ++i) {
        BulkFields<D>& f = history.past[i];
        const std::string name = fmt::format("past.{}", i);
        visitor(name + ".time", f.time);
        std::vector<Index<D>> keys;
        if (f.phi.tiles())
            keys.assign(f.phi.tiles()->active_keys().begin(), f.phi.tiles()->active_keys().end());
        visitor(name + ".keys", keys);
        if (visitor.loading()) {
            const auto tiles = Tiles<D>::build(keys, transform);
            f.phi = CellField<double, D>(tiles);
            f.velocity = FaceField<double, D>(tiles);
        }
        visitor(name + ".phi", f.phi.values());
        for (int a = 0; a < D; ++a)
            visitor(name + ".velocity." + "xyz"[a], f.velocity.component(a));
    }
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template void remember<D>(LiquidHistory<D>&, const BulkFields<D>&, const Scene&);            \
    template CellField<double, D> aeration<D>(const LiquidHistory<D>&, const Scene&, Context&); \
    template void describe_history<D>(LiquidHistory<D>&, const Transform<D>&, StateVisitor&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
