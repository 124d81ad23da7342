// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/solve/lattice_multigrid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spume/core/math.h"
#include "spume/solve/dense.h"

namespace spume {
namespace {

constexpr std::size_t kPiece = 4096;
/// At most so many unknowns are solved for directly.
constexpr int kDirect = 64;
/// Eigenvalues of D⁻¹A below this part of the largest are left to coarser levels.
constexpr double kSmoothed = 0.12;
/// A matrix whose eigenvalues all are above this part of the largest needs no coarser level.
constexpr double kEasy = 0.3;
constexpr int kDegree = 2, kDegreeOfLast = 4;
/// Coarser levels cost about so many iterations with the diagonal alone. Every so many of these it
/// is asked whether that many more will be needed.
constexpr int kPlain = 24, kAskEvery = 8;

using Vector = std::vector<double>;

template <class F>
void for_all(std::size_t n, Context& context, F&& f) {
    for_range(context.arena, n, kPiece, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) f(i);
    });
}
template <class F>
double sum(std::size_t n, Context& context, F&& f) {
    return reduce(
        context.arena, n, kPiece, 0.0,
        [&](std::size_t b, std::size_t e) {
            double s = 0;
            for (std::size_t i = b; i < e; ++i) s += f(i);
            return s;
        },
        [](double a, double b) { return a + b; });
}

/// Iterations to come until the residual has fallen to the part `wanted` of what it is, if it goes
/// on as in those done, in which it fell to the part `reached`.
double expected_more(double reached, int done, double wanted) {
    return reached < 1 ? done * math::log(wanted) / math::log(reached)
                       : std::numeric_limits<double>::infinity();
}

}  // namespace

struct LatticeMultigrid::Level {
    SparseMatrix<float> matrix, up, down;  ///< P from the next level, and its transpose
    std::vector<float> inverse_diagonal;
    double least = 0, most = 2;  ///< eigenvalues of D⁻¹A that smoothing is made for
    bool easy = false;           ///< all eigenvalues are between these
    DenseMatrix direct;
    std::vector<float> b, x, r, step;

    /// Bounds by Gershgorin's circles.
    void measure(Context& context) {
        const std::size_t n = std::size_t(matrix.rows());
        inverse_diagonal.assign(n, 0);
        std::vector<double> off(n);
        for_all(n, context, [&](std::size_t i) {
            double own = 0;
            matrix.each_in_row(int(i), [&](std::int32_t j, float a) {
                (std::size_t(j) == i ? own : off[i]) += std::size_t(j) == i ? a : std::abs(a);
            });
            inverse_diagonal[i] = float(1 / own);
            off[i] /= own;
        });
        const double largest = *std::max_element(off.begin(), off.end());
        most = 1 + largest;
        easy = 1 - largest > kEasy * most;
        least = easy ? 1 - largest : kSmoothed * most;
        for (std::vector<float>* v : {&b, &x, &r, &step}) v->assign(n, 0);
    }
    void invert() {
        const std::size_t n = std::size_t(matrix.rows());
        DenseMatrix dense(n);
        for (std::size_t i = 0; i < n; ++i)
            matrix.each_in_row(int(i),
                               [&](std::int32_t j, float a) { dense(i, std::size_t(j)) += a; });
        for (std::size_t i = 0; i < n; ++i)  // float rounding must not spoil the symmetry
            for (std::size_t j = 0; j < i; ++j)
                dense(i, j) = dense(j, i) = (dense(i, j) + dense(j, i)) / 2;
        direct = pseudo_inverse(dense);
    }
    void solve_directly() {
        for (std::size_t i = 0; i < direct.size; ++i) {
            double s = 0;
            for (std::size_t j = 0; j < direct.size; ++j) s += direct(i, j) * double(b[j]);
            x[i] = float(s);
        }
    }
    /// x += p(D⁻¹A) D⁻¹ (b − A x), p the Chebyshev polynomial of least deviation between the two
    /// eigenvalues. `fresh`: x is zero.
    void smooth(int degree, bool fresh, Context& context) {
        const double middle = (most + least) / 2, reach = (most - least) / 2;
        const std::size_t n = x.size();
        double rho = 1;
        for (int k = 0; k < degree; ++k) {
            double keep = 0, add = 1 / middle;
            if (k > 0) {
                const double before = rho;
                rho = 1 / (2 * middle / reach - before);
                keep = rho * before;
                add = 2 * rho / reach;
            } else {
                rho = reach / middle;
            }
            if (fresh && k == 0) {
                for_all(n, context,
                        [&](std::size_t i) { step[i] = float(add) * inverse_diagonal[i] * b[i]; });
            } else {
                matrix.for_products(x.data(), context, [&](std::size_t i, double ax) {
                    step[i] = float(keep) * step[i] +
                              float(add) * inverse_diagonal[i] * float(double(b[i]) - ax);
                });
            }
            for_all(n, context,
                    [&](std::size_t i) { x[i] = fresh && k == 0 ? step[i] : x[i] + step[i]; });
        }
    }
};

