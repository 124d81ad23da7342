// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/render/image.h"

namespace spume {

enum class PlotMark { kLine, kPoints, kBoth };

struct PlotSeries {
    std::string name;  ///< empty: not in the legend
    std::vector<double> x, y;
    PlotMark mark = PlotMark::kBoth;
    bool dashed = false;
};

struct PlotAxis {
    std::string label;
    bool logarithmic = false;  ///< values that are not positive are left out
    /// Ends of the axis; equal: from the data.
    double from = 0, to = 0;
};

struct Plot {
    std::string title;
    PlotAxis x, y;
    std::vector<PlotSeries> series;
    int width = 900, height = 600;
    bool legend_beside = false;  ///< right of the axes; otherwise in their emptiest corner
};

/// A line plot with axes, ticks, grid and legend, for convergence studies and benchmarks.
Image draw_plot(const Plot& plot);

/// Round places for about `count` marks between the two ends: steps of 1, 2 or 5 times a power of
/// ten; on a logarithmic axis powers of ten, or 1-2-5 where the axis spans less than two decades.
std::vector<double> plot_ticks(double from, double to, bool logarithmic, int count = 6);

}  // namespace spume
