// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <fstream>
#include <sstream>

#include "physics_report.h"

// Curves of others, from a folder of CSV files that is not part of the tree.

namespace spume::bench {

/// Rows of numbers after the comments and the header; none where there is no such file.
inline std::vector<std::vector<double>> table_of(const std::filesystem::path& file) {
    std::vector<std::vector<double>> rows;
    std::ifstream in(file);
    bool header = false;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line[0] == '#') continue;
        if (!std::exchange(header, true)) continue;
        std::istringstream cells(line);
        rows.emplace_back();
        for (std::string cell; std::getline(cells, cell, ',');)
            rows.back().push_back(std::atof(cell.c_str()));
    }
    return rows;
}

/// Rise velocities of Hysing's bubbles: MooNMD's finest level, and gerris at the same voxel.
inline void add_published(StudyReport& report, const std::filesystem::path& data, int number) {
    PlotSeries reference = curve("MooNMD", true), peer = curve("gerris", true);
    reference.mark = peer.mark = PlotMark::kLine;
    const auto file = data / ("hysing2d_case" + std::to_string(number) + "_moonmd.csv");
    for (const auto& row : table_of(file))
        if (row.size() >= 4) reference.x.push_back(row[0]), reference.y.push_back(row[3]);
    for (const auto& row : table_of(data / "hysing2d_gerris_measured.csv"))
        if (row.size() >= 5 && row[0] == number && row[1] == 64)
            peer.x.push_back(row[2]), peer.y.push_back(row[4]);
    for (const PlotSeries& s : {reference, peer})
        if (!s.x.empty()) report.plot.series.push_back(s);
}

}  // namespace spume::bench
