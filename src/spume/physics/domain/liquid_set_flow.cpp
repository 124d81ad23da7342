// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/physics/domain/cells_in.h"
#include "spume/physics/domain/liquid_set.h"

// The liquid of a source is a lattice of particles, each at a random place of its part as at the
// start, that moves through the shape with the source's velocity:
//
//   x_q(t) = R(t) (y_q + v t) + c(t)
//
// with the pose R, c of the shape and v as its own frame has it. A particle is made when x_q enters
// the shape; from then on the flow of the grid carries it. So many enter as the velocity carries
// through, whatever cells the shape lies in.

namespace spume {
namespace {

/// Pieces of the way of one substep in which a particle is looked for running into a solid.
constexpr int kPieces = 8;

/// Does what moves with a source run into a solid or wall before it is out?
template <int D>
bool runs_into_solid(const LiquidFlow<D>& flow, const Point<D>& x, const GridDomain<D>& domain,
                     const PlacedSolids<D>& bodies, double dt) {
    const auto* source = flow.source_at(x);
    if (!source) return false;
    const Vec<double, D> way = source->velocity_at(x) * dt;
    const Box<double, D> box = domain.bounds();
    for (int n = 1; n <= kPieces; ++n) {
        const Point<D> y = x + way * (double(n) / kPieces);
        if (!box.contains(y) || bodies.covers(y)) return true;
        if (!flow.source_at(y)) return false;
    }
    return false;
}

}  // namespace

template <int D>
bool LiquidSet<D>::has_flow(double time) const {
    return std::any_of(parts_.begin(), parts_.end(), [&](const Part& part) {
        return (part.says.mode == LiquidMode::kSource || part.says.mode == LiquidMode::kSink) &&
               time >= part.says.start && time < part.says.stop;
    });
}

template <int D>
double LiquidSet<D>::max_source_speed(Interval time, const PlacedSolids<D>& bodies) const {
    double r = 0;
    for (const Part& part : parts_)
        if (part.says.mode == LiquidMode::kSource && part.says.start <= time.end &&
            part.says.stop > time.begin) {
            const PlacedSolids<D> shape{{part.moving.at(time.begin, bodies.placed)}};
            r = std::max(r, length(in_plane<D>(part.says.velocity)) + shape.max_speed());
        }
    return r;
}

template <int D>
LiquidFlow<D> LiquidSet<D>::flow_where(const std::function<bool(const Part&)>& chosen, double time,
                                       double voxel, const PlacedSolids<D>& bodies,
                                       double ahead) const {
    LiquidFlow<D> r;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const Part& part = parts_[i];
        const bool source = part.says.mode == LiquidMode::kSource;
        if ((!source && part.says.mode != LiquidMode::kSink) || !chosen(part)) continue;
        const PlacedBody<D> body = part.moving.at(time, bodies.placed, ahead);
        const double margin = lattice_margin(body.shape(), voxel);
        if (!source) {
            r.sinks.push_back({body, margin});
            continue;
        }
        // The scene gives the velocity for the shape as it is without keys.
        const Vec<double, 3> own =
            part.body.pose().rotation.apply_inverse(lifted(in_plane<D>(part.says.velocity)));
        r.sources.push_back(
            {body, flattened<D>(body.pose().rotation.apply(own)), part.excess, i, margin});
    }
    return r;
}

template <int D>
LiquidFlow<D> LiquidSet<D>::flow_at(double time, double voxel, const PlacedSolids<D>& bodies,
                                    double ahead) const {
    return flow_where(
        [&](const Part& part) { return time >= part.says.start && time < part.says.stop; }, time,
        voxel, bodies, ahead);
}

template <int D>
double LiquidSet<D>::asked(const GridDomain<D>& domain, const PlacedSolids<D>& bodies,
                           Interval time) const {
    const auto open_for = [&](const Part& part) {
        return std::min(time.end, part.says.stop) - std::max(time.begin, part.says.start);
    };
    const LiquidFlow<D> flow = flow_where([&](const Part& part) { return open_for(part) > 0; },
                                          time.end, domain.voxel(), bodies, 0);
    double r = 0;
    for (std::size_t i = 0; i < flow.sources.size(); ++i)
        r += carried_out(flow, i, domain, bodies) * open_for(parts_[flow.sources[i].part]);
    return r;
}

