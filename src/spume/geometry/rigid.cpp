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

/// A lattice over the surface of a box, with corners and edges.
template <int D>
void box_points(const Vec<double, 3>& size, std::vector<ContactPoint>& out) {
    constexpr int kParts = 4;
    const int depth = D == 2 ? 0 : kParts;
    for (int i = 0; i <= kParts; ++i)
        for (int j = 0; j <= kParts; ++j)
            for (int k = 0; k <= depth; ++k) {
                const auto edge = [](int n) { return n == 0 || n == kParts; };
                if (!edge(i) && !edge(j) && !(D == 3 && edge(k))) continue;
                Vec<double, 3> x{size[0] * (double(i) / kParts - 0.5),
                                 size[1] * (double(j) / kParts - 0.5), 0};
                if (D == 3) x[2] = size[2] * (double(k) / kParts - 0.5);
                out.push_back({x, 0});
            }
}

void cylinder_points(double radius, double height, std::vector<ContactPoint>& out) {
    constexpr int kRound = 32;
    for (int level = -1; level <= 1; ++level)
        for (int i = 0; i < kRound; ++i) {
            const double angle = 2 * math::kPi * i / kRound;
            out.push_back(
                {{radius * math::cos(angle), level * height / 2, radius * math::sin(angle)}, 0});
        }
}

}  // namespace

template <int D>
MassMoments mass_moments(const BodyShape<D>& shape) {
    const BodyParameters& p = shape.parameters();
    Moments m;
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

template <int D>
std::vector<ContactPoint> contact_points(const BodyShape<D>& shape) {
    const BodyParameters& p = shape.parameters();
    std::vector<ContactPoint> r;
    if (p.kind == BodyKind::kSphere) {
        r.push_back({{}, p.radius});
    } else if (p.kind == BodyKind::kCylinder && D == 3) {
        cylinder_points(p.radius, p.height, r);
    } else if (p.kind == BodyKind::kMesh) {
        constexpr std::size_t kMost = 600;
        std::size_t count = 0, n = 0;
        p.mesh->each_triangle([&](auto&&...) { ++count; });
        const std::size_t stride = count / kMost + 1;
        p.mesh->each_triangle(
            [&](const Vec<double, 3>& a, const Vec<double, 3>&, const Vec<double, 3>&) {
                if (n++ % stride == 0) r.push_back({a * p.scale, 0});
            });
    } else {
        box_points<D>(
            p.kind == BodyKind::kCylinder ? Vec<double, 3>{2 * p.radius, p.height, 1} : p.size, r);
    }
    return r;
}

#define SPUME_INSTANTIATE(D)                                   \
    template MassMoments mass_moments<D>(const BodyShape<D>&); \
    template std::vector<ContactPoint> contact_points<D>(const BodyShape<D>&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
