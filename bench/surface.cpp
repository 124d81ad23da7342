// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Bodies of air: what surfacing and the power kernel cost, and what the size of particles does to a
// rising body ([WSB25] Fig. 14).
//
//   bench_surface            all of it
//   bench_surface cost       surfacing and power kernel against the number of particles
//   bench_surface sizes [H]  Fig. 14 at voxel H in mm (2): six columns of the paper, and merging

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numbers>

#include "spume/core/random.h"
#include "spume/methods/mixture/mixture.h"
#include "spume/physics/motion/move_bubbles.h"
#include "spume/surface/connected.h"
#include "spume/surface/mesh_of.h"
#include "spume/surface/surface_of.h"

namespace {

using namespace spume;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Points half a voxel apart in a ball, shaken by up to a tenth of a voxel.
std::vector<Point<3>> ball_of_points(const Point<3>& centre, double radius, double voxel) {
    std::vector<Point<3>> r;
    const int n = static_cast<int>(std::ceil(radius / (voxel / 2)));
    std::uint64_t count = 0;
    for (int i = -n; i <= n; ++i)
        for (int j = -n; j <= n; ++j)
            for (int k = -n; k <= n; ++k) {
                const auto shake = Random(1, count++, 0, Purpose::kTest).uniform_vec<3>(0);
                const Point<3> x{i * voxel / 2, j * voxel / 2, k * voxel / 2};
                if (length(x) < radius)
                    r.push_back(centre + x + (shake - Point<3>::filled(0.5)) * (0.2 * voxel));
            }
    return r;
}

Bubbles<3> bubbles_at(const std::vector<Point<3>>& places, double radius, double density) {
    Bubbles<3> fresh, b;
    resize(fresh, places.size());
    std::copy(places.begin(), places.end(), fresh.position.write().begin());
    fresh.radius.fill(static_cast<float>(radius));
    fresh.density.fill(static_cast<float>(density));
    append(b, fresh);
    return b;
}

/// Radius of a particle with an eighth of a voxel of air.
double share_radius(double voxel) { return voxel / 2 * std::cbrt(3 / (4 * std::numbers::pi)); }

void cost() {
    std::printf("surface of a ball of particles, power kernel of the same, one thread\n");
    std::printf("%10s %6s %10s %10s %10s %10s %8s %8s\n", "particles", "scale", "seconds",
                "us/part.", "triangles", "volume", "turns", "us/part.");
    for (const double cells : {6.0, 9.5, 15.0}) {
        const auto places = ball_of_points({}, cells, 1);
        Bubbles<3> bubbles = bubbles_at(places, share_radius(1), 1);
        Context context(1);
        const Box<int, 3> box{Index<3>::filled(-int(cells) - 6), Index<3>::filled(int(cells) + 6)};
        auto ranges = sort_by_tile(bubbles, Tiles<3>::dense(box, {}), context);
        const std::vector<double> volumes(bubbles.size(), 0.125);
        PowerReport report;
        double begin = now();
        ranges.power =
            power_kernel<3>(bubbles.position.read(), volumes, ranges, {}, {}, report, context);
        const double power = now() - begin;
        for (int scale : {1, 2, 3}) {
            Surfacing how;
            how.scale = scale;
            begin = now();
            const auto surface = surface_of<3>(bubbles, {}, how, context);
            const TriangleMesh mesh = mesh_of(surface.level_set, context);
            const double seconds = now() - begin;
            const double count = static_cast<double>(bubbles.size());
            std::printf("%10zu %6d %10.3f %10.2f %10zu %10.4f %8d %8.2f\n", bubbles.size(), scale,
                        seconds, 1e6 * seconds / count, mesh.triangles.size(),
                        enclosed_volume(mesh) / (4 * std::numbers::pi / 3 * std::pow(cells, 3)),
                        report.iterations, 1e6 * power / count);
        }
    }
}

/// [WSB25] Fig. 14: 5 cm³ of still air, densities 100:1000.
struct Column {
    const char* name;
    bool marker;  ///< particles of r_h instead of an eighth of a voxel
    mixture::Params params;
};

void run_column(const Column& column, double voxel, double tension) {
    Scene scene;
    scene.domain.lower = {-0.05, 0, -0.05};
    scene.domain.upper = {0.05, 0.25, 0.05};
    scene.domain.voxel = voxel;
    scene.physics.air_density = 100;
    scene.physics.surface_tension = tension;
    scene.time.fps = 24;
    mixture::Params params = column.params;
    params.surface_tension = tension > 0;
    params.capillary_cfl = 2;
    Context context(2);
    auto world = mixture::world_of<3>(scene, params, {});
    auto state = mixture::init(world, params, context);
    const double radius = column.marker ? surfacing_radius<3>(voxel) : share_radius(voxel);
    state.bubbles = bubbles_at(ball_of_points({0, 0.03, 0}, 0.0106, voxel), radius, 100);
    const double air = total_volume(state.bubbles, context);
    const std::size_t particles = state.bubbles.size();
    const double begin = now();
    int steps = 0;
    bool good = true;
    while (good && state.time < 0.25) {
        const double dt =
            std::min(mixture::max_dt(state, params, world, context).seconds, 0.25 - state.time);
        const auto report =
            mixture::step(state, params, world, {state.time, state.time + dt}, context);
        good = !report.failed && ++steps < 2000;
    }
    // Share of the air that the grid sees in cells more than half full.
    const Frame frame = mixture::view(state, params, world, context);
    double full = 0, all = 0;
    for (const Volume& v : frame.volumes)
        if (v.name == "density")
            for (const float phi : v.values[0]) {
                all += double(phi);
                full += phi > 0.5f ? double(phi) : 0.0;
            }
    double height = 0, spread = 0;
    for (const Point<3>& x : state.bubbles.position) {
        height += x[1] / static_cast<double>(state.bubbles.size());
        spread = std::max(spread, std::hypot(x[0], x[2]));
    }
    std::printf("%-22s %6.3f %6zu %6zu %6d %8.1f %8.1f %9.3f %10.2e %7.1f%s\n", column.name,
                tension, particles, state.bubbles.size(), steps, 1e3 * height, 1e3 * spread,
                all > 0 ? full / all : 0, total_volume(state.bubbles, context) / air - 1,
                now() - begin, good ? "" : "  stopped");
    std::fflush(stdout);
}

void sizes(double voxel) {
    std::printf("5 cm3 of air, 100:1000, voxel %g mm, after 0.25 s; lengths in mm\n", 1e3 * voxel);
    std::printf("%-22s %6s %6s %6s %6s %8s %8s %9s %10s %7s\n", "particles", "N/m", "start", "end",
                "steps", "height", "spread", "in bodies", "air drift", "seconds");
    Column marker{"r_h", true, {}}, small{"h^3/8", false, {}}, merging{"h^3/8, merging", false, {}},
        power{"h^3/8, power", false, {}};
    merging.params.split_merge = true;
    merging.params.split_radius = share_radius(voxel);
    power.params.basis = mixture::Basis::kPower;
    for (const double tension : {0.0, 0.072})
        for (const Column* column : {&marker, &small, &merging, &power})
            run_column(*column, voxel, tension);
}

}  // namespace

int main(int count, char** words) {
    const bool all = count < 2;
    if (all || std::strcmp(words[1], "cost") == 0) cost();
    if (all || std::strcmp(words[1], "sizes") == 0)
        sizes(count > 2 ? 1e-3 * std::atof(words[2]) : 2e-3);
    return 0;
}
