// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "cip_run.h"

#include "spume/methods/cip/phases.h"
#include "spume/surface/dense_level_set.h"

namespace spume {

template <int D>
void CipRun<D>::renew() {
    difference(state.phi, context);
    state.volume = state.target_volume =
        world.domain.cell_volume() *
        cip::water_size(state.phi, cip::DenseCutCells<D>(), params.smearing, context).volume;
}

namespace {

/// Sum over cells of the phase's part times f(cell).
template <int D, class F>
void for_phase(const CipRun<D>& run, bool water, F&& f) {
    const auto& shape = run.state.phi.f.shape;
    for (std::size_t r = 0; r < shape.rows(); ++r) {
        Index<D> i = shape.row(r);
        for (; i[D - 1] < shape.size[D - 1]; ++i[D - 1]) {
            const std::size_t at = shape.at(i);
            double g[D];
            for (int a = 0; a < D; ++a) g[a] = run.state.phi.g[a].values[at];
            const double distance = scaled_distance<double, D>(run.state.phi.f.values[at], g);
            const double part = smeared_step(water ? -distance : distance, 1.5);
            if (part > 0) f(i, at, part);
        }
    }
}

}  // namespace

template <int D>
Vec<double, D> CipRun<D>::mean_velocity(bool water) const {
    Vec<double, D> sum{};
    double all = 0;
    for_phase(*this, water, [&](const Index<D>&, std::size_t at, double part) {
        for (int a = 0; a < D; ++a) {
            const double* u = state.velocity[a].f.read() + at;
            sum[a] += part * 0.5 * (u[0] + u[state.phi.f.shape.stride(a)]);
        }
        all += part;
    });
    return sum / all;
}

template <int D>
Vec<double, D> CipRun<D>::mean_position(bool water) const {
    Vec<double, D> sum{};
    double all = 0;
    for_phase(*this, water, [&](const Index<D>& i, std::size_t, double part) {
        sum += world.position(i.template as<double>() + Vec<double, D>::filled(0.5)) * part;
        all += part;
    });
    return sum / all;
}

template <int D>
double CipRun<D>::volume(bool water) const {
    double all = 0;
    for_phase(*this, water, [&](const Index<D>&, std::size_t, double part) { all += part; });
    return all * world.domain.cell_volume();
}

template <int D>
double CipRun<D>::kinetic_energy() {
    const cip::Phases<D> phases = cip::phases_of(state.phi, world, params, context);
    double sum = 0;
    for (int a = 0; a < D; ++a)
        for (std::size_t r = 0; r < state.velocity[a].f.shape.rows(); ++r) {
            const auto& shape = state.velocity[a].f.shape;
            const std::size_t at = shape.at(shape.row(r));
            for (std::size_t i = at; i < at + std::size_t(shape.size[D - 1]); ++i) {
                const double u = state.velocity[a].f.values[i];
                sum += 0.5 * u * u / phases.inverse_density_ratio[a].values[i];
            }
        }
    return sum * scene.physics.water_density * world.domain.cell_volume();
}

template <int D>
void CipRun<D>::add_fragment(cip::FragmentKind kind, const Point<D>& x, const Vec<double, D>& v,
                             double volume) {
    cip::Fragments<D> one;
    resize(one, 1);
    one.position.write()[0] = x;
    one.velocity.write()[0] = v;
    one.volume.write()[0] = volume;
    one.kind.write()[0] = kind;
    append(state.fragments, one);
}

template struct MethodInMotion<cip::Method, 2>;
template struct MethodInMotion<cip::Method, 3>;
template struct CipRun<2>;
template struct CipRun<3>;

}  // namespace spume
