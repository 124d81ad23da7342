// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Rays a second through 10⁶ and 10⁷ air bubbles, and the same picture of glass-like balls under a
// lamp in Blender Cycles (found as the program `blender`): same resolution, light, samples and
// number of bounces; and again with bubbles in air, whose films reflect 2R/(1 + R). Then foam with
// films beside plain balls, and caustics by photons beside paths that find the light by chance.
// Noise is measured the same way for both: two pictures with different seeds, root mean square of
// the difference of their luminance, divided by √2. Time for equal noise is time · noise², because
// noise falls with the root of the number of samples. Times of the comparison are CPU seconds of
// all threads, so that other work on the machine counts for neither.
//
// bench_render [--quick] [PART…]    without 10⁷ balls and with a smaller picture; parts: rays films
//                                   memory caustics cycles (default: all)

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <sys/resource.h>

#include "spume/core/random.h"
#include "spume/io/exr.h"
#include "spume/render/beauty.h"
#include "spume/render/photons.h"

namespace {

using namespace spume;

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

std::vector<Vec<float, 4>> balls(std::size_t n, double share) {
    // Radii so that they fill `share` of a cube of edge 2.
    const double radius = std::cbrt(share * 8 / (static_cast<double>(n) * 4.18879));
    std::vector<Vec<float, 4>> all(n);
    for (std::size_t i = 0; i < n; ++i) {
        const Random random(7, i, 0, Purpose::kTest);
        const auto u = random.uniform_vec<3>(0);
        all[i] = {static_cast<float>(2 * u[0] - 1), static_cast<float>(2 * u[1] - 1),
                  static_cast<float>(2 * u[2] - 1),
                  static_cast<float>(radius * (0.6 + 0.8 * random.uniform(3)))};
    }
    return all;
}

World world_of(std::vector<Vec<float, 4>> cloud) {
    World w;
    w.media = {Medium{.index = 1.333, .absorption = {}, .glow = {}}, Medium{}};
    w.materials = {Material{.priority = Priority::kBubble, .medium = 1}};
    w.balls = {Balls{.begin = std::move(cloud), .end = {}, .material = 0}};
    w.environment.colour = {0.1f, 0.1f, 0.1f};
    w.lights = {AreaLight{
        .corner = {-2, 3, -2}, .edge_a = {4, 0, 0}, .edge_b = {0, 0, 4}, .radiance = {4, 4, 4}}};
    w.size = 5;
    return w;
}

const PreviewCamera kCamera{.position = {0, 0.4, 5}, .target = {0, 0, 0}, .field_of_view = 30};

void measure_rays(std::size_t n, int threads, bool quick) {
    double at = seconds();
    const RayScene scene(world_of(balls(n, 0.05)));
    const double build = seconds() - at;
    Context context(threads);
    TraceOptions options;
    options.width = quick ? 320 : 640, options.height = quick ? 180 : 360;
    options.samples = 4;
    at = seconds();
    const double cpu = cpu_seconds();
    const Traced t = trace_picture(scene, kCamera, options, context);
    const double took = seconds() - at, spent = cpu_seconds() - cpu;
    const double rays = 1e-6 * static_cast<double>(t.rays);
    std::printf(
        "%9zu balls  %2d threads  index %6.2f s  %7.2f M rays  %6.3f M rays/s  %6.3f M rays a CPU "
        "second\n",
        n, context.arena.threads(), build, rays, rays / took, rays / spent);
    std::fflush(stdout);
}

double difference(const std::vector<Vec<float, 3>>& a, const std::vector<Vec<float, 3>>& b) {
    double squared = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const Vec<float, 3> d = a[i] - b[i];
        const double bright = 0.2126 * d[0] + 0.7152 * d[1] + 0.0722 * d[2];
        squared += bright * bright;
    }
    return std::sqrt(squared / static_cast<double>(a.size()) / 2);
}

double mean_of(const std::vector<Vec<float, 3>>& a) {
    double sum = 0;
    for (const auto& c : a) sum += 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
    return sum / static_cast<double>(a.size());
}

struct Cost {
    double seconds = 0, noise = 0, mean = 0;
    double equal_noise() const { return seconds * noise * noise; }
};

/// The same foam without films between its bubbles and with exact, coloured ones.
void measure_films(bool quick) {
    const std::size_t n = quick ? 200000 : 1000000;
    double rate[2] = {};
    for (const bool films : {false, true}) {
        World w = world_of(balls(n, 0.5));
        w.media = {Medium{}};
        w.materials[0] = {
            .priority = films ? Priority::kBubble : Priority::kLiquid, .medium = 0, .film = true};
        w.films = films ? FilmLaw::kInterference : FilmLaw::kMean;
        const RayScene scene(std::move(w));
        Context context(0);
        TraceOptions options;
        options.width = 320, options.height = 180, options.samples = 4;
        const double cpu = cpu_seconds();
        const Traced t = trace_picture(scene, kCamera, options, context);
        rate[films ? 1 : 0] = 1e-6 * static_cast<double>(t.rays) / (cpu_seconds() - cpu);
    }
    std::printf("%9zu foam bubbles: plain %.3f, with films %.3f M rays a CPU second\n", n, rate[0],
                rate[1]);
    std::printf("ratio render_films plain_balls %.3f\n", rate[1] / rate[0]);
    std::fflush(stdout);
}

