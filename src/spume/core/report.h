// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spume/core/vec.h"

namespace spume {

/// Why an iterative solve ended.
enum class SolveEnd { kConverged, kIterationLimit, kStagnated, kBroken, kStopped };
const char* to_text(SolveEnd end);

/// The outcome of one linear solve is a value; a solve never throws.
struct SolveReport {
    SolveEnd end = SolveEnd::kConverged;
    int iterations = 0;
    double initial_residual = 0;  ///< ‖b − A x₀‖₂
    double residual = 0;          ///< ‖b − A x‖₂ / ‖b‖₂ at the end
    std::int64_t unknowns = 0;
    int null_spaces = 0;  ///< connected parts without any Dirichlet value
    double removed = 0;   ///< 2-norm of the part of b no solution exists for, over ‖b‖₂
    bool good() const { return end == SolveEnd::kConverged; }
};

/// Where a bad number was first seen.
struct BadValue {
    std::string stage, field;
    Vec<int, 3> cell{};
    Vec<double, 3> position{};
    double value = 0;
    std::vector<double> neighbours;  ///< below and above along each axis
};

/// Air volumes in m³ (m² in 2D), as in stats.jsonl. `emitted` counts what was seeded at the start
/// too; `pruned` is what vanished because the foam it came to was packed; `lost` is what became too
/// small for the grid and had no way on. Marker particles carry more air than they were seeded for,
/// and the grid cuts the fraction: `seeded` is what the emitters were asked for, `grid` what the
/// grid sees of `bubbles`.
struct AirAudit {
    double emitted = 0, bubbles = 0, foam = 0, trapped = 0, burst = 0, pruned = 0, left = 0,
           lost = 0;
    double seeded = 0, grid = 0;
    double owed =
        0;  ///< asked of emitters and not given yet: for want of room, or less than a bubble
    /// What nothing accounts for: (what is here + what left or was lost − what came) / what came.
    double drift() const;
};

/// What became of a region of trapped air, in the words of events.jsonl.
struct BubbleEvent {
    enum Kind { kBirth, kMerge, kSplit, kBurst, kLoss, kHandOver } kind = kBirth;
    double time = 0;                  ///< s
    std::uint64_t id = 0, other = 0;  ///< merge: into; split: from; burst: the outside
    double volume = 0;                ///< m³ (2D: m²)
};

/// What one substep did. Numerics' failures are fields here, not exceptions.
struct StepReport {
    bool failed = false;        ///< the session restores the state and tries a smaller step
    bool stopped = false;       ///< ended early on request: neither good nor bad, to be undone
    std::string why;            ///< in words, when failed
    std::vector<BadValue> bad;  ///< filled by the NaN guard
    int pressure_solves = 0, pressure_iterations = 0;
    double pressure_residual = 0;  ///< the worst of the substep
    std::int64_t pressure_unknowns = 0;
    int newton_iterations = 0;
    double newton_residual = 0;
    double max_speed = 0, max_divergence = 0;
    double max_region_error = 0;  ///< of a trapped region's wanted change of volume, m³/s
    std::vector<std::string> warnings;
    std::vector<BubbleEvent> events;

    void add(const SolveReport& solve);
};

/// A region of trapped air at a frame's end.
struct AirRegionSummary {
    std::uint64_t id = 0;
    double volume = 0, rest = 0;  ///< as it is and as it should be, m³ (2D: m²)
    double pressure = 0;          ///< Pa
};

/// The state at a frame's end, in the words of stats.jsonl.
struct StateSummary {
    std::int64_t tiles = 0, voxels = 0, bubbles = 0, foam = 0, droplets = 0, markers = 0;
    double liquid_volume = 0, liquid_drift = 0;
    AirAudit air;
    double smoke_lost = 0;  ///< left the box, or its bubble is gone; m³ (2D: m²)
    Vec<double, 3> momentum{};
    std::vector<AirRegionSummary> regions;
};

}  // namespace spume
