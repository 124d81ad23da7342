// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spume/core/math.h"
#include "spume/methods/cip/fragments.h"

namespace spume::cip {

template <int D>
double fragment_radius(double volume) {
    return D == 2 ? std::sqrt(volume / math::kPi) : math::cbrt(3 * volume / (4 * math::kPi));
}

template <int D>
double fragment_volume(const Fragments<D>& set, FragmentKind kind) {
    double sum = 0;
    for (std::size_t i = 0; i < set.size(); ++i)
        if (set.kind[i] == kind) sum += set.volume[i];
    return sum;
}

namespace {

/// f(place, weight) for the faces across `axis` around a point: multilinear, walls left out.
template <int D, class F>
void for_faces_around(const State<D>& s, int axis, const Vec<double, D>& x, F&& f) {
    const DensePlace<D>& place = s.velocity[axis].place;
    Index<D> base{};
    double part[D];
    for (int a = 0; a < D; ++a) {
        // Faces on a wall stay: what is beside them takes it all.
        const double first = place.on_faces(a) ? 1 : 0,
                     last = place.shape.size[a] - (place.on_faces(a) ? 2 : 1);
        const double u = std::clamp(x[a] - place.offset[a], first, std::max(first, last));
        base[a] = std::min(int(std::floor(u)), std::max(int(last) - 1, int(first)));
        part[a] = std::clamp(u - base[a], 0.0, 1.0);
    }
    const std::size_t at = place.shape.at(base);
    for (int k = 0; k < (1 << D); ++k) {
        double weight = 1;
        std::size_t o = at;
        for (int a = 0; a < D; ++a) {
            weight *= (k >> a & 1) ? part[a] : 1 - part[a];
            o += (k >> a & 1) ? place.shape.stride(a) : 0;
        }
        if (weight > 0) f(o, weight);
    }
}

/// Mass around a point, Σ weight · mass of faces: the least of all axes, kg.
template <int D>
double mass_around(const State<D>& s, const World<D>& w, const FaceDensity<D>& density,
                   const Vec<double, D>& x, int axis) {
    double sum = 0;
    for_faces_around(s, axis, x, [&](std::size_t i, double weight) {
        sum += weight * density(axis, i) * w.domain.cell_volume();
    });
    return sum;
}

}  // namespace

template <int D>
void push_faces(State<D>& s, const World<D>& w, const FaceDensity<D>& density, const Point<D>& x,
                const Vec<double, D>& impulse) {
    for (int a = 0; a < D; ++a) {
        const double mass = mass_around(s, w, density, w.lattice(x), a);
        double* u = s.velocity[a].f.write();
        for_faces_around(s, a, w.lattice(x),
                         [&](std::size_t i, double weight) { u[i] += weight * impulse[a] / mass; });
    }
}

namespace {

/// ∇p/ρ, m/s², sampled where fragments are: it does not jump across the surface, as ∇p does. There
/// is no pressure in solids: faces that they close take the mean of the open ones around.
template <int D>
class PressurePush {
  public:
    PressurePush(const State<D>& s, const Phases<D>& phases, const DenseCutCells<D>& open,
                 const World<D>& w)
        : open_(open),
          pressure_(s.pressure.read()),
          scale_(1 / (w.scene.physics.water_density * w.voxel())) {
        for (int a = 0; a < D; ++a)
            inverse_density_[a] = phases.inverse_density_ratio[a].read(),
            place_[a] = s.velocity[a].place;
    }
    /// The component along an axis at a lattice coordinate; beside walls as before them.
    double at(int axis, const double (&x)[D]) const {
        const DensePlace<D>& place = place_[axis];
        Index<D> base{};
        double w[D];
        for (int a = 0; a < D; ++a) {
            const double u = x[a] - place.offset[a];
            base[a] = int(std::floor(u));
            w[a] = u - base[a];
        }
        double c[1 << D], sum = 0;
        bool closed[1 << D];
        int count = 0;  // of open ones
        for (int k = 0; k < (1 << D); ++k) {
            Index<D> i = base;
            for (int a = 0; a < D; ++a) {
                const int first = a == axis ? 1 : 0;
                i[a] = std::clamp(i[a] + (k >> a & 1), first, place.cells[a] - 1);
            }
            const std::size_t face = place.shape.at(i), before = face - place.shape.stride(axis);
            closed[k] = open_.solid && !(open_.kind.values[face] == kFluidCell &&
                                         open_.kind.values[before] == kFluidCell &&
                                         open_.area[axis].values[face] > 0);
            if (closed[k]) continue;
            c[k] = scale_ * inverse_density_[axis][face] * (pressure_[face] - pressure_[before]);
            sum += c[k];
            ++count;
        }
        for (int k = 0; k < (1 << D); ++k)
            if (closed[k]) c[k] = count > 0 ? sum / count : 0;
        for (int a = 0; a < D; ++a)
            for (int k = 0; k < (1 << (D - a - 1)); ++k)
                c[k] = c[2 * k] + (c[2 * k + 1] - c[2 * k]) * w[a];
        return c[0];
    }

