// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/solve/pressure.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spume/core/error.h"
#include "spume/solve/components.h"
#include "spume/solve/face_operator.h"
#include "spume/solve/lanes.h"
#include "spume/solve/multigrid.h"
#include "spume/solve/true_residual.h"

namespace spume {

template <int D>
void PressureSystem<D>::add_dirichlet(int tile, int offset, double c, double g) {
    if (!diagonal_extra.tiles()) diagonal_extra = CellField<double, D>(tiles);
    const std::size_t at = std::size_t(tile) * kTileCells<D> + std::size_t(offset);
    diagonal_extra.write()[at] += c;
    rhs.write()[at] += c * g;
}

template <int D>
struct PressureSolver<D>::Work {
    explicit Work(MultigridTopology<D>* kept) : topology(kept ? kept : &own) {}

    MultigridTopology<D> own;
    MultigridTopology<D>* topology;
    typename Tiles<D>::Ptr tiles;
    typename MultigridTopology<D>::Levels levels;
    FaceOperator<D> op;
    NullSpaces<D> null_spaces;
    Multigrid<D> multigrid;
    Array<double> r, q;
    Array<float> p;
    MatrixTag assigned;  ///< of op, null_spaces and multigrid; null: they are of no system

    void prepare(const typename Tiles<D>::Ptr& wanted) {
        if (tiles == wanted) return;
        tiles = wanted;
        assigned = nullptr;
        levels = topology->over(tiles);
        const std::size_t n = levels->front().values();
        r = Array<double>(n), p = Array<float>(n), q = Array<double>(n);
        multigrid.prepare(*levels);
    }
};

namespace {

/// One solve: the vectors and the steps of preconditioned conjugate gradients.
template <int D, class Work>
class Iteration {
  public:
    Iteration(const PressureSystem<D>& system, Work& work, CellField<double, D>& x,
              const SolverOptions& options, Context& context)
        : system_(system),
          work_(work),
          options_(options),
          context_(context),
          x_(x.write()),
          r_(work.r.write().data()),
          q_(work.q.write().data()),
          p_(work.p.write().data()) {}

    SolveReport run() {
        set_up();
        mask_guess();
        report_.unknowns = work_.op.unknowns;
        report_.null_spaces = work_.null_spaces.count;
        const double removed = remove_means(work_.null_spaces, work_.op, nullptr, r_, context_);
        b_norm_ = norm(r_);
        const double whole = std::sqrt(b_norm_ * b_norm_ + removed * removed);
        report_.removed = whole > 0 ? removed / whole : 0;
        if (!(b_norm_ > 0) || !std::isfinite(b_norm_)) return without_iteration();
        report_.initial_residual = zero_guess_ ? b_norm_ : true_residual();
        fresh_rhs_ = false;
        const bool checked = until_true_residual(
            report_, options_.tolerance, b_norm_, [&](double from) { return iterate(from); },
            [&] { return true_residual(); }, [&] { return rounding(); });
        if (!checked) {
            report_.residual = residual_ / b_norm_;
            remove_means(work_.null_spaces, work_.op, work_.multigrid.inverse(), x_, context_);
        }
        return report_;
    }

  private:
    void set_up() {
        if (options_.same_matrix && work_.assigned)
            return work_.op.assign_rhs(system_, r_, context_);
        work_.assigned = nullptr;  // until all of it is
        work_.multigrid.release();
        work_.op.assign(system_, work_.levels->front(), r_, context_);
        work_.null_spaces = find_null_spaces(work_.op, system_.kind.read(), context_);
        work_.multigrid.assign(work_.op, context_);
        work_.assigned = std::make_shared<char>();
    }

    template <class F>
    void for_live(F&& f) {
        for_each_tile(context_.arena, work_.op.live,
                      [&](int t) { f(std::size_t(t) * kTileCells<D>); });
    }
    template <class F>
    double sum_live(F&& f) {
        return sum_tiles(context_.arena, work_.op.live,
                         [&](int t) { return f(std::size_t(t) * kTileCells<D>); });
    }
    double norm(const double* v) {
        return std::sqrt(sum_live([&](std::size_t at) {
            double s = 0;
            for (std::size_t o = at; o < at + kTileCells<D>; ++o) s += v[o] * v[o];
            return s;
        }));
    }

