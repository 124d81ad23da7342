// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/solve/box_pressure.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spume/core/error.h"
#include "spume/solve/true_residual.h"

namespace spume {
namespace {

inline Doubles wide(const float* p) { return __builtin_convertvector(half_lanes(p), Doubles); }
inline double total(Doubles v) { return (v[0] + v[1]) + (v[2] + v[3]); }

/// Σ over faces of c (x_i − x_j) at the places from k on.
template <class T>
inline Doubles applied(const BoxLevel& l, const T* x, std::size_t k) {
    const auto at = [](const T* p) -> Doubles {
        if constexpr (sizeof(T) == 4)
            return wide(p);
        else
            return lanes(p);
    };
    const float *w = l.west.data() + k, *n = l.north.data() + k;
    const std::size_t s = l.stride;
    const Doubles here = at(x + k);
    return wide(w) * (here - at(x + k - 1)) + wide(w + 1) * (here - at(x + k + 1)) +
           wide(n) * (here - at(x + k - s)) + wide(n + s) * (here - at(x + k + s));
}

}  // namespace

/// One solve: the vectors and the steps of preconditioned conjugate gradients.
class BoxPressureSolver::Iteration {
  public:
    Iteration(BoxPressureSolver& solver, const SolverOptions& options, Context& context)
        : solver_(solver),
          level_(solver.multigrid_.finest()),
          options_(options),
          context_(context),
          x_(solver.x_.write().data()),
          r_(solver.r_.write().data()),
          q_(solver.q_.write().data()),
          p_(solver.p_.write().data()) {}

    SolveReport run(const DenseField<double, 2>& rhs, const DenseField<double, 2>& guess) {
        rhs_ = &rhs;
        report_.unknowns = std::int64_t(solver_.unknowns_);
        report_.null_spaces = int(solver_.part_cells_.size());
        const double removed = load_rhs();
        b_norm_ = norm_r();
        const double whole = std::sqrt(b_norm_ * b_norm_ + removed * removed);
        report_.removed = whole > 0 ? removed / whole : 0;
        load_guess(guess);
        if (!(b_norm_ > 0) || !std::isfinite(b_norm_)) return without_iteration();
        report_.initial_residual = true_residual();
        until_true_residual(
            report_, options_.tolerance, b_norm_, [&](double from) { return iterate(from); },
            [&] {
                load_rhs();
                return true_residual();
            },
            [&] { return rounding(); });
        remove_means(x_, true);
        return report_;
    }

  private:
    /// f(first place, end) for stretches of rows, in pieces of a fixed size.
    template <class F>
    void each(F&& f) {
        for_range(context_.arena, std::size_t(level_.rows), kBoxRows,
                  [&](std::size_t b, std::size_t e) { f(level_.at(int(b)), level_.at(int(e))); });
    }
    template <class F>
    double sum(F&& f) {
        return reduce(
            context_.arena, std::size_t(level_.rows), kBoxRows, 0.0,
            [&](std::size_t b, std::size_t e) { return f(level_.at(int(b)), level_.at(int(e))); },
            [](double x, double y) { return x + y; });
    }

    /// r = b without its means; returns the norm of what was taken.
    double load_rhs() {
        const float* inverse = level_.inverse.data();
        const DenseField<double, 2>& rhs = *rhs_;
        const double lone = sum([&](std::size_t begin, std::size_t end) {
            double dropped = 0;
            for (std::size_t first = begin; first < end; first += level_.stride) {
                const int row = int((first - level_.at(0)) / level_.stride);
                const double* in = rhs.read() + rhs.shape.at({row, 0});
                for (std::size_t j = 0; j < std::size_t(level_.columns); ++j) {
                    const bool live = inverse[first + j] > 0;
                    r_[first + j] = live ? in[j] : 0.0;
                    dropped += live ? 0.0 : in[j] * in[j];
                }
            }
            return dropped;
        });
        const double taken = remove_means(r_, false);
        return std::sqrt(lone + taken * taken);
    }

    void load_guess(const DenseField<double, 2>& guess) {
        const float* inverse = level_.inverse.data();
        each([&](std::size_t begin, std::size_t end) {
            for (std::size_t first = begin; first < end; first += level_.stride) {
                const int row = int((first - level_.at(0)) / level_.stride);
                const double* in = guess.read() + guess.shape.at({row, 0});
                for (std::size_t j = 0; j < std::size_t(level_.columns); ++j)
                    x_[first + j] = inverse[first + j] > 0 ? in[j] : 0.0;
            }
        });
    }

    SolveReport without_iteration() {
        if (std::isfinite(b_norm_)) {
            each([&](std::size_t b, std::size_t e) { std::fill(x_ + b, x_ + e, 0.0); });
        } else {
            report_.end = SolveEnd::kBroken;
            report_.residual = b_norm_;
        }
        return report_;
    }

