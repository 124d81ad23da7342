// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/liquid_history.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spume/core/error.h"
#include "spume/physics/bulk/continued_velocity.h"

namespace spume {
namespace {

constexpr double kInstant = 1e-9;  // s: times that differ less are the same
constexpr double kSpacing = 0.25;  // of τ: kept between the ends of frames

bool ends_frame(double time, double fps) {
    return std::abs(time * fps - std::round(time * fps)) < 1e-6;
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
    BulkFields<D> before{earlier, {}, continued_velocity(a, tiles, tau, context)};
    const double part = (earlier - a.time) / (b.time - a.time);
    if (part * (b.time - a.time) > kInstant) {
        const FaceField<double, D> later = continued_velocity(b, tiles, tau, context);
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
AeratedBulk<D> aerated(const LiquidHistory<D>& history, const Scene& scene, Context& context) {
    AeratedBulk<D> r;
    r.aeration = aeration(history, scene, context);
    r.now = history.past.back();
    r.parts.push_back({std::make_shared<const CellField<double, D>>(r.aeration), 0, 1});
    return r;
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

#define SPUME_INSTANTIATE(D)                                                                    \
    template void remember<D>(LiquidHistory<D>&, const BulkFields<D>&, const Scene&);           \
    template CellField<double, D> aeration<D>(const LiquidHistory<D>&, const Scene&, Context&); \
    template AeratedBulk<D> aerated<D>(const LiquidHistory<D>&, const Scene&, Context&);        \
    template void describe_history<D>(LiquidHistory<D>&, const Transform<D>&, StateVisitor&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
