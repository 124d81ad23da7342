// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/methods/cip/flow.h"
#include "spume/physics/motion/particle_level_set.h"

namespace spume::cip {
namespace {

/// Voxels that the flow may cross between two corrections: WENO5 stays far from its limit.
constexpr double kMarkerStep = 0.5;
/// Substeps after which cells get the markers that they lack.
constexpr std::uint64_t kReseedEvery = 20;

template <int D>
DenseField<float, D> rounded(const DenseField<double, D>& f, Context& context) {
    DenseField<float, D> r(f.shape);
    float* out = r.write();
    const double* in = f.read();
    for_range(context.arena, f.values.size(), 1 << 14, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) out[i] = float(in[i]);
    });
    return r;
}

/// The box as a lattice whose cell 0 begins at its origin.
template <int D>
Transform<D> lattice_of(const World<D>& w) {
    return {w.voxel(), w.position(Vec<double, D>{})};
}

/// The velocity in floats; ghosts beyond walls go on evenly.
template <int D>
DenseFlow<D> flow_of(const State<D>& s, const World<D>& w, Context& context) {
    DenseFlow<D> flow;
    flow.lattice = lattice_of(w);
    flow.cells = w.cells();
    const bool even[D] = {};
    for (int a = 0; a < D; ++a) {
        flow.u[a] = rounded(s.velocity[a].f, context);
        mirror_ghosts<float, D>(flow.u[a].write(), s.velocity[a].place, even);
    }
    return flow;
}

/// Walls hold them.
template <int D>
void keep_in_box(Markers<D>& markers, const World<D>& w, Context& context) {
    const Box<double, D> box = w.domain.bounds();
    const double in = 1e-6 * w.voxel();
    Point<D>* x = markers.position.write().data();
    for_range(context.arena, markers.size(), 8192, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q)
            for (int a = 0; a < D; ++a)
                x[q][a] = std::clamp(x[q][a], box.lo[a] + in, box.hi[a] - in);
    });
}

/// New markers where there are too few.
template <int D>
void sow(ParticleLevelSet<D>& surface, const State<D>& s, const World<D>& w,
         const SurfaceMotion& how, Context& context) {
    const Transform<D> lattice = lattice_of(w);
    const auto step = std::uint32_t(s.steps);
    if (surface.markers.size() == 0)
        return seed_markers(surface.markers, surface.phi, lattice, how.markers, w.scene.seed, step,
                            context);
    if (s.steps % kReseedEvery != 0) return;
    const auto tiles = Tiles<D>::dense({Index<D>{}, w.cells()}, lattice);
    reseed_markers(surface.markers, surface.phi, tiles, how.markers, w.scene.seed, step, context);
}

}  // namespace

template <int D>
void carry_with_markers(State<D>& s, const World<D>& w, double dt, Context& context) {
    Stage stage(context, "markers");
    const Transform<D> lattice = lattice_of(w);
    SurfaceMotion how;
    how.distance.width = kBand;
    const DenseFlow<D> flow = flow_of(s, w, context);
    ParticleLevelSet<D> surface{rounded(s.phi.f, context), std::move(s.markers)};
    sow(surface, s, w, how, context);
    const double crossed = crossed_voxels(flow, w.voxel(), context) * dt;
    const int parts = std::max(1, int(std::ceil(crossed / kMarkerStep)));
    for (int n = 0; n < parts; ++n) {
        carry_surface(surface, flow, lattice, how, dt / parts, context);
        keep_in_box(surface.markers, w, context);
        settle_surface(surface, lattice, how, context);
    }
    double* f = s.phi.f.write();
    const float* from = surface.phi.read();
    for_range(context.arena, s.phi.f.values.size(), 1 << 14, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) f[i] = double(from[i]);
    });
    difference(s.phi, context);
    s.markers = std::move(surface.markers);
}

template <int D>
void drop_stale_markers(State<D>& s, const DenseField<double, D>& before, const World<D>& w,
                        const PlacedSolids<D>& solids, Context& context) {
    if (s.markers.size() == 0) return;
    const auto wet = [&](const DenseField<double, D>& phi, const Point<D>& x) {
        const Vec<double, D> lattice = w.lattice(x);
        double u[D];
        for (int a = 0; a < D; ++a) u[a] = std::clamp(lattice[a], 0.0, double(w.cells()[a]));
        return sample_dense<double, D>(phi.read(), s.phi.place, u) < 0;
    };
    remove_if(s.markers, context, [&](std::size_t q) {
        const Point<D>& x = s.markers.position[q];
        return wet(before, x) != wet(s.phi.f, x) || solids.distance_within(x, w.voxel()) < 0;
    });
}

#define SPUME_INSTANTIATE(D)                                                                      \
    template void carry_with_markers<D>(State<D>&, const World<D>&, double, Context&);            \
    template void drop_stale_markers<D>(State<D>&, const DenseField<double, D>&, const World<D>&, \
                                        const PlacedSolids<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::cip