    /// Takes the mean off on every connected part, the plain one or the one weighted by the
    /// diagonal; returns the norm of what was taken.
    double remove_means(double* v, bool weighted) {
        const float* inverse = level_.inverse.data();
        if (!solver_.part_.empty()) return remove_means_of_parts(v, weighted);
        const auto weight = [&](std::size_t k) {
            const float i = inverse[k];
            return weighted ? (i > 0 ? 1 / double(i) : 0.0) : double(i > 0);
        };
        const double all = sum([&](std::size_t b, std::size_t e) {
            double s = 0;
            for (std::size_t k = b; k < e; ++k) s += weight(k) * v[k];
            return s;
        });
        const double cells = weighted ? sum([&](std::size_t b, std::size_t e) {
            double s = 0;
            for (std::size_t k = b; k < e; ++k) s += weight(k);
            return s;
        })
                                      : solver_.unknowns_;
        const double mean = cells > 0 ? all / cells : 0;
        each([&](std::size_t b, std::size_t e) {
            for (std::size_t k = b; k < e; ++k) v[k] = inverse[k] > 0 ? v[k] - mean : 0.0;
        });
        return std::abs(mean) * std::sqrt(solver_.unknowns_);
    }

    double remove_means_of_parts(double* v, bool weighted) {
        const std::vector<int>& part = solver_.part_;
        std::vector<double> total(solver_.part_cells_.size()), weights(total.size());
        for (std::size_t k = level_.at(0); k < level_.at(level_.rows); ++k) {
            if (part[k] < 0) continue;
            const double w = weighted ? 1 / double(level_.inverse[k]) : 1;
            total[std::size_t(part[k])] += w * v[k];
            weights[std::size_t(part[k])] += w;
        }
        double taken = 0;
        for (std::size_t n = 0; n < total.size(); ++n) {
            total[n] /= weights[n];
            taken += total[n] * total[n] * solver_.part_cells_[n];
        }
        each([&](std::size_t b, std::size_t e) {
            for (std::size_t k = b; k < e; ++k)
                if (part[k] != kHeldPart)
                    v[k] = part[k] < 0 ? 0.0 : v[k] - total[std::size_t(part[k])];
        });
        return std::sqrt(taken);
    }

    double norm_r() {
        return std::sqrt(sum([&](std::size_t b, std::size_t e) {
            Doubles s{};
            for (std::size_t k = b; k < e; k += kDoubleLanes) s += lanes(r_ + k) * lanes(r_ + k);
            return total(s);
        }));
    }

    /// r = b − A x where r is b, and its norm.
    double true_residual() {
        const double faces = std::sqrt(sum([&](std::size_t b, std::size_t e) {
            Doubles s{};
            for (std::size_t k = b; k < e; k += kDoubleLanes) {
                const Doubles r =
                    lanes(r_ + k) - applied(level_, static_cast<const double*>(x_), k);
                lanes(r_ + k) = r;
                s += r * r;
            }
            return total(s);
        }));
        if (solver_.terms_.empty()) return faces;
        solver_.add_terms(x_, -1, r_);
        return norm_r();
    }

    /// Norm of the error that rounding x to double makes in A x.
    double rounding() {
        const float* inverse = level_.inverse.data();
        return 4 * std::numeric_limits<double>::epsilon() *
               std::sqrt(sum([&](std::size_t b, std::size_t e) {
                   double s = 0;
                   for (std::size_t k = b; k < e; ++k) {
                       const double v = inverse[k] > 0 ? x_[k] / double(inverse[k]) : 0.0;
                       s += v * v;
                   }
                   return s;
               }));
    }

    /// q = A p; returns p · q.
    double apply_direction() {
        const double faces = sum([&](std::size_t b, std::size_t e) {
            Doubles s{};
            for (std::size_t k = b; k < e; k += kDoubleLanes) {
                const Doubles q = applied(level_, static_cast<const float*>(p_), k);
                lanes(q_ + k) = q;
                s += q * wide(p_ + k);
            }
            return total(s);
        });
        return faces + solver_.add_terms(p_, 1, q_);
    }

    void tell(double residual) {
        if (!solver_.onlooker) return;
        std::vector<float> field;
        for (int row = 0; row < level_.rows; ++row)
            field.insert(field.end(), r_ + level_.at(row), r_ + level_.at(row) + level_.columns);
        solver_.onlooker(report_.iterations, residual / b_norm_, field);
    }

    /// r −= α q, also for the preconditioner, times `scale_`; returns ‖r‖.
    double update_residual(double alpha) {
        float* out = level_.b.write().data();
        return std::sqrt(sum([&](std::size_t b, std::size_t e) {
            Doubles s{};
            for (std::size_t k = b; k < e; k += kDoubleLanes) {
                const Doubles r = lanes(r_ + k) - alpha * lanes(q_ + k);
                lanes(r_ + k) = r;
                half_lanes(out + k) = __builtin_convertvector(scale_ * r, HalfFloats);
                s += r * r;
            }
            return total(s);
        }));
    }