/// What foam of 10⁷ bubbles with films needs, index and all: the most this process has had.
void measure_memory(bool quick) {
    const std::size_t n = quick ? 1000000 : 10000000;
    World w = world_of(balls(n, 0.5));
    w.media = {Medium{}};
    w.materials[0] = {.priority = Priority::kBubble, .medium = 0, .film = true};
    w.balls[0].film.assign(n, 500e-9f);
    w.films = FilmLaw::kInterference;
    const RayScene scene(std::move(w));
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    std::printf("%9zu foam bubbles: %.2f GB at most\n", n, 1e-6 * double(used.ru_maxrss));
    std::fflush(stdout);
}

/// Waves over a matte floor, under a lamp or the sun.
World waves(bool lamp) {
    World w;
    w.media = {Medium{}, Medium{.index = 1.333, .absorption = {}, .glow = {}}};
    w.materials = {Material{.priority = Priority::kLiquid, .medium = 1},
                   Material{.finish = Finish::kMatte, .colour = {0.7f, 0.7f, 0.7f}}};
    Surface s;
    constexpr int kColumns = 200;
    for (int i = 0; i <= kColumns; ++i)
        for (int j = 0; j <= kColumns; ++j) {
            const double x = -2 + 4.0 * i / kColumns, z = -2 + 4.0 * j / kColumns;
            const double high = 0.02 * (std::sin(6.3 * x) + std::sin(5.1 * z + 1));
            const Vec<double, 3> up{-0.126 * std::cos(6.3 * x), 1, -0.102 * std::cos(5.1 * z + 1)};
            s.begin.push_back({float(x), float(high), float(z)});
            s.normals.push_back((up / length(up)).as<float>());
        }
    for (std::uint32_t i = 0; i < kColumns; ++i)
        for (std::uint32_t j = 0; j < kColumns; ++j) {
            const std::uint32_t a = i * (kColumns + 1) + j, b = a + kColumns + 1;
            s.triangles.push_back({a, a + 1, b});
            s.triangles.push_back({a + 1, b + 1, b});
        }
    w.surfaces = {s};
    w.floor = Floor{-1.2, 1};
    w.environment.colour = {0.02f, 0.02f, 0.02f};
    if (lamp)
        w.lights = {AreaLight{.corner = {-0.15, 2, -0.15},
                              .edge_a = {0.3, 0, 0},
                              .edge_b = {0, 0, 0.3},
                              .radiance = {20, 20, 20}}};
    else
        w.environment.sun = {{0.2431, 0.97, 0}, 0.9990, {500, 500, 500}};
    w.size = 5;
    return w;
}

Cost caustics(const RayScene& scene, bool photons, bool quick) {
    const PreviewCamera camera{.position = {0, -0.3, 1.2}, .target = {0, -1.2, 0}};
    Context context(0);
    std::vector<Vec<float, 3>> pictures[2];
    const double at = cpu_seconds();
    for (int k = 0; k < 2; ++k) {
        TraceOptions o;
        o.width = 160, o.height = 90, o.samples = photons ? 4 : quick ? 64 : 256;
        o.seed = static_cast<std::uint64_t>(k + 1);
        PhotonOptions p;
        p.seed = o.seed, p.count = quick ? 100000 : 300000;
        Photons sent;
        if (photons) sent = send_photons(scene, p, context), o.photons = &sent.map;
        o.limits.light = photons ? LightPaths::kPhotons : LightPaths::kByChance;
        pictures[k] = trace_picture(scene, camera, o, context).image.pixels;
    }
    Cost cost;
    cost.seconds = (cpu_seconds() - at) / 2;
    cost.noise = difference(pictures[0], pictures[1]);
    cost.mean = mean_of(pictures[0]);
    return cost;
}

/// Time for equal noise: photons against paths that find the light by chance.
void measure_caustics(bool quick) {
    for (const bool lamp : {true, false}) {
        const RayScene scene(waves(lamp));
        const Cost plain = caustics(scene, false, quick), map = caustics(scene, true, quick);
        const char* name = lamp ? "lamp" : "sun";
        std::printf(
            "caustics of the %s: paths %.2f s noise %.5f mean %.5f, photons %.2f s noise "
            "%.5f mean %.5f\n",
            name, plain.seconds, plain.noise, plain.mean, map.seconds, map.noise, map.mean);
        std::printf("ratio render_caustics_%s path_tracing %.1f\n", name,
                    plain.equal_noise() / map.equal_noise());
        std::fflush(stdout);
    }
}

