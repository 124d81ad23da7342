// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Sort, scatter and gather of bubbles in a full box with eight to a cell. One core is measured in
// CPU seconds, so that a busy machine does not count; two threads in wall seconds. Best of several
// runs. The peers are written here: trilinear scatter to one dense array a channel, without local
// blocks, on particles in random order and on particles sorted by cell.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <string>

#include "spume/core/random.h"
#include "spume/particles/bubbles.h"
#include "spume/particles/neighbours.h"
#include "spume/particles/transfer.h"

namespace {

using namespace spume;

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Best time of `body`, prepared by `before` outside the clock.
template <class Before, class Body>
double best(int runs, int threads, Before&& before, Body&& body) {
    double r = 1e300;
    for (int i = 0; i < runs; ++i) {
        before();
        const double cpu = cpu_seconds(), wall = wall_seconds();
        body();
        r = std::min(r, threads == 1 ? cpu_seconds() - cpu : wall_seconds() - wall);
    }
    return r;
}

struct Scene {
    Bubbles<3> random_order;
    Tiles<3>::Ptr tiles;
    Clamp<3> clamp;
    int side = 0;
};

Scene make_scene(std::size_t n) {
    Scene s;
    s.side = static_cast<int>(std::ceil(std::cbrt(static_cast<double>(n) / 8)));
    const Box<int, 3> cells{Index<3>::filled(0), Index<3>::filled(s.side)};
    s.tiles = Tiles<3>::dense(cells, {});
    s.clamp = Clamp<3>::closed(cells);
    Bubbles<3> fresh;
    resize(fresh, n);
    auto x = fresh.position.write();
    auto v = fresh.velocity.write();
    auto r = fresh.radius.write();
    for (std::size_t i = 0; i < n; ++i) {
        const Random random(1, i, 0, Purpose::kTest);
        x[i] = random.uniform_vec<3>(0) * double(s.side);
        v[i] = random.uniform_vec<3>(3);
        r[i] = 1e-3f;
    }
    append(s.random_order, fresh);
    return s;
}

/// Volume and momentum to faces, each face axis a dense array, straight from the definition.
void naive_scatter(const Bubbles<3>& set, int side, std::vector<double> (&volume)[3],
                   std::vector<double> (&momentum)[3]) {
    const int stride = side + 2;
    for (std::size_t i = 0; i < set.size(); ++i)
        for (int a = 0; a < 3; ++a) {
            int base[3];
            double w[3];
            for (int d = 0; d < 3; ++d) {
                const double u = set.position[i][d] + (d == a ? 0.0 : 0.5);
                base[d] = static_cast<int>(std::floor(u));
                w[d] = u - base[d];
            }
            const double v = set.radius[i], m = v * set.velocity[i][a];
            for (int c = 0; c < 8; ++c) {
                const int x = c >> 2, y = c >> 1 & 1, z = c & 1;
                const double weight =
                    (x ? w[0] : 1 - w[0]) * (y ? w[1] : 1 - w[1]) * (z ? w[2] : 1 - w[2]);
                const std::size_t o =
                    (std::size_t(base[0] + x) * stride + std::size_t(base[1] + y)) * stride +
                    std::size_t(base[2] + z);
                volume[a][o] += weight * v;
                momentum[a][o] += weight * m;
            }
        }
}

double naive_seconds(const Bubbles<3>& set, int side) {
    std::vector<double> volume[3], momentum[3];
    const std::size_t nodes = std::size_t(side + 2) * std::size_t(side + 2) * std::size_t(side + 2);
    return best(
        2, 1,
        [&] {
            for (int a = 0; a < 3; ++a) volume[a].assign(nodes, 0), momentum[a].assign(nodes, 0);
        },
        [&] { naive_scatter(set, side, volume, momentum); });
}

template <class T, std::size_t K>
double scatter_seconds(const Bubbles<3>& set, const TileRanges<3>& ranges, const Clamp<3>& clamp,
                       Context& context) {
    std::array<FaceField<T, 3>, K> out;
    const float* radius = set.radius.data();
    const Vec<double, 3>* velocity = set.velocity.data();
    return best(
        4, context.arena.threads(), [] {},
        [&] {
            scatter_to_faces(
                set.position.read(), ranges, clamp,
                [&](std::size_t i, int axis) {
                    const T v = radius[i], m = v * static_cast<T>(velocity[i][axis]);
                    if constexpr (K == 2)
                        return std::array<T, 2>{v, m};
                    else
                        return std::array<T, 4>{v, m, v * v, m * m};
                },
                out, context);
        });
}

template <class T>
double gather_seconds(Bubbles<3>& set, const TileRanges<3>& ranges, const Clamp<3>& clamp,
                      Context& context) {
    const FaceField<T, 3> field(ranges.tiles, T(0.5));
    auto velocity = set.velocity.write();
    return best(
        4, context.arena.threads(), [] {},
        [&] {
            gather_from_faces(
                set.position.read(), ranges, clamp, field,
                [&](std::size_t i, const Vec<T, 3>& v) { velocity[i] = v.template as<double>(); },
                context);
        });
}

/// Each bubble moves by up to a tenth of a cell along each axis.
void jiggle(Bubbles<3>& set, int side, std::uint32_t step) {
    auto x = set.position.write();
    for (std::size_t i = 0; i < set.size(); ++i) {
        const Point<3> d = Random(2, i, step, Purpose::kTest).uniform_vec<3>(0);
        for (int a = 0; a < 3; ++a)
            x[i][a] = std::clamp(x[i][a] + 0.2 * (d[a] - 0.5), 0.0, double(side));
    }
}

using Table = std::map<std::string, std::map<std::size_t, double>>;

void measure(std::size_t n, Table& table) {
    Context one(1), two(2);
    const Scene scene = make_scene(n);
    const auto note = [&](const std::string& what, double seconds) {
        table[what][n] = seconds;
        std::printf("%-34s %9zu bubbles %9.2f ms %8.1f M/s\n", what.c_str(), n, seconds * 1e3,
                    static_cast<double>(n) / seconds * 1e-6);
        std::fflush(stdout);
    };
    Bubbles<3> set;
    TileRanges<3> ranges;
    for (Context* context : {&one, &two}) {
        const std::string tag = context == &one ? "" : ", 2 threads";
        const int threads = context->arena.threads();
        note("sort random" + tag,
             best(
                 3, threads, [&] { set = scene.random_order; },
                 [&] { ranges = sort_by_tile(set, scene.tiles, *context, scene.clamp); }));
        Bubbles<3> moved = set;
        jiggle(moved, scene.side, 1);
        note("order nearly sorted" + tag, best(
                                              3, threads, [] {},
                                              [&] {
                                                  tile_order<3>(moved.position.read(),
                                                                moved.id.read(), scene.tiles,
                                                                scene.clamp, *context);
                                              }));
        Bubbles<3> work;
        note("sort nearly sorted" + tag,
             best(
                 3, threads, [&] { work = moved; },
                 [&] { sort_by_tile(work, scene.tiles, *context, scene.clamp); }));
        note("sort sorted" + tag,
             best(
                 3, threads, [&] { work = set; },
                 [&] { sort_by_tile(work, scene.tiles, *context, scene.clamp); }));
        note("scatter 2 double" + tag,
             scatter_seconds<double, 2>(set, ranges, scene.clamp, *context));
        note("scatter 2 float" + tag,
             scatter_seconds<float, 2>(set, ranges, scene.clamp, *context));
        note("scatter 4 double" + tag,
             scatter_seconds<double, 4>(set, ranges, scene.clamp, *context));
        note("gather double" + tag, gather_seconds<double>(set, ranges, scene.clamp, *context));
        note("gather float" + tag, gather_seconds<float>(set, ranges, scene.clamp, *context));
    }
    // Eight to a cell: 21 neighbours on average within 0.86 of a cell.
    std::size_t pairs = 0;
    note("neighbours, 21 each",
         best(
             2, 1, [] {},
             [&] { pairs = find_neighbours<3>(set.position.read(), 0.86, one).pairs(); }));
    std::printf("neighbours a bubble: %.1f\n", static_cast<double>(pairs) / static_cast<double>(n));
    const double random = naive_seconds(scene.random_order, scene.side);
    const double sorted = naive_seconds(set, scene.side);
    note("naive scatter, random order", random);
    note("naive scatter, sorted", sorted);
    const double ours = table["scatter 2 double"][n];
    std::printf("ratio scatter_%zu naive_random %.2f\n", n, random / ours);
    std::printf("ratio scatter_%zu naive_sorted %.2f\n", n, sorted / ours);
    std::printf("ratio scatter_%zu_with_sort naive_random %.2f\n", n,
                random / (ours + table["sort nearly sorted"][n]));
}

/// Least squares of log seconds against log bubbles.
double slope(const std::map<std::size_t, double>& times) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (const auto& [n, t] : times) {
        const double x = std::log(static_cast<double>(n)), y = std::log(t);
        sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    const double m = static_cast<double>(times.size());
    return (m * sxy - sx * sy) / (m * sxx - sx * sx);
}

}  // namespace

int main(int argc, char** argv) {
    const std::size_t largest = argc > 1 ? static_cast<std::size_t>(std::atof(argv[1])) : 10000000;
    Table table;
    for (std::size_t n : {100000, 316228, 1000000, 3162278, 10000000})
        if (n <= largest) measure(n, table);
    for (const auto& [what, times] : table)
        if (times.size() > 1) std::printf("slope %-34s %.3f\n", what.c_str(), slope(times));
    return 0;
}
