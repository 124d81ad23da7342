// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include "spume/geometry/solid_shape.h"

namespace spume {

template <int D>
BodyShape<D> BodyShape<D>::at(double time) const {
    if (!deforms()) return *this;
    BodyShape r = *this;
    if constexpr (D == 3) {
        BodyParameters& p = r.parameters_;
        p.moment = p.sequence->at((time - p.begin) * p.frame_rate, p.repeats);
        if (p.moment == parameters_.moment) return r;
        p.mesh = p.moment->mesh;
        r.bounds_ = p.mesh->bounds();
        r.bounds_.lo *= p.scale, r.bounds_.hi *= p.scale;
        if (p.mesh->closed() && p.shell == 0)
            r.volume_ = std::abs(p.mesh->enclosed_volume()) * p.scale * p.scale * p.scale;
        r.thickness_ = r.thinnest();
    }
    return r;
}

template <int D>
Vec<double, D> BodyShape<D>::velocity(const Point<D>& x) const {
    if constexpr (D == 3) {
        const BodyParameters& p = parameters_;
        if (p.moment && p.moment->fastest > 0)
            return p.moment->velocity_at(p.mesh->nearest_point(x / p.scale)) *
                   (p.scale * p.frame_rate);
    }
    return {};
}

template <int D>
double BodyShape<D>::max_speed() const {
    const BodyParameters& p = parameters_;
    return p.moment ? p.moment->fastest * p.scale * p.frame_rate : 0.0;
}

template <int D>
Point<D> BodyShape<D>::carried(const BodyShape& before, const Point<D>& x) const {
    if constexpr (D == 3) {
        const BodyParameters &was = before.parameters_, &now = parameters_;
        if (was.moment == now.moment) return x;
        const MeshPoint near = was.mesh->nearest_point(x / was.scale);
        if (was.moment->triangles != now.moment->triangles) {  // straight on to the next frame
            const double frames = double(now.sequence->frames());
            double way = now.moment->place - was.moment->place;
            if (now.repeats) way -= frames * std::round(way / frames);
            return x + was.moment->velocity_at(near) * (way * was.scale);
        }
        const auto corner = [&](int k) {
            return now.moment->position[std::size_t(near.vertex[k])];
        };
        const Vec<double, 3> turned = cross(corner(1) - corner(0), corner(2) - corner(0));
        const double area = length(turned);
        Vec<double, 3> off = x / was.scale - was.moment->position_at(near);
        // What lies straight above the surface stays there when it turns.
        if (area > 0) off += (turned / area - near.normal) * dot(off, near.normal);
        return (now.moment->position_at(near) + off) * now.scale;
    }
    return x;
}

#define SPUME_INSTANTIATE(D)                                               \
    template BodyShape<D> BodyShape<D>::at(double) const;                  \
    template Vec<double, D> BodyShape<D>::velocity(const Point<D>&) const; \
    template double BodyShape<D>::max_speed() const;                       \
    template Point<D> BodyShape<D>::carried(const BodyShape<D>&, const Point<D>&) const;
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
