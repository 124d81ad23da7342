// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spume/core/error.h"
#include "spume/methods/passive/passive.h"
#include "spume/particles/bubble_size.h"
#include "spume/physics/motion/move_bubbles.h"

// Bubbles that come and go.

namespace spume::passive {
namespace {

/// As emitters and entrainment know bubbles.
template <int D>
Bubbles<D> plain_bubbles(const ClusterBubbles<D>& set, bool sources) {
    Bubbles<D> r;
    resize(r, set.size());
    r.position = set.position;
    r.velocity = set.velocity;
    r.id = set.id;
    r.next_id = set.next_id;
    if (sources) r.source = set.source.empty() ? Array<std::int32_t>(set.size(), 0) : set.source;
    auto radius = r.radius.write();
    for (std::size_t i = 0; i < set.size(); ++i) radius[i] = float(set.radius[i]);
    return r;
}

/// Bubbles that were appended to `all` since it had `old`.
template <int D>
ClusterBubbles<D> newest(const Bubbles<D>& all, std::size_t old) {
    ClusterBubbles<D> r;
    const std::size_t n = all.size() - old;
    resize(r, n);
    if (!all.source.empty()) r.source.resize(n);
    auto x = r.position.write();
    auto radius = r.radius.write();
    auto source = r.source.write();
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = all.position[old + i];
        radius[i] = all.radius[old + i];
        if (!source.empty()) source[i] = all.source[old + i];
    }
    return r;
}

/// φ_b in cells: each bubble's volume in the cell that holds it.
template <int D>
CellField<double, D> air_fraction(const ClusterBubbles<D>& set, const World<D>& w, Context& ctx) {
    if (set.size() == 0) return {};
    CellField<double, D> r(w.tiles_at(set.position.read(), 0, ctx));
    double* out = r.write();
    TileCursor<D> cursor(*r.tiles());
    for (std::size_t i = 0; i < set.size(); ++i)
        out[cursor(floor_index<D>(w.domain.transform.to_lattice(set.position[i])))] +=
            bubble_volume<D>(set.radius[i]) / w.domain.cell_volume();
    return r;
}

template <int D>
ClusterBubbles<D> by_hand(const World<D>& w, Interval time) {
    std::vector<std::size_t> due;
    for (std::size_t k = 0; k < w.hand.size(); ++k)
        if (w.hand[k].time >= time.begin && w.hand[k].time < time.end) due.push_back(k);
    ClusterBubbles<D> r;
    resize(r, due.size());
    auto x = r.position.write();
    auto radius = r.radius.write();
    auto id = r.id.write();
    for (std::size_t i = 0; i < due.size(); ++i) {
        x[i] = in_plane<D>(w.hand[due[i]].position);
        radius[i] = w.hand[due[i]].radius;
        id[i] = kFirstHandId + due[i];
    }
    return r;
}

template <class T>
const Array<T>* column(const PointSet& set, const char* name) {
    const NamedColumn* found = set.find(name);
    return found ? std::get_if<Array<T>>(&found->values) : nullptr;
}

/// Markers of a frame that escaped in the time after `begin` up to `end`, of one sign.
template <int D>
void collect(const BulkPoints::Part& part, Interval time, int sign, EscapedMarkers<D>& out) {
    const PointSet& set = *part.points;
    const auto* velocity = column<Vec<float, 3>>(set, "v");
    const auto *radius = column<float>(set, "pscale"), *when = column<float>(set, "time");
    const auto* volume = column<float>(set, "volume");
    const auto *type = column<std::int32_t>(set, "type"),
               *pocket = column<std::int32_t>(set, "pocket");
    const auto* id = column<std::uint64_t>(set, "id");
    if (!radius || !type || !id)
        throw UserError(
            fmt::format("the points \"escaped\" of frame {} of the bulk lack {}", part.frame,
                        !radius ? "pscale"
                        : !type ? "type"
                                : "id"),
            "simulate the liquid again, or set passive.markers.bubbles and drops to "
            "false");
    for (std::size_t i = 0; i < set.size(); ++i) {
        if ((*type)[i] != sign) continue;
        typename EscapedMarkers<D>::Marker m;
        // Times are floats: rounding may not take one out of its frame.
        m.time = when ? double((*when)[i]) + part.later : part.time.end;
        m.time = std::clamp(m.time, part.time.begin + 1e-6 * part.time.length(), part.time.end);
        if (!(m.time > time.begin && m.time <= time.end)) continue;
        m.position = in_plane<D>(set.position[i]);
        if (velocity) m.velocity = in_plane<D>((*velocity)[i].template as<double>());
        m.radius = double((*radius)[i]);
        m.id = (*id)[i];
        if (pocket) m.pocket = (*pocket)[i];
        if (volume) m.volume = double((*volume)[i]);
        if (m.radius > 0 && std::isfinite(m.radius + m.position[0] + m.position[1]))
            out.markers.push_back(m);
    }
}

template <int D>
std::vector<Point<D>> places(const EscapedMarkers<D>& markers) {
    std::vector<Point<D>> x;
    for (const auto& m : markers.markers) x.push_back(m.position);
    return x;
}

/// Bubbles and drops from markers of the bulk.
template <int D>
ClusterBubbles<D> from_markers(State<D>& s, const Params& p, World<D>& w, Interval time,
                               Context& ctx) {
    EscapedMarkers<D> air, liquid;
    for (const BulkPoints::Part& part : w.escaped.during(time)) {
        if (p.markers.bubbles) collect<D>(part, time, 1, air);
        if (p.markers.drops) collect<D>(part, time, -1, liquid);
    }
    const Box<double, D> box = w.domain.bounds();
    const auto outside = [&](const auto& m) { return !box.contains(m.position); };
    std::erase_if(air.markers, outside);
    std::erase_if(liquid.markers, outside);
    Drops<D> drops;
    resize(drops, liquid.markers.size());
    auto x = drops.position.write();
    auto v = drops.velocity.write();
    auto radius = drops.radius.write();
    for (std::size_t i = 0; i < drops.size(); ++i) {
        const auto& m = liquid.markers[i];
        const double dt = time.end - m.time;
        x[i] = m.position + m.velocity * dt + w.gravity() * (dt * dt / 2);
        v[i] = m.velocity + w.gravity() * dt;
        radius[i] = float(m.radius);
    }
    append(s.drops, drops);
    if (air.markers.empty()) return {};
    const auto tiles = w.tiles_at(places(air), 3, ctx);
    const auto phi = w.bulk->on(tiles, time.end, ctx).phi;
    MarkerBubbles<D> made = bubbles_from_markers(std::move(air), phi, w.markers, s.carried, ctx);
    auto y = made.bubbles.position.write();
    for (std::size_t i = 0; i < made.bubbles.size(); ++i)
        y[i] += made.bubbles.velocity[i] * (time.end - made.born[i]);
    return std::move(made.bubbles);
}

/// They know where they are against the surface, and move with the liquid.
template <int D>
void settle(ClusterBubbles<D>& fresh, const World<D>& w, double time, Context& ctx) {
    if (fresh.size() == 0) return;
    const auto tiles = w.tiles_at(fresh.position.read(), 1, ctx);
    const auto fields = w.bulk->on(tiles, time, ctx);
    auto velocity = fresh.velocity.write();
    auto region = fresh.region.write();
    TileCursor<D> cursor(*tiles);
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        velocity[i] = sample(fields.velocity, cursor, fresh.position[i]);
        region[i] = std::uint8_t(surface_region(sample(fields.phi, cursor, fresh.position[i]),
                                                fresh.radius[i], w.law.threshold));
    }
}

}  // namespace