LatticeMultigrid::LatticeMultigrid(StrainLattice lattice, Context& context)
    : lattice_(std::move(lattice)), matrix_(lattice_.matrix(context)), diagonal_(lattice_.mass) {
    for (const FaceStrain& s : lattice_.strains)
        for (int i = 0; i < s.terms(); ++i)
            if (s.term[i] >= 0) diagonal_[std::size_t(s.term[i])] += s.weight;
}

LatticeMultigrid::~LatticeMultigrid() = default;

void LatticeMultigrid::make_levels(Context& context) {
    StrainLattice fine = lattice_;
    levels_.push_back(std::make_unique<Level>());
    levels_.back()->matrix = in_float(matrix_);
    for (;;) {
        Level& level = *levels_.back();
        level.measure(context);
        if (level.easy) return;
        if (level.matrix.rows() <= kDirect) return level.invert();
        CoarseStrains next = coarsened(fine, context);
        // Scattered faces do not become fewer.
        if (next.lattice.places.size() >= fine.places.size()) return;
        level.up = std::move(next.interpolation);
        level.down = transposed(level.up);
        levels_.push_back(std::make_unique<Level>());
        levels_.back()->matrix = in_float(next.lattice.matrix(context));
        fine = std::move(next.lattice);
    }
}

void LatticeMultigrid::cycle(std::size_t number, Context& context) {
    Level& level = *levels_[number];
    if (level.direct.size > 0) return level.solve_directly();
    if (number + 1 == levels_.size()) return level.smooth(kDegreeOfLast, true, context);
    Level& next = *levels_[number + 1];
    level.smooth(kDegree, true, context);
    level.matrix.for_products(level.x.data(), context, [&](std::size_t i, double ax) {
        level.r[i] = float(double(level.b[i]) - ax);
    });
    level.down.for_products(level.r.data(), context,
                            [&](std::size_t i, double v) { next.b[i] = float(v); });
    cycle(number + 1, context);
    level.up.for_products(next.x.data(), context,
                          [&](std::size_t i, double v) { level.x[i] += float(v); });
    level.smooth(kDegree, false, context);
}

SolveReport LatticeMultigrid::solve(const std::vector<double>& b, std::vector<double>& u,
                                    double tolerance, int max_iterations, Context& context) {
    SolveReport report;
    report.unknowns = matrix_.rows();
    const std::size_t n = b.size();
    if (n == 0) return report;
    const auto norm = [&](const Vector& v) {
        return std::sqrt(sum(n, context, [&](std::size_t i) { return v[i] * v[i]; }));
    };
    const double size = norm(b);
    if (size == 0) return std::fill(u.begin(), u.end(), 0.0), report;
    Vector r(n), z(n), p(n), q(n);
    matrix_.for_products(u.data(), context, [&](std::size_t i, double au) { r[i] = b[i] - au; });
    double left = norm(r), before = 0;
    report.initial_residual = left;
    while (left > tolerance * size) {
        if (context.stop.requested()) {
            report.end = SolveEnd::kStopped;
            break;
        }
        if (report.iterations == max_iterations) {
            report.end = SolveEnd::kIterationLimit;
            break;
        }
        const int done = report.iterations;
        if (levels_.empty() && done > 0 && done % kAskEvery == 0 &&
            (done > 2 * kPlain || expected_more(left / report.initial_residual, done,
                                                tolerance * size / left) > kPlain)) {
            make_levels(context);
            before = 0;  // another preconditioner: directions begin anew
        }
        if (levels_.empty()) {
            for_all(n, context, [&](std::size_t i) { z[i] = r[i] / diagonal_[i]; });
        } else {
            // The cycle is linear: scaled to the size of 1 it stays within the range of floats.
            Level& top = *levels_[0];
            for_all(n, context, [&](std::size_t i) { top.b[i] = float(r[i] / left); });
            cycle(0, context);
            for_all(n, context, [&](std::size_t i) { z[i] = double(top.x[i]) * left; });
        }
        const double rz = sum(n, context, [&](std::size_t i) { return r[i] * z[i]; });
        const double keep = before > 0 ? rz / before : 0;
        before = rz;
        for_all(n, context, [&](std::size_t i) { p[i] = z[i] + keep * p[i]; });
        matrix_.for_products(p.data(), context, [&](std::size_t i, double ap) { q[i] = ap; });
        const double way = rz / sum(n, context, [&](std::size_t i) { return p[i] * q[i]; });
        for_all(n, context, [&](std::size_t i) { u[i] += way * p[i], r[i] -= way * q[i]; });
        left = norm(r);
        ++report.iterations;
    }
    report.residual = left / size;
    return report;
}

}  // namespace spume
