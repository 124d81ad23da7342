// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/geometry/rigid.h"

#include <cmath>

#include "spume/core/math.h"

namespace spume {
namespace {

/// Sums of 1, x and x xᵀ over a body; hollow parts count negative.
struct Moments {
    double volume = 0;
    Vec<double, 3> first{};
    Tensor second{};

    /// A part with its centre at c and ∫ x x over it, about its own centre, on the diagonal.
    void add(double v, const Vec<double, 3>& c, const Vec<double, 3>& own) {
        volume += v;
        first += c * v;
        for (int i = 0; i < 3; ++i) {
            second[std::size_t(i)] += c * (v * c[i]);
            second[std::size_t(i)][i] += own[i];
        }
    }
    MassMoments finished() const {
        MassMoments r;
        r.volume = volume;
        r.centre = first / volume;
        double trace = 0;
        for (int i = 0; i < 3; ++i)
            trace += second[std::size_t(i)][i] - volume * r.centre[i] * r.centre[i];
        for (int i = 0; i < 3; ++i) {
            r.inertia[std::size_t(i)] = r.centre * (volume * r.centre[i]) - second[std::size_t(i)];
            r.inertia[std::size_t(i)][i] += trace;
        }
        return r;
    }
};

template <int D>
void add_box(Moments& m, double sign, const Vec<double, 3>& size, const Vec<double, 3>& centre) {
    const double v = sign * size[0] * size[1] * (D == 2 ? 1 : size[2]);
    Vec<double, 3> own{};
    for (int a = 0; a < D; ++a) own[a] = v * size[a] * size[a] / 12;
    m.add(v, centre, own);
}

template <int D>
void add_sphere(Moments& m, double sign, double r) {
    const double v = sign * math::kPi * r * r * (D == 2 ? 1 : 4 * r / 3);
    Vec<double, 3> own{};
    for (int a = 0; a < D; ++a) own[a] = v * r * r / (D + 2);
    m.add(v, {}, own);
}

template <int D>
void add_cylinder(Moments& m, double sign, double r, double height, const Vec<double, 3>& centre) {
    if constexpr (D == 2) {
        add_box<2>(m, sign, {2 * r, height, 1}, centre);
    } else {
        const double v = sign * math::kPi * r * r * height;
        m.add(v, centre, {v * r * r / 4, v * height * height / 12, v * r * r / 4});
    }
}

Moments of_mesh(const MeshDistance& mesh, double scale) {
    Moments m;
    mesh.each_triangle([&](Vec<double, 3> a, Vec<double, 3> b, Vec<double, 3> c) {
        a *= scale, b *= scale, c *= scale;
        const Vec<double, 3> sum = a + b + c;
        const double v = dot(a, cross(b, c)) / 6;
        m.volume += v;
        m.first += sum * (v / 4);
        for (int i = 0; i < 3; ++i)
            m.second[std::size_t(i)] += (sum * sum[i] + a * a[i] + b * b[i] + c * c[i]) * (v / 20);
    });
    if (m.volume < 0) {
        m.volume = -m.volume;
        m.first = -m.first;
        for (auto& row : m.second) row = -row;
    }
    return m;
}

template <int D>
Moments of_profile(const LatheProfile& profile) {
    const double turn = D == 3 ? 2 * math::kPi : 2;
    const int a = D == 3 ? 1 : 0;  // r dA is the volume of a ring
    const double x = profile.integral(a + 2, 0) * (D == 3 ? turn / 2 : turn);
    Moments m;
    m.volume = turn * profile.integral(a, 0);
    m.first[1] = turn * profile.integral(a, 1);
    m.second[0][0] = x;
    m.second[1][1] = turn * profile.integral(a, 2);
    if (D == 3) m.second[2][2] = x;
    return m;
}

template <int D>
void add_torus(Moments& m, double sign, double radius, double tube) {
    const double disc = sign * math::kPi * tube * tube, t = tube * tube, r = radius * radius;
    if constexpr (D == 2) {
        m.add(2 * disc, {}, {2 * disc * (t / 4 + r), 2 * disc * t / 4, 0});
    } else {
        const double v = 2 * math::kPi * radius * disc, x = v * (r / 2 + 3 * t / 8);
        m.add(v, {}, {x, v * t / 4, x});
    }
}

template <int D>
Moments of_sums(const typename BodyShape<D>::Sums& sums) {
    Moments m;
    m.volume = sums.volume;
    m.first = lifted(sums.first);
    for (int i = 0; i < D; ++i) m.second[std::size_t(i)] = lifted(sums.second[i]);
    return m;
}

template <int D>
void add_hollow(Moments& m, const BodyParameters& p) {
    // Without a lid the hollow reaches up to the rim.
    const double lid = p.open_top ? 0 : p.shell;
    const Vec<double, 3> centre{0, (p.shell - lid) / 2, 0};
    if (p.kind == BodyKind::kSphere) {
        if (p.radius > p.shell) add_sphere<D>(m, -1, p.radius - p.shell);
    } else if (p.kind == BodyKind::kCylinder) {
        const double r = p.radius - p.shell, height = p.height - p.shell - lid;
        if (r > 0 && height > 0) add_cylinder<D>(m, -1, r, height, centre);
    } else {
        const Vec<double, 3> size{p.size[0] - 2 * p.shell, p.size[1] - p.shell - lid,
                                  p.size[2] - 2 * p.shell};
        if (size[0] > 0 && size[1] > 0 && (D == 2 || size[2] > 0)) add_box<D>(m, -1, size, centre);
    }
}

}  // namespace

template <int D>
MassMoments mass_moments(const BodyShape<D>& shape) {
    const BodyParameters& p = shape.parameters();
    Moments m;
    if (shape.profile()) return of_profile<D>(*shape.profile()).finished();
    if (p.kind == BodyKind::kTorus) {
        add_torus<D>(m, 1, p.radius, p.tube);
        if (p.shell > 0 && p.shell < p.tube) add_torus<D>(m, -1, p.radius, p.tube - p.shell);
        return m.finished();
    }
    if (p.kind == BodyKind::kCapsule || p.kind == BodyKind::kCompound || p.round > 0)
        return of_sums<D>(shape.sampled_sums()).finished();
    if (p.kind == BodyKind::kMesh)
        m = of_mesh(*p.mesh, p.scale);
    else if (p.kind == BodyKind::kSphere)
        add_sphere<D>(m, 1, p.radius);
    else if (p.kind == BodyKind::kCylinder)
        add_cylinder<D>(m, 1, p.radius, p.height, {});
    else
        add_box<D>(m, 1, p.size, {});
    if (p.shell > 0 && p.kind != BodyKind::kMesh) add_hollow<D>(m, p);
    return m.finished();
}

Tensor turned(const Tensor& t, const Rotation& r) {
    Tensor half{}, out{};
    for (std::size_t i = 0; i < 3; ++i) half[i] = r.apply(t[i]);  // T Rᵀ, T symmetric
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k)
                out[std::size_t(i)][j] += r.row[i][k] * half[std::size_t(k)][j];
    return out;
}

Vec<double, 3> times(const Tensor& t, const Vec<double, 3>& x) {
    return {dot(t[0], x), dot(t[1], x), dot(t[2], x)};
}

Tensor inverse(const Tensor& t) {
    const Vec<double, 3> a = cross(t[1], t[2]), b = cross(t[2], t[0]), c = cross(t[0], t[1]);
    const double determinant = dot(t[0], a);
    Tensor r{};
    for (int i = 0; i < 3; ++i) r[std::size_t(i)] = Vec<double, 3>{a[i], b[i], c[i]} / determinant;
    return r;
}

#define SPUME_INSTANTIATE(D) template MassMoments mass_moments<D>(const BodyShape<D>&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