template <int D>
std::vector<std::string> add_bubbles(State<D>& s, const Params& p, World<D>& w, Interval time,
                                     Context& ctx) {
    std::vector<std::string> said;
    const auto add = [&](ClusterBubbles<D> fresh, bool own_ids = false) {
        const Box<double, D> box = w.domain.bounds();
        const auto x = fresh.position;
        remove_if(fresh, ctx, [&](std::size_t i) { return !box.contains(x[i]); });
        settle(fresh, w, time.end, ctx);
        double volume = 0;
        for (const double r : fresh.radius) volume += bubble_volume<D>(r);
        s.emitted += volume;
        const std::size_t old = s.bubbles.size();
        const std::uint64_t next = s.bubbles.next_id;
        append(s.bubbles, fresh);
        if (own_ids && fresh.size() > 0) {
            std::copy(fresh.id.begin(), fresh.id.end(), s.bubbles.id.write().begin() + old);
            s.bubbles.next_id = next;
        }
        return volume;
    };
    const PlacedSolids<D> solids = w.solids.at(time.end);
    const bool sources = w.scene.output.source;
    s.seeded += add(from_markers(s, p, w, time, ctx));
    s.seeded += add(by_hand(w, time), true);
    if (w.entrainment) {
        Bubbles<D> all = plain_bubbles(s.bubbles, sources);
        const auto fraction = air_fraction(s.bubbles, w, ctx);
        said = entrain(all, fraction, *w.bulk, solids, *w.entrainment, time, ctx).warnings;
        s.seeded += add(newest(all, s.bubbles.size()));
    }
    if (w.emitters.size() > 0) {
        Bubbles<D> all = plain_bubbles(s.bubbles, sources);
        auto born = w.emitters.emit(all, s.owed, time, w.domain, solids, ctx);
        s.seeded += born.seeded;
        add(newest(all, s.bubbles.size()));
        for (std::string& words : born.warnings) said.push_back(std::move(words));
    }
    return said;
}