    void mask_guess() {
        const std::uint8_t* kind = system_.kind.read();
        const std::size_t n = system_.tiles->values();
        std::vector<std::uint8_t> all_zero(n / 4096 + 1, 1);
        for_range(context_.arena, n, 4096, [&](std::size_t b, std::size_t e) {
            bool zero = true;
            for (std::size_t i = b; i < e; ++i) {
                x_[i] = kind[i] == kFluidCell ? x_[i] : 0.0;
                zero &= x_[i] == 0;
            }
            all_zero[b / 4096] = zero ? 1 : 0;
        });
        zero_guess_ = std::find(all_zero.begin(), all_zero.end(), 0) == all_zero.end();
        // Neighbours read tiles without unknowns through closed faces: no NaN may stand there.
        std::vector<std::uint8_t> live(static_cast<std::size_t>(system_.tiles->active()), 0);
        for (const int t : work_.op.live) live[static_cast<std::size_t>(t)] = 1;
        for (std::size_t t = 0; t < live.size(); ++t)
            if (!live[t]) std::memset(p_ + t * kTileCells<D>, 0, sizeof(float) * kTileCells<D>);
    }

    SolveReport without_iteration() {
        if (std::isfinite(b_norm_)) {
            for_live([&](std::size_t at) {
                for (std::size_t o = at; o < at + kTileCells<D>; ++o) x_[o] = 0;
            });
        } else {
            report_.end = SolveEnd::kBroken;
            report_.residual = b_norm_;
        }
        return report_;
    }

    /// r = b − A x, and its norm.
    double true_residual() {
        if (!fresh_rhs_) {
            work_.op.assign_rhs(system_, r_, context_);
            remove_means(work_.null_spaces, work_.op, nullptr, r_, context_);
        }
        fresh_rhs_ = false;
        remove_means(work_.null_spaces, work_.op, work_.multigrid.inverse(), x_, context_);
        work_.op.apply(static_cast<const double*>(x_), q_, context_);
        return std::sqrt(sum_live([&](std::size_t at) {
            double s = 0;
            for (std::size_t o = at; o < at + kTileCells<D>; ++o) {
                r_[o] -= q_[o];
                s += r_[o] * r_[o];
            }
            return s;
        }));
    }

    /// Norm of the error that rounding x to double makes in A x.
    double rounding() {
        const float* inverse = work_.multigrid.inverse();
        return 4 * std::numeric_limits<double>::epsilon() * std::sqrt(sum_live([&](std::size_t at) {
                   double s = 0;
                   for (std::size_t o = at; o < at + kTileCells<D>; ++o) {
                       const double v = inverse[o] > 0 ? x_[o] / double(inverse[o]) : 0.0;
                       s += v * v;
                   }
                   return s;
               }));
    }

    /// The preconditioner's right-hand side is s r, s a power of two that keeps floats in range.
    void choose_scale(double residual) { scale_ = std::exp2(-std::ilogb(residual)); }

    /// z = M (s r); returns r · z / s.
    double precondition() { return work_.multigrid.apply(context_) / (scale_ * scale_); }

    void hand_over_residual() {
        float* b = work_.multigrid.b();
        for_live([&](std::size_t at) {
            for (std::size_t o = at; o < at + kTileCells<D>; ++o) b[o] = float(scale_ * r_[o]);
        });
    }

    /// r −= α q, also for the preconditioner; returns ‖r‖.
    double update_residual(double alpha) {
        float* b = work_.multigrid.b();
        const double step = alpha / direction_scale_;
        return std::sqrt(sum_live([&](std::size_t at) {
            Doubles sum{};
            for (std::size_t o = at; o < at + kTileCells<D>; o += kDoubleLanes) {
                const Doubles r = lanes(r_ + o) - step * lanes(q_ + o);
                lanes(r_ + o) = r;
                half_lanes(b + o) = __builtin_convertvector(scale_ * r, HalfFloats);
                sum += r * r;
            }
            return (sum[0] + sum[1]) + (sum[2] + sum[3]);
        }));
    }

    /// x += α p, p = z + β p. The directions are floats: CG corrects x and r by the same rounded
    /// direction, so neither loses a digit by it; they are kept times `direction_scale_`, in range.
    void update_solution_and_direction(double alpha, double beta) {
        const float unscale = float(direction_scale_ / scale_), narrow_beta = float(beta);
        const double step = alpha / direction_scale_;
        for_each_tile(context_.arena, work_.op.live, [&](int t) {
            const float* z = work_.multigrid.finish(t);
            const std::size_t at = std::size_t(t) * kTileCells<D>;
            for (int o = 0; o < kTileCells<D>; o += kDoubleLanes) {
                const std::size_t i = at + std::size_t(o);
                const HalfFloats p = half_lanes(p_ + i);
                lanes(x_ + i) = lanes(x_ + i) + step * __builtin_convertvector(p, Doubles);
                half_lanes(p_ + i) = unscale * half_lanes(z + o) + narrow_beta * p;
            }
        });
    }
    void update_solution(double alpha) {
        const double step = alpha / direction_scale_;
        for_live([&](std::size_t at) {
            for (std::size_t o = at; o < at + kTileCells<D>; ++o) x_[o] += step * double(p_[o]);
        });
    }

