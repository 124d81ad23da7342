// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/particle_level_set/surface_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spume/particles/bubble_size.h"
#include "spume/particles/sort.h"
#include "spume/surface/level_sample.h"

namespace spume::particle_level_set {
namespace {

/// The markers' flow and lattice during a substep, for what escapes.
template <int D>
struct Carried {
    const DenseFlow<D>& flow;
    double time;
};

/// Appends markers to the list of those that escaped. `pocket` and `volume` of each, or none.
template <int D>
void add_escaped(State<D>& s, const Markers<D>& gone, const Carried<D>& carried,
                 const std::vector<std::int32_t>& pocket = {},
                 const std::vector<float>& volume = {}) {
    if (gone.size() == 0) return;
    Escaped<D> fresh;
    resize(fresh, gone.size());
    auto x = fresh.position.write();
    auto v = fresh.velocity.write();
    auto r = fresh.radius.write(), share = fresh.volume.write(), t = fresh.time.write();
    auto type = fresh.type.write(), from = fresh.pocket.write();
    for (std::size_t q = 0; q < gone.size(); ++q) {
        x[q] = gone.position[q];
        v[q] = carried.flow.at(carried.flow.lattice.to_lattice(x[q])).template as<double>();
        r[q] = std::abs(gone.seen[q]);
        type[q] = gone.radius[q] > 0 ? 1 : -1;
        t[q] = float(carried.time);
        from[q] = pocket.empty() ? 0 : pocket[q];
        share[q] = volume.empty() ? 0 : volume[q];
    }
    append(s.escaped, fresh);
}

/// Markers of air that lie in pockets, taken out of the set, and which pocket each was in.
template <int D>
Markers<D> take_trapped(Markers<D>& markers, const DenseShape<D>& shape,
                        const Transform<D>& lattice, const TrappedAir<D>& air,
                        std::vector<int>& pocket, Context& context) {
    std::vector<int> in(markers.size(), -1);
    const Clamp<D> clamp = Clamp<D>::closed({Index<D>{}, shape.size});
    for_range(context.arena, markers.size(), 8192, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q) {
            if (markers.radius[q] < 0) continue;
            const auto found =
                air.pocket_of.find(shape.at(clamp.cell(lattice.to_lattice(markers.position[q]))));
            if (found != air.pocket_of.end()) in[q] = found->second;
        }
    });
    std::vector<std::uint32_t> order;
    for (std::size_t q = 0; q < in.size(); ++q)
        if (in[q] >= 0) {
            order.push_back(std::uint32_t(q));
            pocket.push_back(in[q]);
        }
    Markers<D> taken = markers;
    permute(taken, std::span<const std::uint32_t>(order), context);
    remove_if(markers, context, [&](std::size_t q) { return in[q] >= 0; });
    return taken;
}

/// A marker in the middle of each pocket that has none, so that its air is not lost.
template <int D>
void add_missing(Markers<D>& taken, std::vector<int>& pocket, const TrappedAir<D>& air,
                 const World<D>& w) {
    std::vector<std::uint8_t> has(air.pockets.size(), 0);
    for (const int p : pocket) has[std::size_t(p)] = 1;
    for (std::size_t p = 0; p < has.size(); ++p) {
        if (has[p]) continue;
        Markers<D> one;
        resize(one, 1);
        one.position.write()[0] = w.lattice.to_world(air.pockets[p].centre);
        one.radius.write()[0] = float(w.motion.markers.least_radius * w.lattice.voxel);
        one.seen = one.radius;
        append(taken, one);
        pocket.push_back(int(p));
    }
}