/// Bubbles in air instead of air in water.
World in_air(World w) {
    w.media = {Medium{}};
    w.materials[0] = {.priority = Priority::kBubble, .medium = 0, .film = true};
    w.films = FilmLaw::kMean;
    return w;
}

Cost ours(const std::vector<Vec<float, 4>>& cloud, const TraceOptions& base, bool films) {
    Context context(0);
    Cost cost;
    std::vector<Vec<float, 3>> pictures[2];
    for (int k = 0; k < 2; ++k) {
        TraceOptions options = base;
        options.seed = static_cast<std::uint64_t>(k + 1);
        const double at = cpu_seconds();
        const RayScene scene(films ? in_air(world_of(cloud)) : world_of(cloud));
        pictures[k] = trace_picture(scene, kCamera, options, context).image.pixels;
        cost.seconds += (cpu_seconds() - at) / 2;
    }
    cost.noise = difference(pictures[0], pictures[1]);
    cost.mean = mean_of(pictures[0]);
    return cost;
}

/// Runs bench/render_cycles.py in Blender; it writes two pictures and says how long each took.
bool cycles(const std::vector<Vec<float, 4>>& cloud, const TraceOptions& o, bool films,
            Cost& cost) {
    namespace fs = std::filesystem;
    if (std::system("blender --version >/dev/null 2>&1") != 0) return false;
    std::string name = (fs::temp_directory_path() / "spume_cycles_XXXXXX").string();
    if (!mkdtemp(name.data())) return false;
    const fs::path folder = name;
    std::ofstream(folder / "balls.f32", std::ios::binary)
        .write(reinterpret_cast<const char*>(cloud.data()),
               static_cast<std::streamsize>(cloud.size() * sizeof cloud[0]));
    std::ostringstream command;
    command << "blender -b --factory-startup --python " << SPUME_SOURCE
            << "/bench/render_cycles.py -- " << folder.string() << ' ' << o.width << ' ' << o.height
            << ' ' << o.samples << ' ' << o.limits.interfaces << (films ? " films >" : " >")
            << folder.string() << "/log 2>&1";
    const bool fine = std::system(command.str().c_str()) == 0;
    std::ifstream times(folder / "seconds");
    std::vector<Vec<float, 3>> pictures[2];
    double each = 0;
    for (int k = 0; fine && k < 2 && times >> each; ++k) {
        std::ifstream in(folder / ("picture" + std::to_string(k) + ".exr"), std::ios::binary);
        std::ostringstream bytes;
        bytes << in.rdbuf();
        pictures[k] = decode_exr(bytes.str()).rgb;
        cost.seconds += each / 2;
    }
    const bool complete = !pictures[1].empty() && pictures[0].size() == pictures[1].size();
    if (complete)
        cost.noise = difference(pictures[0], pictures[1]), cost.mean = mean_of(pictures[0]);
    else
        std::printf("blender failed; its log is %s/log\n", name.c_str());
    if (complete) fs::remove_all(folder);
    return complete;
}

/// The same picture by both, with films or without.
void beside_cycles(bool films, bool quick) {
    TraceOptions options;
    options.width = quick ? 240 : 480, options.height = quick ? 135 : 270;
    options.samples = quick ? 32 : 64;
    const std::vector<Vec<float, 4>> cloud = balls(5000, 0.04);
    const Cost a = ours(cloud, options, films);
    std::printf("\n5000 balls%s, %d x %d, %d samples, %d bounces\n", films ? " with films" : "",
                options.width, options.height, options.samples, options.limits.interfaces);
    std::printf("  spume   %7.2f s  noise %.5f  mean %.5f\n", a.seconds, a.noise, a.mean);
    std::fflush(stdout);
    Cost b;
    if (!cycles(cloud, options, films, b)) {
        std::printf("  no Blender here: nothing to compare with\n");
        return;
    }
    const char* name = films ? "render_films" : "render";
    std::printf("  cycles  %7.2f s  noise %.5f  mean %.5f\n", b.seconds, b.noise, b.mean);
    std::printf("ratio %s_equal_noise cycles %.3f\n", name, b.equal_noise() / a.equal_noise());
    std::printf("ratio %s_equal_samples cycles %.3f\n", name, b.seconds / a.seconds);
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
    const std::set<std::string> asked(words + 1, words + count);
    const bool quick = asked.contains("--quick"), all = asked.size() == (quick ? 1u : 0u);
    const auto wanted = [&](const char* part) { return all || asked.contains(part); };
    // First, so that nothing else is counted.
    if (wanted("memory")) measure_memory(quick);
    for (const int threads : {1, 0}) {
        if (!wanted("rays")) break;
        measure_rays(1000000, threads, quick);
        if (!quick) measure_rays(10000000, threads, quick);
    }
    if (wanted("films")) measure_films(quick);
    if (wanted("caustics")) measure_caustics(quick);
    for (const bool films : {false, true})
        if (wanted("cycles")) beside_cycles(films, quick);
    return 0;
}