  private:
    const DenseCutCells<D>& open_;
    const double *pressure_, *inverse_density_[D];
    DensePlace<D> place_[D];
    double scale_;
};

/// Fluid around a fragment.
template <int D>
struct Surroundings {
    Vec<double, D> velocity{}, acceleration{};
};
template <int D>
Surroundings<D> around(const State<D>& s, const World<D>& w, const PressurePush<D>& push,
                       const Point<D>& x) {
    Surroundings<D> r;
    const Vec<double, D> lattice = w.lattice(x);
    double u[D];
    for (int a = 0; a < D; ++a) u[a] = std::clamp(lattice[a], 0.0, double(w.cells()[a]));
    for (int a = 0; a < D; ++a) {
        const DensePlace<D>& place = s.velocity[a].place;
        r.velocity[a] = sample_dense<double, D>(s.velocity[a].f.read(), place, u);
        r.acceleration[a] = push.at(a, u);
    }
    return r;
}

/// Overlapping fragments of one kind become one: volume, momentum and centre are kept. Fragments
/// are looked at along x, the older one stays.
template <int D>
void merge(Fragments<D>& set, Context& context) {
    const std::size_t n = set.size();
    if (n < 2) return;
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
        const double x = set.position[i][0], y = set.position[j][0];
        return x != y ? x < y : set.id[i] < set.id[j];
    });
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i)
        largest = std::max(largest, fragment_radius<D>(set.volume[i]));
    std::vector<std::uint8_t> gone(n, 0);
    auto x = set.position.write();
    auto v = set.velocity.write();
    auto volume = set.volume.write();
    for (std::size_t m = 0; m < n; ++m) {
        const std::size_t i = order[m];
        if (gone[i] || set.kind[i] == kFoam) continue;
        for (std::size_t k = m + 1; k < n; ++k) {
            const std::size_t j = order[k];
            const double radius = fragment_radius<D>(volume[i]);
            if (x[j][0] - x[i][0] > radius + largest) break;
            if (gone[j] || set.kind[j] != set.kind[i]) continue;
            if (length(x[j] - x[i]) > radius + fragment_radius<D>(volume[j])) continue;
            const double sum = volume[i] + volume[j];
            x[i] = (x[i] * volume[i] + x[j] * volume[j]) / sum;
            v[i] = (v[i] * volume[i] + v[j] * volume[j]) / sum;
            volume[i] = sum;
            largest = std::max(largest, fragment_radius<D>(sum));
            gone[j] = 1;
        }
    }
    remove_if(set, context, [&](std::size_t i) { return gone[i] != 0; });
}

