// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Wet foam: particle-steps a second of search, density, forces and manifold advection on a grid's
// wave, one radius, support 4; growth with the number of particles; one and two threads, by the
// clock and by the busier thread, as other work on the machine does not show there; memory.
//
//   bench_foam [--quick] [--particles N]
//   bench_foam --figure12 FOLDER      [WFS22] Figure 12 as a plot and a table

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include <fmt/core.h>
#include <sys/resource.h>

#include "physics_report.h"
#include "spume/core/random.h"
#include "spume/physics/foam/foam_implicit.h"
#include "spume/physics/foam/grid_surface.h"
#include "spume/physics/foam/sph_kernel.h"

namespace spume {
namespace {

/// Of the processor, all threads together: others may work on the machine.
double cpu_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }
/// Of the thread that asks.
double own_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}
double peak_bytes() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return 1024 * double(used.ru_maxrss);
}
double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

constexpr double kRadius = 2e-3, kVoxel = 0.04;

/// A packed square layer on a wave of small height, and the wave on tiles around it.
struct Layer {
    Foam<3> foam;
    SurfaceFields<3> fields;

    explicit Layer(std::size_t particles) {
        const double side = std::sqrt(double(particles) * 2 * std::sqrt(3.0)) * kRadius;
        const double amplitude = 0.02, k = 2 * 3.14159265 / 1.5;
        const auto height = [&](double x) { return amplitude * std::sin(k * x); };
        const int n = static_cast<int>(side / (2 * kRadius));
        const int rows = static_cast<int>(side / (std::sqrt(3.0) * kRadius));
        resize(foam, std::size_t(n) * std::size_t(rows));
        for (std::size_t i = 0; i < foam.size(); ++i) {
            const int m = static_cast<int>(i / std::size_t(n)),
                      l = static_cast<int>(i % std::size_t(n));
            const double x = kRadius * (2 * l + (m & 1)), z = std::sqrt(3.0) * kRadius * m;
            foam.position.write()[i] = {x, height(x), z};
            foam.radius.write()[i] = float(kRadius);
            foam.id.write()[i] = i;
            foam.velocity.write()[i] = Random(3, i, 0, Purpose::kTest).uniform_vec<3>(0) * 0.01;
        }
        const int cells = static_cast<int>(side / kVoxel) + 6;
        const auto tiles =
            Tiles<3>::dense({{-4, -6, -4}, {cells, 6, cells}}, Transform<3>{kVoxel, {}});
        fields.phi = CellField<double, 3>(tiles);
        fields.velocity = FaceField<double, 3>(tiles);
        double* phi = fields.phi.write();
        for (int t = 0; t < tiles->zero(); ++t)
            for (int o = 0; o < kTileCells<3>; ++o) {
                const Point<3> x = fields.phi.position(t, o);
                phi[std::size_t(t) * kTileCells<3> + std::size_t(o)] = x[1] - height(x[0]);
            }
    }
};

struct Rates {
    double wall = 0, all = 0, search = 0, density = 0, forces = 0,
           manifold = 0;  ///< CPU ns a particle-step
    double busier = 0;    ///< CPU s of the busier of two threads
    double bytes = 0;     ///< of pairs, a particle
    int searches = 0;
    double one_search = 0;  ///< CPU ns a particle
};