template <int D>
void pop_listed(State<D>& s, const World<D>& w, double time, Context& ctx) {
    if (w.pops.empty() || s.bubbles.size() == 0) return;
    std::vector<std::uint8_t> pops(s.bubbles.size());
    for (std::size_t i = 0; i < pops.size(); ++i)
        for (const ListedIds& listed : w.pops)
            if (time >= listed.start)
                for (const IdRange& ids : listed.ids) pops[i] |= ids.holds(s.bubbles.id[i]);
    for (std::size_t i = 0; i < pops.size(); ++i)
        if (pops[i]) s.burst += bubble_volume<D>(s.bubbles.radius[i]);
    s.popped +=
        std::int64_t(remove_if(s.bubbles, ctx, [&](std::size_t i) { return pops[i] != 0; }));
}

template <int D>
void remove_bubbles(State<D>& s, const World<D>& w, double time, Context& ctx) {
    const Box<double, D> box = w.domain.bounds();
    const auto gone = [&](std::size_t i) {
        const Point<D>& x = s.bubbles.position[i];
        const std::uint64_t id = s.bubbles.id[i];
        for (int a = 0; a < D; ++a)
            if ((!w.domain.wall[a][0] && x[a] < box.lo[a]) ||
                (!w.domain.wall[a][1] && !(x[a] < box.hi[a])))
                return true;
        for (const RemovalRule<D>& rule : w.removals) {
            if (!rule.due(time)) continue;
            if (rule.body && rule.body->distance(x) < 0) return true;
            for (const IdRange& ids : rule.ids)
                if (ids.holds(id)) return true;
        }
        if (w.entrainment)
            for (const PlacedBody<D>& zone : w.entrainment->kills)
                if (zone.distance(x) < 0) return true;
        return false;
    };
    std::vector<std::uint8_t> flag(s.bubbles.size());
    double volume = 0;
    for_range(ctx.arena, flag.size(), 1024, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) flag[i] = gone(i);
    });
    for (std::size_t i = 0; i < flag.size(); ++i)
        if (flag[i]) volume += bubble_volume<D>(s.bubbles.radius[i]);
    s.left += volume;
    remove_if(s.bubbles, ctx, [&](std::size_t i) { return flag[i] != 0; });
}

#define SPUME_INSTANTIATE(D)                                                              \
    template std::vector<std::string> add_bubbles<D>(State<D>&, const Params&, World<D>&, \
                                                     Interval, Context&);                 \
    template void pop_listed<D>(State<D>&, const World<D>&, double, Context&);            \
    template void remove_bubbles<D>(State<D>&, const World<D>&, double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::passive