    /// Until the recursive residual is small enough, or no more can be done: then true.
    bool iterate(double residual) {
        if (residual <= options_.tolerance * b_norm_) return true;
        choose_scale(residual);
        direction_scale_ = scale_;
        hand_over_residual();
        double rho = precondition(), best = residual;
        int since_best = 0;
        for_live([&](std::size_t at) { std::memset(p_ + at, 0, sizeof(float) * kTileCells<D>); });
        update_solution_and_direction(0, 0);
        for (;;) {
            if (context_.stop.requested()) return report_.end = SolveEnd::kStopped, true;
            if (report_.iterations >= options_.max_iterations)
                return report_.end = SolveEnd::kIterationLimit, true;
            const double curvature = work_.op.apply(static_cast<const float*>(p_), q_, context_) /
                                     (direction_scale_ * direction_scale_);
            if (!(curvature > 0) || !std::isfinite(curvature) || !(rho > 0))
                return report_.end = SolveEnd::kBroken, true;
            const double alpha = rho / curvature;
            ++report_.iterations;
            residual = residual_ = update_residual(alpha);
            if (!std::isfinite(residual)) return report_.end = SolveEnd::kBroken, true;
            if (residual < 0.9 * best)
                best = residual, since_best = 0;
            else if (++since_best > kPatience)
                return report_.end = SolveEnd::kStagnated, true;
            if (residual <= options_.tolerance * b_norm_) return update_solution(alpha), false;
            const double next = precondition();
            update_solution_and_direction(alpha, next / rho);
            rho = next;
            choose_scale(residual);
        }
    }

    static constexpr int kPatience = 100;

    const PressureSystem<D>& system_;
    Work& work_;
    const SolverOptions& options_;
    Context& context_;
    double* x_;
    double *r_, *q_;
    float* p_;
    double b_norm_ = 0, residual_ = 0, scale_ = 1, direction_scale_ = 1;
    bool zero_guess_ = false;
    bool fresh_rhs_ = true;
    SolveReport report_;
};

}  // namespace

template <int D>
typename MultigridTopology<D>::Levels MultigridTopology<D>::over(
    const typename Tiles<D>::Ptr& tiles) {
    if (tiles_ != tiles) {
        levels_ = std::make_shared<const std::vector<LevelTiles<D>>>(level_tiles(*tiles));
        tiles_ = tiles;
    }
    return levels_;
}

template <int D>
PressureSolver<D>::PressureSolver() : work_(std::make_unique<Work>(nullptr)) {}
template <int D>
PressureSolver<D>::PressureSolver(MultigridTopology<D>& topology)
    : work_(std::make_unique<Work>(&topology)) {}
template <int D>
PressureSolver<D>::~PressureSolver() = default;
template <int D>
PressureSolver<D>::PressureSolver(PressureSolver&&) noexcept = default;
template <int D>
PressureSolver<D>& PressureSolver<D>::operator=(PressureSolver&&) noexcept = default;

template <int D>
SolveReport PressureSolver<D>::solve(const PressureSystem<D>& system, CellField<double, D>& x,
                                     const SolverOptions& options, Context& context) {
    const Stage stage(context, "pressure");
    SPUME_CHECK(system.tiles && x.tiles() == system.tiles && system.kind.tiles() == system.tiles &&
                system.rhs.tiles() == system.tiles);
    work_->prepare(system.tiles);
    SPUME_CHECK(system.coefficient.tiles() == system.tiles ||
                (options.same_matrix && work_->assigned));
    return Iteration<D, Work>(system, *work_, x, options, context).run();
}

template <int D>
MatrixTag PressureSolver<D>::matrix() const {
    return work_->assigned;
}

template <int D>
std::size_t PressureSolver<D>::bytes() const {
    const Work& w = *work_;
    return 8 * (w.r.size() + w.q.size() + w.op.faces.size() + w.op.extra.size()) + 4 * w.p.size() +
           w.multigrid.bytes();
}

template struct PressureSystem<2>;
template struct PressureSystem<3>;
template class MultigridTopology<2>;
template class MultigridTopology<3>;
template class PressureSolver<2>;
template class PressureSolver<3>;

}  // namespace spume