Rates measure(std::size_t particles, double range, int threads, int steps) {
    Layer layer(particles);
    SurfaceFields<3> after = layer.fields;
    after.time = 1;
    const GridSurface<3> surface(layer.fields, after);
    WetFoam law;
    law.cohesion_range = range;
    ManifoldLaw manifold;
    manifold.max_correction = kVoxel;
    manifold.drag = law.drag;
    Context context(threads);
    FoamPairs<3> pairs;
    Rates r;
    const double dt = 2e-3;
    double first_search = 0, begin_all = 0, begin_own = 0;
    for (int n = 0; n < steps + 1; ++n) {
        if (n == 1) {  // the first search is of the start
            r = {};
            begin_all = cpu_seconds();
            begin_own = own_seconds();
        }
        const double start = wall_seconds();
        double begin = cpu_seconds();
        const auto lap = [&](double& to) {
            to += cpu_seconds() - begin;
            begin = cpu_seconds();
        };
        pairs.follow(layer.foam, foam_reach(law), context);
        if (n == 0) first_search = cpu_seconds() - begin;
        lap(r.search);
        const auto states = foam_states(layer.foam, pairs, law, context);
        lap(r.density);
        push_foam(layer.foam, pairs, states, law, dt, context);
        lap(r.forces);
        advect_on_surface<3>(layer.foam, {0, -9.81, 0}, surface, manifold, {1 - dt, 1}, context);
        lap(r.manifold);
        pairs.moved(layer.foam, dt, context);
        lap(r.search);
        r.wall += wall_seconds() - start;
    }
    const double own = own_seconds() - begin_own;
    r.busier = std::max(own, cpu_seconds() - begin_all - own);
    r.bytes = double(pairs.bytes()) / double(layer.foam.size());
    r.searches = pairs.searches();
    r.one_search = 1e9 * first_search / double(layer.foam.size());
    const double each = 1e9 / double(steps) / double(layer.foam.size());
    for (double* x : {&r.search, &r.density, &r.forces, &r.manifold}) {
        *x *= each;
        r.all += *x;
    }
    return r;
}

/// Explicit and implicit pressure and viscosity of one layer, thick as honey, at steps that differ
/// from a hundredth of the explicit limit by as much.
void compare_integrations(std::size_t particles) {
    Context context(1);
    WetFoam law;
    law.viscosity = 2;
    const double limit = foam_limit<3>(law, kRadius, kRadius).seconds;
    const auto moved = [&](bool implicit, double dt, double& seconds) {
        Layer layer(particles);
        const GridSurface<3> surface(layer.fields, layer.fields);
        ManifoldLaw manifold;
        manifold.max_correction = kVoxel;
        FoamPairs<3> pairs;
        const double begin = cpu_seconds(), time = 32 * limit;
        const int steps = static_cast<int>(std::lround(time / dt));
        for (int n = 0; n < steps; ++n) {
            pairs.follow(layer.foam, foam_reach(law), context);
            const auto states = foam_states(layer.foam, pairs, law, context);
            if (implicit) {
                const Array<Vec<double, 3>> none(layer.foam.size());
                const auto normal = surface_normals(layer.foam, surface, n * dt, context);
                const auto a = implicit_acceleration<3>(layer.foam, none.read(), normal.read(),
                                                        pairs, states, law, dt, context)
                                   .acceleration;
                auto v = layer.foam.velocity.write();
                for (std::size_t i = 0; i < v.size(); ++i) v[i] += a[i] * dt;
            } else {
                push_foam(layer.foam, pairs, states, law, dt, context);
            }
            advect_on_surface<3>(layer.foam, {}, surface, manifold, {n * dt, (n + 1) * dt},
                                 context);
            pairs.moved(layer.foam, dt, context);
        }
        seconds = cpu_seconds() - begin;
        std::vector<Point<3>> places(layer.foam.size());
        for (std::size_t i = 0; i < places.size(); ++i)
            places[layer.foam.id[i]] = layer.foam.position[i];
        return places;
    };
    double seconds = 0;
    const auto exact = moved(false, limit / 16, seconds);
    fmt::print("viscosity 2 m/s, {} particles: mean error of places after {:.3g} ms\n",
               exact.size(), 32e3 * limit);
    for (const auto& [implicit, times] :
         {std::pair{false, 1.0}, {true, 1.0}, {true, 4.0}, {true, 16.0}}) {
        const auto places = moved(implicit, times * limit, seconds);
        double error = 0;
        for (std::size_t i = 0; i < places.size(); ++i) error += length(places[i] - exact[i]);
        fmt::print("{:>9} {:>5} of the explicit limit: {:.2e} r, {:.2f} CPU s\n",
                   implicit ? "implicit" : "explicit", times,
                   error / double(places.size()) / kRadius, seconds);
    }
}