    /// z = M (s r); returns r · z / s.
    double precondition() {
        solver_.multigrid_.apply(context_);
        const float* z = level_.x.data();
        return sum([&](std::size_t b, std::size_t e) {
                   Doubles s{};
                   for (std::size_t k = b; k < e; k += kDoubleLanes)
                       s += lanes(r_ + k) * wide(z + k);
                   return total(s);
               }) /
               scale_;
    }

    /// x += α p, p = z + β p. Directions are floats: x and r are corrected by the same rounded one.
    void update_solution_and_direction(double alpha, double beta) {
        const float* z = level_.x.data();
        const float narrow_beta = float(beta);
        const double unscale = direction_scale_ / scale_, step = alpha / direction_scale_;
        const float narrow_unscale = float(unscale);
        each([&](std::size_t b, std::size_t e) {
            for (std::size_t k = b; k < e; k += kDoubleLanes) {
                const HalfFloats p = half_lanes(p_ + k);
                lanes(x_ + k) += step * __builtin_convertvector(p, Doubles);
                half_lanes(p_ + k) = narrow_unscale * half_lanes(z + k) + narrow_beta * p;
            }
        });
    }

    /// Conjugate gradients from the residual in r on. True: they did not reach the tolerance.
    bool iterate(double residual) {
        tell(residual);
        if (residual <= options_.tolerance * b_norm_) {
            report_.residual = residual / b_norm_;
            return false;
        }
        scale_ = direction_scale_ = std::exp2(-std::ilogb(residual));
        update_residual(0);
        double rho = precondition(), best = residual;
        int since_best = 0;
        each([&](std::size_t b, std::size_t e) { std::fill(p_ + b, p_ + e, 0.0f); });
        update_solution_and_direction(0, 0);
        for (;;) {
            if (context_.stop.requested()) return report_.end = SolveEnd::kStopped, true;
            if (report_.iterations >= options_.max_iterations)
                return report_.end = SolveEnd::kIterationLimit, true;
            const double curvature = apply_direction() / (direction_scale_ * direction_scale_);
            if (!(curvature > 0) || !std::isfinite(curvature) || !(rho > 0))
                return report_.end = SolveEnd::kBroken, true;
            const double alpha = rho / curvature;
            ++report_.iterations;
            scale_ = std::exp2(-std::ilogb(residual));
            residual = update_residual(alpha / direction_scale_);
            report_.residual = residual / b_norm_;
            tell(residual);
            if (!std::isfinite(residual)) return report_.end = SolveEnd::kBroken, true;
            if (residual < 0.9 * best)
                best = residual, since_best = 0;
            else if (++since_best > kPatience)
                return report_.end = SolveEnd::kStagnated, true;
            if (residual <= options_.tolerance * b_norm_) {
                each([&](std::size_t b, std::size_t e) {
                    const double step = alpha / direction_scale_;
                    for (std::size_t k = b; k < e; k += kDoubleLanes)
                        lanes(x_ + k) += step * wide(p_ + k);
                });
                return false;
            }
            const double next = precondition();
            update_solution_and_direction(alpha, next / rho);
            rho = next;
        }
    }

    static constexpr int kPatience = 100;

    BoxPressureSolver& solver_;
    BoxLevel& level_;
    const SolverOptions& options_;
    Context& context_;
    const DenseField<double, 2>* rhs_ = nullptr;
    double *x_, *r_, *q_;
    float* p_;
    double b_norm_ = 0, scale_ = 1, direction_scale_ = 1;
    SolveReport report_;
};

SolveReport BoxPressureSolver::solve(const DenseField<double, 2> (&coefficient)[2],
                                     const DenseField<double, 2>& rhs, DenseField<double, 2>& x,
                                     const SolverOptions& options, Context& context,
                                     std::span<const LowRankTerm> terms) {
    const Stage stage(context, "pressure");
    const Index<2> cells = rhs.shape.size;
    SPUME_CHECK(x.shape == rhs.shape && coefficient[0].shape.room == rhs.shape.room &&
                coefficient[1].shape.room == rhs.shape.room);
    multigrid_.prepare(cells[0], cells[1]);
    const BoxLevel& l = multigrid_.finest();
    if (x_.size() != l.size()) {
        x_ = r_ = q_ = Array<double>(l.size());
        p_ = Array<float>(l.size());
        set_up_ = false;
    }
    if (!(options.same_matrix && set_up_)) {
        set_up_ = false;
        take_over(coefficient, context);
        multigrid_.assign(context);
        take_over(terms);
        find_parts(context);
        set_up_ = true;
    }
    const SolveReport report = Iteration(*this, options, context).run(rhs, x);
    double* out = x.write();
    for_range(context.arena, std::size_t(l.rows), kBoxRows, [&](std::size_t b, std::size_t e) {
        for (int row = int(b); row < int(e); ++row)
            std::copy_n(x_.data() + l.at(row), l.columns, out + x.shape.at({row, 0}));
    });
    return report;
}

std::size_t BoxPressureSolver::bytes() const {
    return 8 * (x_.size() + r_.size() + q_.size()) + 4 * p_.size() + 4 * part_.size() +
           multigrid_.bytes();
}

}  // namespace spume