/// [G04] §4.2: trapped air turns into liquid; its markers leave with its volume. Returns whether
/// there was any.
template <int D>
bool fill_pockets(State<D>& s, const Params& p, const World<D>& w, const SolidLattice<D>& solids,
                  const Carried<D>& carried, StepReport& report, Context& context) {
    if (p.trapped_air == Pockets::kVoid) return false;
    const TrappedAir<D> air = small_pockets<D>(trapped_air(s, w, solids, context),
                                               s.surface.phi.shape, region_voxels(p, w));
    if (air.pockets.empty()) return false;
    std::vector<int> pocket;
    Markers<D> taken =
        take_trapped(s.surface.markers, s.surface.phi.shape, w.lattice, air, pocket, context);
    double cell = 1;
    for (int a = 0; a < D; ++a) cell *= w.lattice.voxel;
    for (std::size_t k = 0; k < air.pockets.size(); ++k) {
        s.pocket_air += air.pockets[k].volume * cell;
        s.target_volume += air.pockets[k].volume * cell;
        report.events.push_back({BubbleEvent::kHandOver, carried.time,
                                 std::uint64_t(s.pockets) + k + 1, 0,
                                 air.pockets[k].volume * cell});
    }
    fill_trapped_air(s.surface.phi, air, w.motion.distance.width);
    if (p.trapped_air == Pockets::kBubbles) {
        add_missing(taken, pocket, air, w);
        std::vector<int> count(air.pockets.size(), 0);
        for (const int k : pocket) ++count[std::size_t(k)];
        std::vector<std::int32_t> number;
        std::vector<float> share;
        for (const int k : pocket) {
            number.push_back(std::int32_t(s.pockets + k + 1));
            share.push_back(
                float(air.pockets[std::size_t(k)].volume * cell / count[std::size_t(k)]));
        }
        add_escaped(s, taken, carried, number, share);
    }
    s.pockets += std::int64_t(air.pockets.size());
    Redistancing anew = w.motion.distance;
    anew.anew = true;
    anew.exact = false;  // the surface elsewhere stays where it is
    redistance_band(s.surface.phi, anew, context);
    return true;
}

/// Markers stay inside the walls; beyond open sides they are gone.
template <int D>
void keep_in_box(Markers<D>& markers, const GridDomain<D>& domain, Context& context) {
    const Box<double, D> box = domain.bounds();
    const double in = 1e-6 * domain.voxel();
    Point<D>* x = markers.position.write().data();
    for_range(context.arena, markers.size(), 8192, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q)
            for (int a = 0; a < D; ++a) {
                if (domain.wall[a][0]) x[q][a] = std::max(x[q][a], box.lo[a] + in);
                if (domain.wall[a][1]) x[q][a] = std::min(x[q][a], box.hi[a] - in);
            }
    });
    if (domain.closed()) return;
    remove_if(markers, context, [&](std::size_t q) {
        for (int a = 0; a < D; ++a)
            if (!(x[q][a] >= box.lo[a] && x[q][a] <= box.hi[a])) return true;
        return false;
    });
}

/// Thin parts make it converge slowly: at most so many Newton steps.
constexpr int kPasses = 10;

/// The surface moves along its normal until it encloses the volume that it should.
template <int D>
void compensate(State<D>& s, const World<D>& w, const SolidLattice<D>& solids, double target,
                Context& context) {
    DenseField<float, D>& phi = s.surface.phi;
    double cell = 1;
    for (int a = 0; a < D; ++a) cell *= w.lattice.voxel;
    for (int pass = 0; pass < kPasses; ++pass) {
        const double missing = target - volume_of(phi, solids, w, context);
        if (std::abs(missing) < 1e-7 * target) break;
        const float* f = phi.read();
        const float* open = solids.open.values.empty() ? nullptr : solids.open.read();
        const double area = reduce_rows(
            context.arena, phi.shape, 0.0,
            [&](const Index<D>&, std::size_t at, int count) {
                double sum = 0;
                for (std::size_t i = at; i < at + std::size_t(count); ++i)
                    sum += double(std::max(0.0f, 1 - std::abs(f[i])) * (open ? open[i] : 1.0f));
                return sum;
            },
            [](double a, double b) { return a + b; });
        if (!(area > 0)) break;
        const auto way = float(std::clamp(missing / cell / area, -0.1, 0.1));
        for (float& value : phi.values.write()) value -= way;
    }
}

/// What the liquid would lose in a time where the flow squeezes it, m³ (2D: m²): in cells that
/// became liquid since the flow was found, those above all in which two fronts have met.
template <int D>
double squeezed(const State<D>& s, const World<D>& w, const DenseFlow<D>& flow, double dt,
                Context& context) {
    const DensePlace<D> cells = DensePlace<D>::centres(flow.cells);
    const LevelSampler<D> level(s.surface.phi.read(), s.surface.phi.shape);
    const auto ratio = double(w.subgrid());
    const double loss = reduce_rows(
        context.arena, cells.shape, 0.0,
        [&](Index<D> i, std::size_t at, int count) {
            double sum = 0;
            for (int n = 0; n < count; ++n, ++at, ++i[D - 1]) {
                float flux = 0;
                for (int a = 0; a < D; ++a) {
                    const float* u = flow.u[a].read() + at;
                    flux += u[flow.u[a].shape.stride(a)] - u[0];
                }
                if (flux >= 0) continue;
                const Point<D> x = (i.template as<double>() + Point<D>::filled(0.5)) * ratio;
                if (level(lattice_lanes<D>(x)) < 0) sum -= double(flux);
            }
            return sum;
        },
        [](double a, double b) { return a + b; });
    return loss * dt / w.domain.voxel() * w.domain.cell_volume();
}

}  // namespace

