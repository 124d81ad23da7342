// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/domain/force.h"

#include <algorithm>
#include <cmath>

#include "spume/physics/domain/grid_domain.h"

namespace spume {

template <int D>
ForceSet<D>::ForceSet(const std::vector<Force>& forces, const MeshLibrary& meshes) {
    for (const Force& f : forces) forces_.push_back({f, placed<D>(f.region, meshes)});
}

template <int D>
Vec<double, D> ForceSet<D>::acceleration(const Point<D>& x, double time) const {
    Vec<double, D> sum{};
    for (const Part& part : forces_) {
        const Force& f = part.says;
        if (time < f.start || time >= f.stop) continue;
        if (!f.everywhere && part.region.distance(x) >= 0) continue;
        if (f.kind == ForceKind::kUniform) {
            sum += in_plane<D>(f.acceleration);
            continue;
        }
        // In 2D the axis stands on the plane; in 3D it is the region's own y axis.
        const Vec<double, 3> body = part.region.pose().to_body(lifted(x));
        const Vec<double, 3> axis = D == 2 ? Vec<double, 3>{0, 0, 1} : Vec<double, 3>{0, 1, 0};
        const Vec<double, 3> arm = body - axis * dot(axis, body);
        const double distance = length(arm);
        if (distance == 0) continue;
        const double size = f.strength * std::min(distance / f.radius, f.radius / distance);
        sum +=
            flattened<D>(part.region.pose().rotation.apply(cross(axis, arm) * (size / distance)));
    }
    return sum;
}

template <int D>
void ForceSet<D>::add(FaceField<double, D>& velocity, Interval time, Context& context) const {
    if (empty()) return;
    Stage stage(context, "forces");
    const double dt = time.length(), middle = time.begin + dt / 2;
    for (int a = 0; a < D; ++a) {
        double* u = velocity.write(a);
        for_faces(context.arena, *velocity.tiles(), a, [&](int t, int o) {
            u[std::size_t(t) * kTileCells<D> + std::size_t(o)] +=
                dt * acceleration(velocity.position(a, t, o), middle)[a];
        });
    }
}

template <int D>
void ForceSet<D>::add(FaceField<double, D>& water, Bubbles<D>& bubbles, Interval time,
                      Context& context) const {
    if (empty()) return;
    add(water, time, context);
    Stage stage(context, "forces");
    const double dt = time.length(), middle = time.begin + dt / 2;
    auto velocity = bubbles.velocity.write();
    for_range(context.arena, bubbles.size(), 1024, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q)
            velocity[q] += acceleration(bubbles.position[q], middle) * dt;
    });
}

template <int D>
void add_gravity(FaceField<double, D>& velocity, const Vec<double, D>& gravity, double dt,
                 Context& context) {
    for (int a = 0; a < D; ++a) {
        double* u = velocity.write(a);
        const double add = gravity[a] * dt;
        for_values(context.arena, *velocity.tiles(), [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) u[i] += add;
        });
    }
}

template void add_gravity<2>(FaceField<double, 2>&, const Vec<double, 2>&, double, Context&);
template void add_gravity<3>(FaceField<double, 3>&, const Vec<double, 3>&, double, Context&);
template class ForceSet<2>;
template class ForceSet<3>;

}  // namespace spume