/// η and N_avg of packed layers over β, [WFS22] Eqs. 47, 49.
void figure12(const char* folder) {
    bench::StudyReport report(folder, "wfs22_fig12", "Packed layers, [WFS22] Figure 12");
    report.plot.x = {"support, radii"};
    report.plot.y = {"eta, and N / 100", false, 0, 1.8};
    PlotSeries eta = bench::curve("eta, normalised kernel"), count = bench::curve("N / 100"),
               neighbours = bench::curve("particles within the support / 100", true);
    for (double beta = 2; beta <= 8.001; beta += 0.125) {
        double within = 0;
        sph::for_packed<3>(beta - 1e-9, [&](double) { ++within; });
        for (PlotSeries* s : {&eta, &count, &neighbours}) {
            s->x.push_back(beta);
            s->mark = PlotMark::kLine;
        }
        eta.y.push_back(sph::packed_ratio<3>(beta));
        count.y.push_back(sph::packed_count<3>(beta) / 100);
        neighbours.y.push_back(within / 100);
    }
    for (const PlotSeries* s : {&eta, &count, &neighbours}) report.add(*s);
    report.write();
}

void print(std::size_t particles, double range, int threads, const Rates& r) {
    fmt::print("{:>9} {:>6} {:>8} {:>8.2f} {:>8.0f} {:>8.0f} {:>8.0f} {:>9.0f}\n", particles, range,
               threads, 1e3 / r.all, r.search, r.density, r.forces, r.manifold);
}

}  // namespace
}  // namespace spume

int main(int argc, char** argv) {
    using namespace spume;
    bool quick = false;
    std::size_t particles = 1000000;
    for (int i = 1; i < argc; ++i) {
        if (!std::strcmp(argv[i], "--quick")) quick = true;
        if (!std::strcmp(argv[i], "--figure12") && i + 1 < argc) {
            figure12(argv[i + 1]);
            return 0;
        }
        if (!std::strcmp(argv[i], "--particles") && i + 1 < argc)
            particles = static_cast<std::size_t>(std::atof(argv[++i]));
    }
    fmt::print(
        "particles  range  threads    M/CPU-s  search  density   forces  manifold (CPU ns)\n");
    if (quick) {
        print(100000, 5, 1, measure(100000, 5, 1, 5));
        return 0;
    }
    const Rates one = measure(particles, 5, 1, 16), two = measure(particles, 5, 2, 16);
    print(particles, 5, 1, one);
    print(particles, 5, 2, two);
    print(particles, 12, 1, measure(particles, 12, 1, 2));
    for (const std::size_t n : {10000ul, 100000ul, 10000000ul})
        print(n, 5, 1, measure(n, 5, 1, n > 1000000 ? 2 : 10));
    fmt::print("{:.0f} bytes a particle at the peak, of the whole program with 1e7\n",
               1e-7 * peak_bytes());
    compare_integrations(10000);
    fmt::print("searches: {} in 17 steps, one takes {:.0f} ns a particle\n", one.searches,
               one.one_search);
    fmt::print("two threads: {:.2f} times by the clock, {:.2f} by the busier thread\n",
               one.wall / two.wall, one.busier / two.busier);
    std::size_t kept = 0;
    for_each_attribute<Foam<3>>([&](const auto& a) {
        using Column = std::remove_cvref_t<decltype(std::declval<Foam<3>>().*a.array)>;
        if (!a.optional) kept += sizeof(*Column().data());
    });
    fmt::print("bytes a particle: {} kept; {} and {:.1f} of pairs in a step\n", kept,
               sizeof(FoamRecord), one.bytes);
}
