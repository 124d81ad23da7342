// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cmath>

#include "spume/methods/cip/cip.h"

namespace spume {

/// A closed box from the origin.
inline Scene cip_box(int dimensions, double voxel, const Vec<double, 3>& size) {
    Scene s;
    s.method = "cip";
    s.domain.dimensions = dimensions;
    s.domain.voxel = voxel;
    s.domain.lower = {0, 0, 0};
    s.domain.upper = size;
    s.domain.sides = s.domain.bottom = s.domain.top = Border::kWall;
    s.time.fps = 60;
    return s;
}

inline LiquidBody water_box(const Vec<double, 3>& lo, const Vec<double, 3>& hi) {
    LiquidBody l;
    l.shape.kind = ShapeKind::kBox;
    l.shape.center = (lo + hi) / 2.0;
    l.shape.size = hi - lo;
    return l;
}

inline LiquidBody water_ball(const Vec<double, 3>& center, double radius,
                             LiquidMode mode = LiquidMode::kFill) {
    LiquidBody l;
    l.shape.kind = ShapeKind::kSphere;
    l.shape.center = center;
    l.shape.radius = radius;
    l.mode = mode;
    return l;
}

/// The whole method on a scene written in code, with the session's substeps but without retry.
template <int D>
struct CipRun {
    Scene scene;
    cip::Params params;
    Context context;
    cip::World<D> world;
    cip::State<D> state;
    StepReport last;
    double fastest = 0;
    int steps = 0;
    bool failed = false;

    CipRun(Scene s, const cip::Params& p, int threads = 1);
    ~CipRun();

    template <class Each>
    bool until(double end, Each&& each) {
        while (!failed && state.time < end * (1 - 1e-12)) {
            one_step(next_time(end));
            each();
        }
        return !failed;
    }
    bool until(double end) {
        return until(end, [] {});
    }
    bool one_step(double end);
    double next_time(double end);

    double h() const { return world.voxel(); }
    /// Mean of f(position, velocity at the centre) over cells with water (else air), by φ.
    Vec<double, D> mean_velocity(bool water) const;
    Vec<double, D> mean_position(bool water) const;
    double volume(bool water) const;
    double kinetic_energy();  ///< of both, J (2D: J/m)
    StateSummary totals() { return cip::summary(state, params, world, context); }
    /// Sets φ, in metres, from a formula; derivatives, volume and target follow.
    template <class F>
    void set_surface(F&& f) {
        double* phi = state.phi.f.write();
        for_rows(context.arena, state.phi.f.shape, [&](Index<D> i, std::size_t at, int count) {
            for (int n = 0; n < count; ++n, ++at, ++i[D - 1])
                phi[at] =
                    f(world.position(i.template as<double>() + Vec<double, D>::filled(0.5))) / h();
        });
        renew();
    }
    void renew();
};

extern template struct CipRun<2>;
extern template struct CipRun<3>;

}  // namespace spume