template <int D>
TrappedAir<D> trapped_air(const State<D>& s, const World<D>& w, const SolidLattice<D>& solids,
                          Context& context) {
    bool open[D][2];
    for (int a = 0; a < D; ++a)
        for (int side = 0; side < 2; ++side) open[a][side] = !w.domain.wall[a][side];
    return find_trapped_air<D>(s.surface.phi, solids.solid, solids.open, open, context);
}

template <int D>
double region_voxels(const Params& p, const World<D>& w) {
    if (p.region_size == 0) return std::numeric_limits<double>::infinity();
    return bubble_volume<D>(0.5 * p.region_size / w.lattice.voxel);
}

template <int D>
double carry_surface_with_flow(State<D>& s, const Params& p, const World<D>& w, Interval time,
                               Context& context) {
    const DenseFlow<D> flow = dense_flow(s.velocity, w.domain, context);
    const double crossed = crossed_voxels(flow, w.lattice.voxel, context) * time.length();
    const int steps = std::max(1, int(std::ceil(crossed / p.surface_cfl)));
    for (int n = 1;; ++n) {
        const double end = n == steps ? time.end : time.begin + time.length() * n / steps;
        carry_surface(s.surface, flow, w.lattice, w.motion, time.length() / steps, context);
        keep_in_box(s.surface.markers, w.domain, context);
        if (n == steps || squeezed(s, w, flow, time.end - end, context) > p.contact * s.volume)
            return end;
        add_escaped(s, settle_surface(s.surface, w.lattice, w.motion, context), {flow, end});
    }
}

template <int D>
void settle_among_solids(State<D>& s, const Params& p, const World<D>& w,
                         const PlacedSolids<D>& solids, Interval time, std::size_t first,
                         StepReport& report, Context& context) {
    const DenseFlow<D> flow = dense_flow(s.velocity, w.domain, context);
    const SolidLattice<D> covered = solid_lattice(w, solids, context);
    move_drops(s, w, solids, covered, time.length(), context);
    keep_in_box(s.surface.markers, w.domain, context);
    remove_covered(s.surface.markers, solids, context);
    continue_into_solids(s.surface.phi, w, solids, covered, context);
    fill_pockets(s, p, w, covered, {flow, time.end}, report, context);
    add_escaped(s, settle_surface(s.surface, w.lattice, w.motion, context), {flow, time.end});
    const double held = volume_of(s.surface.phi, covered, w, context) + volume_of(s.drops, context);
    add_drops(s, w, first, s.target_volume - held, time.end);
    const double in_drops = volume_of(s.drops, context);
    if (p.compensation) compensate(s, w, covered, s.target_volume - in_drops, context);
    s.volume = volume_of(s.surface.phi, covered, w, context) + in_drops;
}

template <int D>
void begin_frame(State<D>& s, const Params& p, const World<D>& w, const PlacedSolids<D>& solids,
                 double time, Context& context) {
    const auto frame = std::int64_t(std::floor(time * w.scene.time.fps + 1e-6));
    if (frame == s.frame) return;
    s.frame = frame;
    resize(s.escaped, 0);
    Markers<D>& markers = s.surface.markers;
    const Clamp<D> clamp = Clamp<D>::closed({Index<D>{}, w.cells()});
    if (p.reseed_every > 0 && frame % p.reseed_every == 0) {
        reseed_markers(markers, s.surface.phi, w.lattice_tiles, w.motion.markers, w.scene.seed,
                       std::uint32_t(frame), context);
        remove_covered(markers, solids, context);
    }
    sort_by_tile(markers, w.lattice_tiles, context, clamp);
    markers.seen = markers.radius;
}

#define SPUME_INSTANTIATE(D)                                                              \
    template TrappedAir<D> trapped_air<D>(const State<D>&, const World<D>&,               \
                                          const SolidLattice<D>&, Context&);              \
    template double region_voxels<D>(const Params&, const World<D>&);                     \
    template double carry_surface_with_flow<D>(State<D>&, const Params&, const World<D>&, \
                                               Interval, Context&);                       \
    template void settle_among_solids<D>(State<D>&, const Params&, const World<D>&,       \
                                         const PlacedSolids<D>&, Interval, std::size_t,   \
                                         StepReport&, Context&);                          \
    template void begin_frame<D>(State<D>&, const Params&, const World<D>&,               \
                                 const PlacedSolids<D>&, double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::particle_level_set
