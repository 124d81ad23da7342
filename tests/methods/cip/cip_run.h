// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cmath>

#include "method_in_motion.h"
#include "spume/methods/cip/method.h"
#include "walled_box.h"

namespace spume {

/// A closed box from the origin.
inline Scene cip_box(int dimensions, double voxel, const Vec<double, 3>& size) {
    return walled_box("cip", dimensions, voxel, size);
}

inline LiquidBody water_box(const Vec<double, 3>& lo, const Vec<double, 3>& hi) {
    return liquid_box(lo, hi);
}

inline LiquidBody water_ball(const Vec<double, 3>& center, double radius,
                             LiquidMode mode = LiquidMode::kFill) {
    return liquid_ball(center, radius, mode);
}

extern template struct MethodInMotion<cip::Method, 2>;
extern template struct MethodInMotion<cip::Method, 3>;

template <int D>
struct CipRun : MethodInMotion<cip::Method, D> {
    using Base = MethodInMotion<cip::Method, D>;
    using Base::Base, Base::scene, Base::params, Base::context, Base::world, Base::state;

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
    void add_fragment(cip::FragmentKind kind, const Point<D>& x, const Vec<double, D>& v,
                      double volume);
};

extern template struct CipRun<2>;
extern template struct CipRun<3>;

}  // namespace spume
