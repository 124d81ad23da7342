// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/core/report.h"

#include <algorithm>

#include <fmt/core.h>

namespace spume {

const char* to_text(SolveEnd end) {
    switch (end) {
        case SolveEnd::kConverged:
            return "converged";
        case SolveEnd::kIterationLimit:
            return "iteration limit";
        case SolveEnd::kStagnated:
            return "stagnated";
        case SolveEnd::kBroken:
            return "not a number";
        case SolveEnd::kStopped:
            return "stopped";
    }
    return "";
}

double AirAudit::drift() const {
    const double here = bubbles + foam + trapped + burst + pruned + left + lost;
    return emitted > 0 ? (here - emitted) / emitted : 0;
}

void StepReport::add(const SolveReport& solve) {
    ++pressure_solves;
    pressure_iterations += solve.iterations;
    pressure_residual = std::max(pressure_residual, solve.residual);
    pressure_unknowns = std::max(pressure_unknowns, solve.unknowns);
    if (solve.end == SolveEnd::kStopped) stopped = true;
    if (solve.end == SolveEnd::kBroken) {
        failed = true;
        why = "the pressure solve met numbers that are not finite";
    } else if (!solve.good() && !stopped) {
        warnings.push_back(fmt::format("pressure solve: {} after {} iterations at residual {:.2e}",
                                       to_text(solve.end), solve.iterations, solve.residual));
    }
}

}  // namespace spume
