// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// [WSB25] Figure 7 in numbers: balls of air of several radii let go in still water. For each
// variant of the scene's sweep, over all frames: how far the middle of the air strays from the
// vertical, how high and wide the largest pocket is, how many pockets there are, how much air is
// outside the largest.
//
//   bench_bubble_sizes [PRESET [THREADS [VARIANT…] [KEY=VALUE…]]], from the top folder

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "spume/particles/neighbours.h"
#include "spume/run/job_scene.h"

namespace spume {
namespace {

constexpr std::size_t kLeastPocket = 8;  // particles: as many as fill a voxel

/// Particles nearer to each other than the reach, in groups.
std::vector<std::vector<std::size_t>> pockets_of(std::span<const Vec<double, 3>> x, double reach,
                                                 Context& context) {
    const NeighbourLists near = find_neighbours<3>(x, reach, context);
    std::vector<std::size_t> root(x.size());
    std::iota(root.begin(), root.end(), std::size_t(0));
    const auto find = [&](std::size_t i) {
        while (root[i] != i) i = root[i] = root[root[i]];
        return i;
    };
    for (std::size_t i = 0; i < x.size(); ++i)
        for (const std::uint32_t j : near.of(i)) root[find(i)] = find(j);
    std::map<std::size_t, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < x.size(); ++i) groups[find(i)].push_back(i);
    std::vector<std::vector<std::size_t>> list;
    for (auto& [key, group] : groups) list.push_back(std::move(group));
    std::stable_sort(list.begin(), list.end(),
                     [](const auto& a, const auto& b) { return a.size() > b.size(); });
    return list;
}

struct Shape3 {
    Vec<double, 3> middle{};
    double aspect = 1;     ///< height over mean width
    double asymmetry = 0;  ///< difference of the two principal widths over their mean
};

Shape3 shape_of(std::span<const Vec<double, 3>> x, const std::vector<std::size_t>& group) {
    Shape3 s;
    for (const std::size_t i : group) s.middle += x[i] / double(group.size());
    double xx = 0, yy = 0, zz = 0, xz = 0;
    for (const std::size_t i : group) {
        const Vec<double, 3> d = x[i] - s.middle;
        xx += d[0] * d[0], yy += d[1] * d[1], zz += d[2] * d[2], xz += d[0] * d[2];
    }
    const double mean = (xx + zz) / 2, spread = std::hypot((xx - zz) / 2, xz);
    const double wide = std::sqrt(mean + spread), narrow = std::sqrt(std::max(0.0, mean - spread));
    s.aspect = std::sqrt(yy) / std::max(1e-12, (wide + narrow) / 2);
    s.asymmetry = (wide - narrow) / std::max(1e-12, (wide + narrow) / 2);
    return s;
}

void measure(FileSystem& files, SceneRequest request, const std::string& variant, int threads) {
    request.selection.variant = variant;
    const LoadedScene loaded = load_scene(files, request);
    Context context(threads);
    const auto simulation = start_session(loaded.scene, loaded.params, loaded.inputs, context);
    const double h = loaded.scene.voxel(), fps = loaded.scene.time.fps;
    double stray = 0, asymmetry = 0, aspect = 1, loose = 0, top_speed = 0, last_height = 0;
    Vec<double, 3> start{};
    std::size_t most_pockets = 0, singles = 0, particles = 0;
    for (int frame = 1; frame <= loaded.scene.time.frames; ++frame) {
        simulation->advance_frame(frame);
        const Frame view = simulation->view();
        const auto x = view.points.at(0).position.read();
        if (x.empty() || (particles > 0 && x.size() < particles)) break;  // it has reached the top
        particles = x.size();
        const auto groups = pockets_of(x, 1.5 * h, context);
        std::size_t pockets = 0;
        singles = 0;
        for (const auto& group : groups)
            group.size() >= kLeastPocket ? ++pockets : singles += group.size();
        const Shape3 all = shape_of(x, [&] {
            std::vector<std::size_t> every(x.size());
            std::iota(every.begin(), every.end(), std::size_t(0));
            return every;
        }());
        const Shape3 largest = shape_of(x, groups[0]);
        if (frame == 1) start = all.middle;
        stray = std::max(stray, std::hypot(all.middle[0] - start[0], all.middle[2] - start[2]));
        asymmetry = std::max(asymmetry, largest.asymmetry);
        aspect = std::min(aspect, largest.aspect);
        most_pockets = std::max(most_pockets, pockets);
        loose = 1 - double(groups[0].size()) / double(x.size());
        if (frame > 1) top_speed = std::max(top_speed, (all.middle[1] - last_height) * fps);
        last_height = all.middle[1];
    }
    std::printf("%-16s %8zu %9.2f %8.3f %10.3f %8zu %8zu %8.3f %8.3f\n", variant.c_str(), particles,
                stray / h, aspect, asymmetry, most_pockets, singles, loose, top_speed);
    std::fflush(stdout);
}

}  // namespace
}  // namespace spume

int main(int argc, char** argv) {
    using namespace spume;
    const auto files = make_posix_file_system();
    SceneRequest request;
    request.file = "scenes/wsb25_fig7_bubble_sizes.toml";
    if (argc > 1) request.selection.preset = argv[1];
    const int threads = argc > 2 ? std::atoi(argv[2]) : 0;
    std::vector<std::string> wanted;
    for (int i = 3; i < argc; ++i)
        (std::strchr(argv[i], '=') ? request.overrides : wanted).emplace_back(argv[i]);
    const LoadedScene plain = load_scene(*files, request);
    std::printf(
        "voxel %g mm. stray: of the middle of all air from the vertical, voxels; aspect: "
        "least height over width of the largest pocket;\nasymmetry: greatest difference of "
        "its widths; pockets: most at a time, of 8 particles or more; single: in smaller "
        "ones at the end;\nloose: part outside the largest pocket at the end; speed: "
        "greatest of the middle, m/s\n",
        1e3 * plain.scene.voxel());
    std::printf("%-16s %8s %9s %8s %10s %8s %8s %8s %8s\n", "variant", "particles", "stray",
                "aspect", "asymmetry", "pockets", "single", "loose", "speed");
    for (const SweepVariant& variant : plain.offers.sweep.variants)
        if (wanted.empty() || std::find(wanted.begin(), wanted.end(), variant.name) != wanted.end())
            measure(*files, request, variant.name, threads);
    return 0;
}
