// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>

#include "spume/core/report.h"

namespace spume {

/// Conjugate gradients, begun anew from the true residual for as long as that helps: the residual
/// of the recursion drifts from it by rounding. `iterate(r)` runs from a true residual r and
/// returns whether it ended for another reason than convergence by the recursion; `residual()` is
/// the true one, `rounding()` how much of it no double can remove. Returns whether the solution was
/// checked: above a tolerance of 1e-9 the recursion cannot have drifted enough to matter.
template <class Iterate, class Residual, class Rounding>
bool until_true_residual(SolveReport& report, double tolerance, double norm_of_rhs,
                         Iterate&& iterate, Residual&& residual, Rounding&& rounding) {
    double before = report.initial_residual;
    for (;;) {
        const bool done = iterate(before);
        if (report.end == SolveEnd::kConverged && !done && tolerance >= 1e-9) return false;
        const double now = residual();
        report.residual = now / norm_of_rhs;
        if (!std::isfinite(now)) report.end = SolveEnd::kBroken;
        if (done || report.end != SolveEnd::kConverged) return true;
        if (now <= tolerance * norm_of_rhs) return true;
        if (now > 0.5 * before) {
            if (now > rounding()) report.end = SolveEnd::kStagnated;
            return true;
        }
        before = now;
    }
}

}  // namespace spume
