// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/methods/particle_level_set/surface_step.h"
#include "spume/particles/bubble_size.h"
#include "spume/particles/clamp.h"
#include "spume/surface/level_sample.h"

// Drops smaller than a cell, [G04] §3.3.4 after Foster & Fedkiw. A marker of liquid that the level
// set has lost stands for its part of a cell, h^D / markers a cell. It falls freely; where it meets
// the liquid its volume returns to the level set, around the place.

namespace spume::particle_level_set {
namespace {

/// The surface around a place moves outwards until the liquid has grown by `volume` voxels; `way`
/// remembers how far. False where there is no surface within two cells.
template <int D>
bool give_back(DenseField<float, D>& phi, const SolidLattice<D>& solids, FourFloats place,
               double volume, DenseField<float, D>& way) {
    constexpr int kReach = 2, kSide = 2 * kReach + 1, kCells = D == 2 ? 25 : 125;
    const float* open = solids.open.values.empty() ? nullptr : solids.open.read();
    float* f = phi.write();
    Index<D> around[kCells];
    int count = 0;
    double area = 0;  // Σ δ(φ), voxels
    for (int k = 0; k < kCells; ++k) {
        Index<D> i{};
        bool inside = true;
        for (int a = 0, rest = k; a < D; ++a, rest /= kSide) {
            i[a] = int(place[a]) + rest % kSide - kReach;
            inside = inside && i[a] >= 0 && i[a] < phi.shape.size[a];
        }
        if (!inside) continue;
        around[count++] = i;
        const std::size_t at = phi.shape.at(i);
        area += double(std::max(0.0f, 1 - std::abs(f[at])) * (open ? open[at] : 1));
    }
    if (!(area > 0.5)) return false;
    if (way.values.empty()) way = DenseField<float, D>(phi.shape);
    const float step = float(std::min(volume / area, 0.5));
    for (int k = 0; k < count; ++k) {
        const std::size_t at = phi.shape.at(around[k]);
        f[at] -= step;
        way.write()[at] += step;
        mirror_sample<float, D>(f, phi.shape, around[k]);
    }
    return true;
}

/// Markers go with the surface where it was moved: those of air would push it back.
template <int D>
void follow(Markers<D>& markers, const DenseField<float, D>& phi, const DenseField<float, D>& way,
            const World<D>& w, Context& context) {
    const Clamp<D> clamp = Clamp<D>::closed({Index<D>{}, phi.shape.size});
    Point<D>* x = markers.position.write().data();
    for_range(context.arena, markers.size(), 8192, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q) {
            const Point<D> u = w.lattice.to_lattice(x[q]);
            const float by = way.values[phi.shape.at(clamp.cell(u))];
            if (by == 0) continue;
            const Vec<float, D> g = level_slope<D>(phi.read(), phi.shape, u);
            const float size = std::max(length(g), 0.5f);
            x[q] += (g * (by / size)).template as<double>() * w.lattice.voxel;
        }
    });
}

/// Free fall; walls and solids stop what meets them.
template <int D>
void fall(Drops<D>& drops, const World<D>& w, const PlacedSolids<D>& solids, double dt,
          Context& context) {
    const Vec<double, D> g = w.gravity();
    const Box<double, D> box = w.domain.bounds();
    const double in = 1e-6 * w.domain.voxel();
    auto x = drops.position.write();
    auto v = drops.velocity.write();
    auto age = drops.age.write();
    for_range(context.arena, x.size(), 1024, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q) {
            x[q] += v[q] * dt + g * (dt * dt / 2);
            v[q] += g * dt;
            age[q] += float(dt);
            if (!solids.empty() && solids.distance(x[q]) < 0) {
                const PlacedBody<D>& body = solids.nearest(x[q]);
                const Vec<double, D> n = body.normal(x[q]);
                x[q] -= n * (solids.distance(x[q]) - in);
                v[q] -= n * std::min(0.0, dot(v[q] - body.velocity(x[q]), n));
            }
            for (int a = 0; a < D; ++a)
                for (int side = 0; side < 2; ++side) {
                    const double wall = side ? box.hi[a] - in : box.lo[a] + in;
                    const bool beyond = side ? x[q][a] > wall : x[q][a] < wall;
                    if (!w.domain.wall[a][side] || !beyond) continue;
                    x[q][a] = wall;
                    v[q][a] = side ? std::min(v[q][a], 0.0) : std::max(v[q][a], 0.0);
                }
        }
    });
}

}  // namespace

template <int D>
double drop_volume(const World<D>& w) {
    double cell = 1;
    for (int a = 0; a < D; ++a) cell *= w.lattice.voxel;
    return cell / w.motion.markers.per_cell;
}

template <int D>
void move_drops(State<D>& s, const World<D>& w, const PlacedSolids<D>& solids,
                const SolidLattice<D>& covered, double dt, Context& context) {
    Drops<D>& drops = s.drops;
    if (drops.size() == 0) return;
    Stage stage(context, "drops");
    const Array<Point<D>> before = drops.position;
    fall(drops, w, solids, dt, context);
    const Box<double, D> box = w.domain.bounds();
    const LatticeLanes<D> lanes(w.lattice);
    const double share = 1.0 / w.motion.markers.per_cell;
    std::vector<std::uint8_t> gone(drops.size(), 0);
    DenseField<float, D> way;
    // In the order of memory: what one gives back the next one meets.
    for (std::size_t q = 0; q < drops.size(); ++q) {
        const Point<D> x = drops.position[q];
        if (!box.contains(x)) {
            s.target_volume -= drop_volume(w);
            gone[q] = 1;
            continue;
        }
        const float* f = s.surface.phi.read();
        const LevelSampler<D> level(f, s.surface.phi.shape);
        const float end = level(lanes(x));
        if (!(end < 0)) continue;
        const float begin = level(lanes(before[q]));
        const double part = begin > 0 ? double(begin / (begin - end)) : 0.0;
        gone[q] = give_back(s.surface.phi, covered, lanes(before[q] + (x - before[q]) * part),
                            share, way);
    }
    if (!way.values.empty()) follow(s.surface.markers, s.surface.phi, way, w, context);
    remove_if(drops, context, [&](std::size_t q) { return gone[q] != 0; });
}

template <int D>
void add_drops(State<D>& s, const World<D>& w, const Escaped<D>& escaped) {
    Drops<D> fresh;
    const float radius = float(bubble_radius<D>(drop_volume(w)));
    std::vector<std::size_t> liquid;
    for (std::size_t q = 0; q < escaped.size(); ++q)
        if (escaped.type[q] < 0) liquid.push_back(q);
    resize(fresh, liquid.size());
    auto x = fresh.position.write();
    auto v = fresh.velocity.write();
    auto r = fresh.radius.write();
    for (std::size_t n = 0; n < liquid.size(); ++n) {
        x[n] = escaped.position[liquid[n]];
        v[n] = escaped.velocity[liquid[n]];
        r[n] = radius;
    }
    append(s.drops, fresh);
}

#define SPUME_INSTANTIATE(D)                                                        \
    template double drop_volume<D>(const World<D>&);                                \
    template void move_drops<D>(State<D>&, const World<D>&, const PlacedSolids<D>&, \
                                const SolidLattice<D>&, double, Context&);          \
    template void add_drops<D>(State<D>&, const World<D>&, const Escaped<D>&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::particle_level_set
