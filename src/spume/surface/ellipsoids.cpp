// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/ellipsoids.h"

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"
#include "spume/particles/neighbours.h"

namespace spume {
namespace {

constexpr std::size_t kGrain = 1024;

template <int D>
struct Axes {
    double value[D];          ///< eigenvalues
    Vec<double, D> along[D];  ///< unit vectors
};

/// Eigenvectors of a symmetric matrix by Jacobi rotations: square roots only, so equal bits
/// everywhere.
template <int D>
Axes<D> axes_of(double (&m)[D][D]) {
    Axes<D> r;
    for (int i = 0; i < D; ++i) r.along[i] = Vec<double, D>::unit(i);
    for (int sweep = 0; sweep < 12; ++sweep)
        for (int p = 0; p < D; ++p)
            for (int q = p + 1; q < D; ++q) {
                if (std::abs(m[p][q]) <= 1e-14 * (std::abs(m[p][p]) + std::abs(m[q][q]))) continue;
                const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
                const double t =
                    (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < D; ++k) {
                    const double a = m[k][p], b = m[k][q];
                    m[k][p] = c * a - s * b;
                    m[k][q] = s * a + c * b;
                }
                for (int k = 0; k < D; ++k) {
                    const double a = m[p][k], b = m[q][k];
                    m[p][k] = c * a - s * b;
                    m[q][k] = s * a + c * b;
                }
                const Vec<double, D> a = r.along[p], b = r.along[q];
                r.along[p] = a * c - b * s;
                r.along[q] = a * s + b * c;
            }
    for (int i = 0; i < D; ++i) r.value[i] = m[i][i];
    return r;
}

/// Weighted mean and covariance of the particles around one, itself included, [YT13] Eqs. 9–11.
template <int D>
struct Neighbourhood {
    Point<D> mean{};
    double covariance[D][D] = {};

    Neighbourhood(std::span<const Point<D>> positions, std::size_t i,
                  std::span<const std::uint32_t> around, double reach) {
        // Moments about the particle itself, which weighs one: near the mean, so no digits are
        // lost.
        double sum = 1;
        Vec<double, D> first{};
        double second[D][D] = {};
        const double scale = 1 / (reach * reach);
        for (const std::uint32_t j : around) {
            const Vec<double, D> d = positions[j] - positions[i];
            const double squared = dot(d, d) * scale;
            const double w = std::max(1 - squared * std::sqrt(squared), 0.0);
            sum += w;
            for (int a = 0; a < D; ++a) {
                const double weighed = w * d[a];
                first[a] += weighed;
                for (int b = a; b < D; ++b) second[a][b] += weighed * d[b];
            }
        }
        first = first / sum;
        mean = positions[i] + first;
        for (int a = 0; a < D; ++a)
            for (int b = a; b < D; ++b)
                covariance[a][b] = covariance[b][a] = second[a][b] / sum - first[a] * first[b];
    }
};

template <int D>
Ellipsoid<D> ball(const Point<D>& centre, double radius) {
    Ellipsoid<D> r;
    r.centre = centre;
    r.longest = r.shortest = radius;
    for (int a = 0; a < D; ++a) r.g[a] = Vec<double, D>::unit(a, 1 / radius);
    return r;
}

/// [YT13] Eqs. 14–16: eigenvalues clamped to the longest over k_r, here scaled so that the
/// ellipsoid keeps the volume of the ball.
template <int D>
Ellipsoid<D> stretched(const Point<D>& centre, double radius, Axes<D> axes, double stretch) {
    const double most = *std::max_element(axes.value, axes.value + D);
    if (!(most > 0)) return ball<D>(centre, radius);
    double product = 1;
    for (double& v : axes.value) {
        v = std::max(v / most, 1 / stretch);
        product *= v;
    }
    const double scale = radius / (D == 2 ? std::sqrt(product) : math::cbrt(product));
    Ellipsoid<D> r;
    r.centre = centre;
    r.longest = scale;
    r.shortest = scale;
    for (int k = 0; k < D; ++k) {
        const double axis = scale * axes.value[k];
        r.shortest = std::min(r.shortest, axis);
        for (int a = 0; a < D; ++a) r.g[a] += axes.along[k] * (axes.along[k][a] / axis);
    }
    return r;
}

}  // namespace

template <int D>
std::vector<Ellipsoid<D>> ellipsoids_of(std::span<const Point<D>> positions,
                                        std::span<const double> radii, double reach,
                                        const Anisotropy& anisotropy, Context& context) {
    const NeighbourLists lists = find_neighbours<D>(positions, reach, context);
    Stage stage(context, "surface");
    std::vector<Ellipsoid<D>> result(positions.size());
    constexpr std::size_t kFew = D == 2 ? 9 : 25;
    for_range(context.arena, positions.size(), kGrain, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            const auto around = lists.of(i);
            if (around.size() < kFew) {
                result[i] = ball<D>(positions[i], anisotropy.lonely * radii[i]);
                continue;
            }
            Neighbourhood<D> here(positions, i, around, reach);
            const Point<D> centre =
                positions[i] + (here.mean - positions[i]) * anisotropy.smoothing;
            result[i] =
                stretched<D>(centre, radii[i], axes_of<D>(here.covariance), anisotropy.stretch);
        }
    });
    return result;
}

#define SPUME_INSTANTIATE(D)                             \
    template std::vector<Ellipsoid<D>> ellipsoids_of<D>( \
        std::span<const Point<D>>, std::span<const double>, double, const Anisotropy&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
