// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "spume/core/report.h"

namespace spume {

/// The reports of a frame's substeps, put together. Only sums of integers, least and greatest
/// values: adding in two portions, before and after a resume, gives the same bits as adding in one.
struct FrameReport {
    bool complete = true;  ///< false: stopped on request; the state is that after the last substep
    int substeps = 0;
    double dt_min = 0, dt_max = 0;  ///< s
    int pressure_solves = 0, pressure_iterations = 0;
    double pressure_residual = 0;
    std::int64_t pressure_unknowns = 0;
    int newton_iterations = 0;
    double newton_residual = 0;
    double max_speed = 0, max_divergence = 0;
    double max_region_error = 0;  ///< m³/s
    std::vector<std::string> warnings;
    std::vector<BubbleEvent> events;

    void add(const StepReport& step, double dt) {
        FrameReport one;
        one.substeps = 1;
        one.dt_min = one.dt_max = dt;
        one.pressure_solves = step.pressure_solves;
        one.pressure_iterations = step.pressure_iterations;
        one.pressure_residual = step.pressure_residual;
        one.pressure_unknowns = step.pressure_unknowns;
        one.newton_iterations = step.newton_iterations;
        one.newton_residual = step.newton_residual;
        one.max_speed = step.max_speed;
        one.max_divergence = step.max_divergence;
        one.max_region_error = step.max_region_error;
        one.warnings = step.warnings;
        one.events = step.events;
        add(one);
    }
    void add(const FrameReport& later) {
        complete = later.complete;
        if (later.substeps > 0) {
            dt_min = substeps > 0 ? std::min(dt_min, later.dt_min) : later.dt_min;
            dt_max = std::max(dt_max, later.dt_max);
        }
        substeps += later.substeps;
        pressure_solves += later.pressure_solves;
        pressure_iterations += later.pressure_iterations;
        pressure_residual = std::max(pressure_residual, later.pressure_residual);
        pressure_unknowns = std::max(pressure_unknowns, later.pressure_unknowns);
        newton_iterations += later.newton_iterations;
        newton_residual = std::max(newton_residual, later.newton_residual);
        max_speed = std::max(max_speed, later.max_speed);
        max_divergence = std::max(max_divergence, later.max_divergence);
        max_region_error = std::max(max_region_error, later.max_region_error);
        warnings.insert(warnings.end(), later.warnings.begin(), later.warnings.end());
        events.insert(events.end(), later.events.begin(), later.events.end());
    }
};

}  // namespace spume