/// Stays in the box and out of solids, without the velocity that would take it there.
template <int D>
void keep_inside(Point<D>& x, Vec<double, D>& v, const World<D>& w, const PlacedSolids<D>& solids) {
    const Box<double, D> box = w.domain.bounds();
    const double margin = 1e-6 * w.voxel();
    for (int a = 0; a < D; ++a) {
        if (x[a] < box.lo[a] + margin) x[a] = box.lo[a] + margin, v[a] = std::max(v[a], 0.0);
        if (x[a] > box.hi[a] - margin) x[a] = box.hi[a] - margin, v[a] = std::min(v[a], 0.0);
    }
    if (solids.empty() || solids.distance_within(x, w.voxel()) >= 0) return;
    const PlacedBody<D>& body = solids.nearest(x);
    const Vec<double, D> n = body.normal(x), relative = v - body.velocity(x);
    x += n * (margin - body.distance(x));
    if (dot(relative, n) < 0) v -= n * dot(relative, n);
}

}  // namespace

template <int D>
void move_fragments(State<D>& s, const Phases<D>& phases, const World<D>& w, const Params& p,
                    const SolidGeometry<D>& solids, double dt, Context& context) {
    if (s.fragments.size() == 0) return;
    Stage stage(context, "fragments");
    const Physics& physics = w.scene.physics;
    const PressurePush<D> push(s, phases, solids.dense, w);
    auto x = s.fragments.position.write();
    auto v = s.fragments.velocity.write();
    auto age = s.fragments.age.write();
    const Vec<double, D> gravity = w.gravity();
    const FaceDensity<D> density = [&](int a, std::size_t face) {
        return physics.water_density / phases.inverse_density_ratio[a].values[face];
    };
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Surroundings<D> near = around(s, w, push, x[i]);
        age[i] += float(dt);
        if (s.fragments.kind[i] == kFoam) {  // floats with the surface
            v[i] = near.velocity;
            x[i] += v[i] * dt;
            keep_inside(x[i], v[i], w, solids.bodies);
            continue;
        }
        const bool drop = s.fragments.kind[i] == kDrop;
        const double outside = drop ? physics.air_density : physics.water_density;
        const double volume = s.fragments.volume[i], radius = fragment_radius<D>(volume);
        const double own = volume * (drop ? physics.water_density : physics.air_density);
        const double mass = own + p.added_mass * outside * volume;
        const Vec<double, D> gradient = near.acceleration * outside;
        const Vec<double, D> driving = gravity * own - gradient * volume;
        // Implicit for both: w = v − u, |w| (1 + c |w|) = |b|, c with 1/m + 1/M.
        const double area = D == 2 ? 2 * radius : math::kPi * radius * radius;
        const double k = dt * 0.5 * p.drag * outside * area;
        double fluid = mass_around(s, w, density, w.lattice(x[i]), 0);
        for (int a = 1; a < D; ++a)
            fluid = std::min(fluid, mass_around(s, w, density, w.lattice(x[i]), a));
        const double c = k * (1 / mass + 1 / fluid);
        const Vec<double, D> b = v[i] - near.velocity + driving * (dt / mass);
        const Vec<double, D> relative = b * (2 / (1 + std::sqrt(1 + 4 * c * length(b))));
        const Vec<double, D> drag = relative * (-k * length(relative));
        const Vec<double, D> next = v[i] + (driving * dt + drag) / mass;
        // More than the fluid around it weighs cannot be lifted at once: that would be unstable.
        const double lifted_part = std::min(1.0, 0.5 * fluid / (outside * volume));
        push_faces(s, w, density, x[i],
                   (gradient - gravity * outside) * (volume * dt * lifted_part) - drag);
        v[i] = next;
        x[i] += v[i] * dt;
        keep_inside(x[i], v[i], w, solids.bodies);
    }
    merge(s.fragments, context);
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template double fragment_radius<D>(double);                                                  \
    template double fragment_volume<D>(const Fragments<D>&, FragmentKind);                       \
    template void push_faces<D>(State<D>&, const World<D>&, const FaceDensity<D>&,               \
                                const Point<D>&, const Vec<double, D>&);                         \
    template void move_fragments<D>(State<D>&, const Phases<D>&, const World<D>&, const Params&, \
                                    const SolidGeometry<D>&, double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::cip
