// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/solve/lattice_multigrid.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "spume/solve/dense.h"

namespace spume {
namespace {

constexpr std::size_t kPiece = 4096;
/// At most so many unknowns are solved for directly.
constexpr int kDirect = 64;
/// Eigenvalues of D⁻¹A below this part of the largest are left to coarser levels.
constexpr double kSmoothed = 0.25;
/// A matrix whose eigenvalues all are above this part of the largest needs no coarser level.
constexpr double kEasy = 0.3;
constexpr int kDegree = 2, kDegreeOfLast = 4;

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

/// Coarse places are numbered in the order in which fine ones ask for them.
class CoarsePlaces {
  public:
    std::int32_t add(const FacePlace& p) {
        const auto [found, is_new] = numbers_.try_emplace(key(p), std::int32_t(places.size()));
        if (is_new) places.push_back(p);
        return found->second;
    }
    std::int32_t find(const FacePlace& p) const {
        const auto found = numbers_.find(key(p));
        return found == numbers_.end() ? -1 : found->second;
    }
    std::vector<FacePlace> places;

  private:
    static std::uint64_t key(const FacePlace& p) {
        std::uint64_t k = std::uint64_t(p.axis);
        for (int d = 0; d < 3; ++d) k = k << 20 | (std::uint64_t(p.index[d] + (1 << 19)) & 0xfffff);
        return k;
    }
    std::unordered_map<std::uint64_t, std::int32_t> numbers_;
};

int half(int i) { return i >> 1; }

/// f(coarse place, weight): linear interpolation. Along its axis a face with an even index stands
/// on a coarse one, along the others coarse faces stand between two fine ones.
template <class F>
void for_parents(const FacePlace& fine, int dimensions, F&& f) {
    int first[3] = {}, second[3] = {};
    double weight[3] = {1, 1, 1};
    for (int d = 0; d < dimensions; ++d) {
        const int i = fine.index[d], odd = i & 1;
        first[d] = half(i);
        if (d == fine.axis) {
            second[d] = first[d] + 1;
            weight[d] = odd ? 0.5 : 1.0;
        } else {
            second[d] = odd ? first[d] + 1 : first[d] - 1;
            weight[d] = 0.75;
        }
    }
    for (int corner = 0; corner < (1 << dimensions); ++corner) {
        FacePlace p{fine.axis, {}};
        double w = 1;
        for (int d = 0; d < dimensions; ++d) {
            const bool other = corner >> d & 1;
            p.index[d] = other ? second[d] : first[d];
            w *= other ? 1 - weight[d] : weight[d];
        }
        if (w > 0) f(p, w);
    }
}

/// Coarse places are those that carry at least half the weight along each axis of some fine one;
/// where others are missing the rest is scaled up: a constant is interpolated to a constant.
SparseMatrix<float> interpolation(const std::vector<FacePlace>& fine, int dimensions,
                                  std::vector<FacePlace>& coarse, Context& context) {
    CoarsePlaces places;
    for (const FacePlace& p : fine) {
        FacePlace parent{p.axis, {}};
        for (int d = 0; d < dimensions; ++d) parent.index[d] = half(p.index[d]);
        places.add(parent);
        if (p.index[p.axis] & 1) ++parent.index[p.axis], places.add(parent);
    }
    std::vector<std::vector<SparseEntry>> parts((fine.size() + kPiece - 1) / kPiece);
    for_range(context.arena, fine.size(), kPiece, [&](std::size_t b, std::size_t e) {
        std::vector<SparseEntry>& out = parts[b / kPiece];
        for (std::size_t i = b; i < e; ++i) {
            const std::size_t mine = out.size();
            double whole = 0;
            for_parents(fine[i], dimensions, [&](const FacePlace& p, double w) {
                const std::int32_t n = places.find(p);
                if (n < 0) return;
                out.push_back({std::int32_t(i), n, w});
                whole += w;
            });
            for (std::size_t k = mine; k < out.size(); ++k) out[k].value /= whole;
        }
    });
    coarse = std::move(places.places);
    return in_float(sparse_matrix(int(fine.size()), int(coarse.size()), parts, context));
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

LatticeMultigrid::LatticeMultigrid(const SparseMatrix<double>& matrix,
                                   std::vector<FacePlace> places, int dimensions, Context& context)
    : matrix_(matrix) {
    if (matrix.rows() == 0) return;
    levels_.push_back(std::make_unique<Level>());
    levels_.back()->matrix = in_float(matrix);
    for (;;) {
        Level& fine = *levels_.back();
        fine.measure(context);
        if (fine.easy) return;
        if (fine.matrix.rows() <= kDirect) {
            fine.invert();
            return;
        }
        std::vector<FacePlace> coarse;
        fine.up = interpolation(places, dimensions, coarse, context);
        if (coarse.size() >= places.size()) return;  // scattered faces: nothing becomes fewer
        fine.down = transposed(fine.up);
        levels_.push_back(std::make_unique<Level>());
        levels_.back()->matrix =
            product(fine.down, product(fine.matrix, fine.up, context), context);
        places = std::move(coarse);
    }
}

LatticeMultigrid::~LatticeMultigrid() = default;

int LatticeMultigrid::levels() const { return int(levels_.size()); }

void LatticeMultigrid::cycle(std::size_t number, Context& context) const {
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
                                    double tolerance, int max_iterations, Context& context) const {
    SolveReport report;
    report.unknowns = matrix_.rows();
    const std::size_t n = b.size();
    if (n == 0) return report;
    const double size = std::sqrt(sum(n, context, [&](std::size_t i) { return b[i] * b[i]; }));
    if (size == 0) return std::fill(u.begin(), u.end(), 0.0), report;
    Vector r(n), z(n), p(n), q(n);
    matrix_.for_products(u.data(), context, [&](std::size_t i, double au) { r[i] = b[i] - au; });
    const auto length_of_r = [&] {
        return std::sqrt(sum(n, context, [&](std::size_t i) { return r[i] * r[i]; }));
    };
    double left = length_of_r(), before = 0;
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
        // The cycle is linear: scaled to the size of 1 it stays within the range of floats.
        Level& top = *levels_[0];
        for_all(n, context, [&](std::size_t i) { top.b[i] = float(r[i] / left); });
        cycle(0, context);
        for_all(n, context, [&](std::size_t i) { z[i] = double(top.x[i]) * left; });
        const double rz = sum(n, context, [&](std::size_t i) { return r[i] * z[i]; });
        const double keep = report.iterations > 0 ? rz / before : 0;
        before = rz;
        for_all(n, context, [&](std::size_t i) { p[i] = z[i] + keep * p[i]; });
        matrix_.for_products(p.data(), context, [&](std::size_t i, double ap) { q[i] = ap; });
        const double way = rz / sum(n, context, [&](std::size_t i) { return p[i] * q[i]; });
        for_all(n, context, [&](std::size_t i) { u[i] += way * p[i], r[i] -= way * q[i]; });
        left = length_of_r();
        ++report.iterations;
    }
    report.residual = left / size;
    return report;
}

}  // namespace spume