template <int D>
void LiquidSet<D>::let_in(SeededParticles<D>& fresh, const typename LiquidFlow<D>::Source& source,
                          const LiquidFlow<D>& now, const LiquidFlow<D>& before,
                          const GridDomain<D>& domain, const PlacedSolids<D>& bodies, Interval time,
                          const std::function<bool(const Point<D>&)>& is_taken) const {
    const double h = domain.voxel();
    const Box<double, D> box = domain.bounds();
    const auto is_free = [&](const Point<D>& x) { return box.contains(x) && !bodies.covers(x); };
    const auto was = std::find_if(before.sources.begin(), before.sources.end(),
                                  [&](const auto& s) { return s.part == source.part; });
    const bool opens = was == before.sources.end();
    const Pose& pose = source.body.pose();
    const auto to_own = [&](const Vec<double, D>& v) {
        return flattened<D>(pose.rotation.apply_inverse(lifted(v)));
    };
    const Vec<double, D> velocity = to_own(source.velocity), passed = velocity * time.end;
    const BodyShape<D>& shape = source.body.shape();
    Box<int, D> cells;
    for (int a = 0; a < D; ++a) {
        cells.lo[a] = static_cast<int>(std::floor((shape.bounds().lo[a] - passed[a]) / h));
        cells.hi[a] = static_cast<int>(std::floor((shape.bounds().hi[a] - passed[a]) / h)) + 1;
    }
    for_cells<D>(cells, [&](const Index<D>& cell) {
        for (int k = 0; k < (1 << D); ++k) {
            const Point<D> own =
                place_in_part<D>(seed_, cell, k, std::uint32_t(source.part)) * h + passed;
            if (!(shape.distance(own) < 0)) continue;
            const Point<D> x = source.body.to_world(own);
            if (now.source_at(x) != &source || !is_free(x)) continue;
            bool comes = opens ? !is_taken(x) : true;
            if (!opens) {
                const Point<D> y = was->body.to_world(own - velocity * time.length());
                const auto* held = before.source_at(y);
                if (held == &*was && is_free(y)) continue;
                // Another source may have sent its own particles there.
                if (held && held != &*was) comes = !is_taken(x);
            }
            if (comes) fresh.add(x, source.velocity_at(x), source.excess);
        }
    });
}

template <int D>
double LiquidSet<D>::flow(Liquid<D>& liquid, const GridDomain<D>& domain,
                          const PlacedSolids<D>& bodies, Interval time,
                          const std::function<bool(const Point<D>&)>& is_liquid,
                          Context& context) const {
    const double h = domain.voxel();
    const LiquidFlow<D> now = flow_at(time.end, h, bodies);
    if (now.empty()) return 0;
    Stage stage(context, "flow");
    const LiquidFlow<D> before =
        time.length() > 0 ? flow_at(time.begin, h, bodies, time.length()) : LiquidFlow<D>();
    remove_if(liquid, context, [&](std::size_t i) {
        const Point<D>& x = liquid.position[i];
        return now.in_sink(x) || runs_into_solid(now, x, domain, bodies, time.length());
    });
    if (now.sources.empty()) return 0;
    // Parts of cells that hold a particle of a source.
    const auto number_of = [&](const Point<D>& x) {
        const Point<D> u = domain.transform.to_lattice(x);
        return cell_number<D>(floor_index<D>(u)) * 8 + std::uint64_t(part_of<D>(u));
    };
    std::vector<std::uint64_t> taken;
    auto velocity = liquid.velocity.write();
    for (std::size_t i = 0; i < liquid.size(); ++i)
        if (const auto* source = now.source_at(liquid.position[i])) {
            velocity[i] = source->velocity_at(liquid.position[i]);
            taken.push_back(number_of(liquid.position[i]));
        }
    std::sort(taken.begin(), taken.end());
    std::vector<SeededParticles<D>> fresh(now.sources.size());
    std::size_t filled = 0;
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        const auto& source = now.sources[i];
        const bool opens = std::none_of(before.sources.begin(), before.sources.end(),
                                        [&](const auto& s) { return s.part == source.part; });
        let_in(fresh[i], source, now, before, domain, bodies, time, [&](const Point<D>& x) {
            return opens ? is_liquid(x)
                         : std::binary_search(taken.begin(), taken.end(), number_of(x));
        });
        if (opens) filled += fresh[i].positions.size();
    }
    append_all<D>(liquid, fresh);
    return double(filled) * domain.cell_volume() / (1 << D);
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template bool LiquidSet<D>::has_flow(double) const;                                          \
    template double LiquidSet<D>::max_source_speed(Interval, const PlacedSolids<D>&) const;      \
    template LiquidFlow<D> LiquidSet<D>::flow_at(double, double, const PlacedSolids<D>&, double) \
        const;                                                                                   \
    template double LiquidSet<D>::asked(const GridDomain<D>&, const PlacedSolids<D>&, Interval)  \
        const;                                                                                   \
    template double LiquidSet<D>::flow(Liquid<D>&, const GridDomain<D>&, const PlacedSolids<D>&, \
                                       Interval, const std::function<bool(const Point<D>&)>&,    \
                                       Context&) const;
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
