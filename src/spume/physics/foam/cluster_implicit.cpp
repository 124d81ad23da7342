// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/cluster_implicit.h"

namespace spume {
namespace {

constexpr std::size_t kGrain = 1024;
constexpr double kTolerance = 1e-8;  // of the residual against the right side
constexpr int kMostIterations = 500;

/// A spring of the matrix; walls have no other end.
template <int D>
struct Spring {
    std::uint32_t other;
    double stiffness;
    Vec<double, D> normal;
};
constexpr std::uint32_t kWall = ~std::uint32_t(0);

/// Rows as stretches of one array, found once for all iterations.
template <int D>
struct SpringMatrix {
    std::vector<std::uint64_t> first;
    std::vector<Spring<D>> springs;
    std::vector<double> mass;  ///< K/dt
    std::vector<Vec<double, D>> diagonal;

    std::span<const Spring<D>> of(std::size_t i) const {
        return {springs.data() + first[i], springs.data() + first[i + 1]};
    }
};

template <int D>
SpringMatrix<D> spring_matrix(const ClusterShape<D>& shape, const ClusterPairs<D>& pairs,
                              const ClusterBalance<D>& balance, const ClusterLaw<D>& law,
                              const ClusterSurroundings<D>& around, double dt, Context& context) {
    const std::size_t n = shape.position.size();
    const auto coefficients = [&](std::size_t i) -> const RegionCoefficients& {
        return law.region[int(balance.bubbles[i].region)];
    };
    const auto each = [&](std::size_t i, auto&& f) {
        if (!(shape.radius[i] > 0)) return;
        for (const std::uint32_t j : pairs.of(i)) {
            Vec<double, D> normal{};
            const double l = shape.radius[i] + shape.radius[j];
            if (!(shape.radius[j] > 0)) continue;
            const double d = apart(shape, i, j, normal);
            if (!(d < l)) continue;
            const double share =
                0.5 * (1.0 / balance.bubbles[i].touching + 1.0 / balance.bubbles[j].touching);
            const auto stiffness = [&](std::size_t k) {
                return pair_force(d, shape.radius[i], shape.radius[j], share, coefficients(k))
                    .stiffness;
            };
            f(Spring<D>{j, 0.5 * (stiffness(i) + stiffness(j)), normal});
        }
        const RegionCoefficients& k = coefficients(i);
        for_walls(shape.position[i], shape.radius[i], around.solids, around.domain,
                  [&](double, const Vec<double, D>& normal, const Vec<double, D>&) {
                      f(Spring<D>{
                          kWall,
                          (law.wall_repulsion * k.repulsion + law.wall_attraction * k.attraction) /
                              shape.radius[i],
                          normal});
                  });
    };
    SpringMatrix<D> m;
    m.first.assign(n + 1, 0);
    m.mass.assign(n, 1);
    m.diagonal.assign(n, Vec<double, D>::filled(1));
    for_range(context.arena, n, kGrain, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) each(i, [&](const Spring<D>&) { ++m.first[i + 1]; });
    });
    for (std::size_t i = 0; i < n; ++i) m.first[i + 1] += m.first[i];
    m.springs.resize(m.first[n]);
    for_range(context.arena, n, kGrain, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            std::size_t at = m.first[i];
            if (!(shape.radius[i] > 0)) continue;
            m.mass[i] = balance.bubbles[i].friction / dt;
            m.diagonal[i] = Vec<double, D>::filled(m.mass[i]);
            each(i, [&](const Spring<D>& s) {
                m.springs[at++] = s;
                m.diagonal[i] += multiply(s.normal, s.normal) * s.stiffness;
            });
        }
    });
    return m;
}

template <int D>
void apply(const SpringMatrix<D>& m, const std::vector<Vec<double, D>>& x,
           std::vector<Vec<double, D>>& y, Context& context) {
    for_range(context.arena, x.size(), kGrain, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            Vec<double, D> sum = x[i] * m.mass[i];
            for (const Spring<D>& s : m.of(i)) {
                const Vec<double, D> way = s.other == kWall ? x[i] : x[i] - x[s.other];
                sum += s.normal * (s.stiffness * dot(s.normal, way));
            }
            y[i] = sum;
        }
    });
}

template <int D>
double inner(const std::vector<Vec<double, D>>& a, const std::vector<Vec<double, D>>& b,
             Context& context) {
    return reduce(
        context.arena, a.size(), kGrain, 0.0,
        [&](std::size_t begin, std::size_t end) {
            double s = 0;
            for (std::size_t i = begin; i < end; ++i) s += dot(a[i], b[i]);
            return s;
        },
        [](double x, double y) { return x + y; });
}

}  // namespace

template <int D>
int solve_displacements(std::vector<Vec<double, D>>& way, std::span<const Vec<double, D>> force,
                        const ClusterShape<D>& shape, const ClusterPairs<D>& pairs,
                        const ClusterBalance<D>& balance, const ClusterLaw<D>& law,
                        const ClusterSurroundings<D>& around, double dt, Context& context) {
    using Vectors = std::vector<Vec<double, D>>;
    const std::size_t n = shape.position.size();
    const auto matrix = spring_matrix(shape, pairs, balance, law, around, dt, context);
    const auto each = [&](auto&& f) {
        for_range(context.arena, n, kGrain, [&](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) f(i);
        });
    };
    Vectors r(n), z(n), p(n), q(n);
    way.resize(n);
    apply(matrix, way, q, context);
    const Vectors right(force.begin(), force.end());
    const double limit = kTolerance * kTolerance * inner(right, right, context);
    const auto precondition = [&](std::size_t i) {
        for (int a = 0; a < D; ++a) z[i][a] = r[i][a] / matrix.diagonal[i][a];
    };
    each([&](std::size_t i) {
        r[i] = right[i] - q[i];
        precondition(i);
        p[i] = z[i];
    });
    double rz = inner(r, z, context);
    int iteration = 0;
    for (; iteration < kMostIterations && inner(r, r, context) > limit; ++iteration) {
        apply(matrix, p, q, context);
        const double alpha = rz / inner(p, q, context);
        each([&](std::size_t i) {
            way[i] += p[i] * alpha;
            r[i] -= q[i] * alpha;
            precondition(i);
        });
        const double next = inner(r, z, context);
        const double beta = next / rz;
        rz = next;
        each([&](std::size_t i) { p[i] = z[i] + p[i] * beta; });
    }
    return iteration;
}

#define SPUME_INSTANTIATE(D)                                                                   \
    template int solve_displacements<D>(                                                       \
        std::vector<Vec<double, D>>&, std::span<const Vec<double, D>>, const ClusterShape<D>&, \
        const ClusterPairs<D>&, const ClusterBalance<D>&, const ClusterLaw<D>&,                \
        const ClusterSurroundings<D>&, double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
