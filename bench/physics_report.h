// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "../tests/scheme_names.h"
#include "spume/core/error.h"
#include "spume/io/png.h"
#include "spume/render/plot.h"

namespace spume::bench {

inline constexpr Scheme kAllSchemes[] = {Scheme::kImplicitDrag,      Scheme::kStabilized,
                                         Scheme::kStabilizedPrinted, Scheme::kInertiaAware,
                                         Scheme::kGuidedAware,       Scheme::kGuidedUnaware};

inline PlotSeries curve(std::string name, bool dashed = false) {
    PlotSeries s;
    s.name = std::move(name);
    s.dashed = dashed;
    return s;
}

/// One study: a table on standard output, the same as CSV, and a plot.
class StudyReport {
  public:
    StudyReport(std::filesystem::path folder, std::string name, std::string title)
        : folder_(std::move(folder)), name_(std::move(name)) {
        plot.title = title;
        plot.width = 720, plot.height = 480;
        std::printf("\n== %s: %s\n", name_.c_str(), title.c_str());
    }

    Plot plot;

    /// Rows `name, x, y` of the table.
    void add_row(const PlotSeries& series) {
        std::printf("%-34s", series.name.c_str());
        for (std::size_t i = 0; i < series.x.size(); ++i)
            std::printf(" %g: %.4g", series.x[i], series.y[i]);
        std::printf("\n");
        std::fflush(stdout);
        rows_.push_back(series);
    }
    /// The same, and a curve of the plot, which ends where it leaves the picture.
    void add(PlotSeries series, bool in_legend = true) {
        add_row(series);
        std::size_t keep = 0;
        const auto inside = [&](double y) {
            return plot.y.from == plot.y.to || (y >= plot.y.from && y <= plot.y.to);
        };
        while (keep < series.x.size() && inside(series.y[keep])) ++keep;
        keep = std::min(keep + 1, series.x.size());
        if (keep == 0) return;
        series.x.resize(keep), series.y.resize(keep);
        if (!in_legend) series.name.clear();
        plot.series.push_back(std::move(series));
    }

    void write() const {
        std::filesystem::create_directories(folder_);
        std::ofstream csv(folder_ / (name_ + ".csv"));
        csv.precision(9);
        csv << "series," << quoted(plot.x.label) << ',' << quoted(plot.y.label) << '\n';
        for (const PlotSeries& s : rows_)
            for (std::size_t i = 0; i < s.x.size(); ++i)
                csv << quoted(s.name) << ',' << s.x[i] << ',' << s.y[i] << '\n';
        const Image image = draw_plot(plot);
        std::ofstream png(folder_ / (name_ + ".png"), std::ios::binary);
        png << encode_png(image.width, image.height, image.rgb);
        csv.flush(), png.flush();
        if (!csv || !png) throw MachineError("cannot write the study to " + folder_.string());
    }

  private:
    static std::string quoted(const std::string& text) { return '"' + text + '"'; }

    std::filesystem::path folder_;
    std::string name_;
    std::vector<PlotSeries> rows_;
};

}  // namespace spume::bench
