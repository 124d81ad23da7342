// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/guided/replay.h"

#include <algorithm>
#include <vector>

#include "spume/particles/bubble_size.h"
#include "spume/physics/foam/foam_motion.h"
#include "spume/physics/foam/grid_surface.h"
#include "spume/physics/motion/move_bubbles.h"

namespace spume::guided {
namespace {

template <int D>
bool is_own(const State<D>& s, std::uint64_t id) {
    return std::binary_search(s.taken.begin(), s.taken.end(), id);
}

/// Air of those of `some` that are not in `others`; both by ascending id. What is denser than
/// `densest` is no air.
template <int D>
double air_beyond(const Bubbles<D>& some, const Bubbles<D>& others, double densest) {
    double sum = 0;
    std::size_t k = 0;
    for (std::size_t q = 0; q < some.size(); ++q) {
        while (k < others.size() && others.id[k] < some.id[q]) ++k;
        const bool there = k < others.size() && others.id[k] == some.id[q];
        if (!there && double(some.density[q]) <= densest)
            sum += bubble_volume<D>(double(some.radius[q]));
    }
    return sum;
}

template <int D>
void sort_by_id(Bubbles<D>& bubbles, Context& context) {
    std::vector<std::uint32_t> order(bubbles.size());
    for (std::size_t q = 0; q < order.size(); ++q) order[q] = std::uint32_t(q);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return bubbles.id[a] < bubbles.id[b]; });
    permute(bubbles, order, context);
}

/// Those of `some` that are not in `others`; both by ascending id.
template <int D>
Bubbles<D> beyond(Bubbles<D> some, const Bubbles<D>& others, Context& context) {
    const auto id = some.id;
    remove_if(some, context, [&](std::size_t q) {
        return std::binary_search(others.id.begin(), others.id.end(), id[q]);
    });
    return some;
}

/// Bubbles that the earlier run has no more came up there, if the surface is near: they are put on
/// it, to become foam now. The others are removed; returns their air.
template <int D>
double raise(Bubbles<D>& bubbles, const World<D>& w, double time, Context& context) {
    if (bubbles.size() == 0) return 0;
    const FoamSetting<D> setting(w.scene, w.domain, w.foam_cfl);
    const TransitionLaw law = setting.transitions();
    const auto tiles = tiles_of_surface<D>(bubbles.position.read(), setting, 1.0, context);
    auto fields = w.bulk->on(tiles, time, context);
    const SurfaceFields<D> as_surface{time, std::move(fields.phi), std::move(fields.velocity)};
    const GridSurface<D> surface(as_surface, as_surface);
    const auto reader = surface.reader();
    const double all = total_volume(bubbles, context, law.densest);
    auto x = bubbles.position.write();
    std::vector<std::uint8_t> lost(bubbles.size());
    for (std::size_t q = 0; q < bubbles.size(); ++q)
        lost[q] = double(bubbles.density[q]) > law.densest ||
                  !project_on_surface<D>(x[q], *reader, time, law.reach,
                                         0.01 * double(bubbles.radius[q]));
    remove_if(bubbles, context, [&](std::size_t q) { return lost[q] != 0; });
    return all - total_volume(bubbles, context, law.densest);
}

}  // namespace

template <int D>
void replay_bubbles(State<D>& s, World<D>& w, const PlacedSolids<D>& solids, Interval time,
                    Context& context) {
    const double densest = w.scene.physics.water_density;
    Bubbles<D> before = s.bubbles, own = s.bubbles;
    remove_if(before, context, [&](std::size_t q) { return is_own(s, s.bubbles.id[q]); });
    remove_if(own, context, [&](std::size_t q) { return !is_own(s, s.bubbles.id[q]); });
    sort_by_id(before, context);
    const auto departure =
        Departure<D>::of(w.solids.at(time.begin), own.position, w.domain.voxel());
    advance(own, time.length(), context);
    keep_out(own, solids, w.domain, context, &departure);
    s.left += remove_escaped(own, w.domain, context, densest);

    Bubbles<D> now = w.cached->at(time.end, s.taken.read());
    const double came = air_beyond(now, before, densest);
    s.emitted += came;
    s.seeded += came;
    Bubbles<D> ended = beyond(before, now, context);
    s.left += raise(ended, w, time.end, context);
    now.next_id = s.bubbles.next_id;
    s.bubbles = std::move(now);
    adopt(s.bubbles, ended);
    adopt(s.bubbles, own);
}

template <int D>
void remember_taken(State<D>& s, const Array<std::uint64_t>& before) {
    std::vector<std::uint64_t> was(before.begin(), before.end()),
        is(s.bubbles.id.begin(), s.bubbles.id.end()), gone, all(s.taken.begin(), s.taken.end());
    std::sort(was.begin(), was.end());
    std::sort(is.begin(), is.end());
    std::set_difference(was.begin(), was.end(), is.begin(), is.end(), std::back_inserter(gone));
    if (gone.empty()) return;
    std::vector<std::uint64_t> merged;
    std::set_union(all.begin(), all.end(), gone.begin(), gone.end(), std::back_inserter(merged));
    s.taken.resize_discard(merged.size());
    std::copy(merged.begin(), merged.end(), s.taken.write().begin());
}

template <int D>
void restore_velocities(State<D>& s, const Array<Vec<double, D>>& told, Context& context) {
    auto v = s.bubbles.velocity.write();
    for_range(context.arena, s.bubbles.size(), 4096, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q)
            if (!is_own(s, s.bubbles.id[q])) v[q] = told[q];
    });
}

#define SPUME_INSTANTIATE(D)                                                                \
    template void replay_bubbles<D>(State<D>&, World<D>&, const PlacedSolids<D>&, Interval, \
                                    Context&);                                              \
    template void remember_taken<D>(State<D>&, const Array<std::uint64_t>&);                \
    template void restore_velocities<D>(State<D>&, const Array<Vec<double, D>>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::guided
