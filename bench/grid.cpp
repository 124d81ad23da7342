// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Memory bandwidth of a 7-point sweep over tiles against a STREAM triad of the same run, and the
// cost of following bubbles with tiles. Traffic counted is the compulsory one: the triad reads two
// arrays and writes one, the sweep reads one and writes one. One thread is measured in CPU seconds,
// two in wall seconds; best of several runs.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <map>
#include <string>
#include <tuple>

#ifdef __AVX__
#include <immintrin.h>
#endif

#include "spume/core/random.h"
#include "spume/grid/topology.h"

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
template <class Body>
double best(int runs, int threads, Body&& body) {
    double r = 1e300;
    for (int i = 0; i < runs; ++i) {
        const double cpu = cpu_seconds(), wall = wall_seconds();
        body();
        r = std::min(r, threads == 1 ? cpu_seconds() - cpu : wall_seconds() - wall);
    }
    return r;
}

/// GB/s of a = b + s·c, best so far: run again between the sweeps, so that both meet the same
/// machine.
template <class T>
class Triad {
  public:
    explicit Triad(Context& context) : context_(context) {}
    void run() {
        T* out = a_.write().data();
        const std::size_t n = a_.size();
        const double seconds = best(3, context_.arena.threads(), [&] {
            for_range(context_.arena, n, std::size_t(1) << 16,
                      [&](std::size_t first, std::size_t last) {
                          for (std::size_t i = first; i < last; ++i) out[i] = b_[i] + T(3) * c_[i];
                      });
        });
        rate_ = std::max(rate_, 3e-9 * static_cast<double>(n * sizeof(T)) / seconds);
    }
    double rate() const { return rate_; }

  private:
    static constexpr std::size_t kSize = (std::size_t(192) << 20) / sizeof(T);
    Context& context_;
    Array<T> a_ = Array<T>(kSize, T(0)), b_ = Array<T>(kSize, T(1)), c_ = Array<T>(kSize, T(2));
    double rate_ = 0;
};

/// Part of a row of eight values, as a register holds it.
template <class T>
struct Lanes {
    static constexpr int kCount = 32 / int(sizeof(T));
    typedef T Type __attribute__((vector_size(32)));
};
template <class T>
typename Lanes<T>::Type load(const T* from) {
    typename Lanes<T>::Type r;
    std::memcpy(&r, from, sizeof r);
    return r;
}
/// Rows of doubles are whole cache lines and go past the caches: they are not read again before
/// they would have left them. Half lines are better merged in the cache.
template <class T>
void store(T* to, const typename Lanes<T>::Type& value) {
#ifdef __AVX__
    if constexpr (sizeof(T) == 8) {
        _mm256_stream_pd(to, value);
        return;
    }
#endif
    std::memcpy(to, &value, sizeof value);
}
/// The values one place before (after) each in a row; `edge` comes from the tile next door.
template <class T>
typename Lanes<T>::Type before(const T* from, T edge) {
    const auto c = load(from), e = typename Lanes<T>::Type{} + edge;
    if constexpr (sizeof(T) == 4)
        return __builtin_shufflevector(c, e, 8, 0, 1, 2, 3, 4, 5, 6);
    else
        return __builtin_shufflevector(c, e, 4, 0, 1, 2);
}
template <class T>
typename Lanes<T>::Type after(const T* from, T edge) {
    const auto c = load(from), e = typename Lanes<T>::Type{} + edge;
    if constexpr (sizeof(T) == 4)
        return __builtin_shufflevector(c, e, 1, 2, 3, 4, 5, 6, 7, 8);
    else
        return __builtin_shufflevector(c, e, 1, 2, 3, 4);
}

/// One row: its four neighbour rows, the row itself, the two values at its ends.
template <class T>
inline void laplace_row(const T* c, const T* xm, const T* xp, const T* ym, const T* yp, T zm, T zp,
                        T* out) {
    constexpr int kLanes = Lanes<T>::kCount;
    for (int o = 0; o < 8; o += kLanes) {
        const auto low = o == 0 ? before(c, zm) : load(c + o - 1);
        const auto high = o + kLanes == 8 ? after(c + o, zp) : load(c + o + 1);
        const typename Lanes<T>::Type r =
            T(6) * load(c + o) -
            ((load(xm + o) + load(xp + o)) + (load(ym + o) + load(yp + o)) + (low + high));
        store(out + o, r);
    }
}

/// Asks for what the tile after next reads first and writes. The processor's own prefetching stops
/// at the end of a page, and a tile is about one page long.
template <class T>
struct Ahead {
    const T *self, *zp;
    T* out;
    Ahead(const T* x, const Tiles<3>& tiles, int tile, T* to) {
        const int t = tile < tiles.active() ? tile : tiles.active() - 1;
        self = x + std::size_t(t) * 512;
        zp = x + std::size_t(tiles.neighbours(t)[14]) * 512;
        out = to + std::size_t(t) * 512;
    }
    void plane(int o) const {
        for (int line = o; line < o + 64; line += 64 / int(sizeof(T))) {
            __builtin_prefetch(self + line);
            __builtin_prefetch(zp + line);
            if (sizeof(T) == 4) __builtin_prefetch(out + line, 1);
        }
    }
};

/// out = 6 x − Σ neighbours on one tile. Rows beyond it come through the neighbour table.
template <class T>
void laplace_tile(const T* x, const Tiles<3>& tiles, int tile, T* out) {
    const int* around = tiles.neighbours(tile);
    const auto base = [&](int code) { return x + std::size_t(around[code]) * 512; };
    const T *self = base(13), *ym = base(10), *yp = base(16), *zm = base(12), *zp = base(14);
    T* to = out + std::size_t(tile) * 512;
    const Ahead<T> ahead(x, tiles, tile + 2, out);
    for (int i = 0; i < 8; ++i) {
        const int o = i * 64;
        ahead.plane(o);
        const T *c = self + o, *a = zm + o + 7, *b = zp + o;
        const T* xm = i > 0 ? c - 64 : base(4) + 448;
        const T* xp = i < 7 ? c + 64 : base(22);
        laplace_row(c, xm, xp, ym + o + 56, c + 8, a[0], b[0], to + o);
        for (int r = 8; r < 56; r += 8)
            laplace_row(c + r, xm + r, xp + r, c + r - 8, c + r + 8, a[r], b[r], to + o + r);
        laplace_row(c + 56, xm + 56, xp + 56, c + 48, yp + o, a[56], b[56], to + o + 56);
    }
}

/// The same, written for the reader: to check the sweep.
template <class T>
double largest_difference(const CellField<T, 3>& x, const T* out) {
    const Tiles<3>& tiles = *x.tiles();
    double worst = 0;
    for (int t = 0; t < tiles.active(); t += 7)
        for (int o = 0; o < 512; ++o) {
            const Index<3> cell = tiles.origin(t) + tile_local<3>(o);
            double r = 6.0 * double(x.at(t, o));
            for (int a = 0; a < 3; ++a)
                for (int s : {-1, 1}) {
                    const Index<3> n = cell + Index<3>::unit(a, s);
                    r -= double(x.at(tiles.find(tile_of<3>(n)), tile_offset<3>(local_of<3>(n))));
                }
            worst = std::max(worst, std::abs(r - double(out[std::size_t(t) * 512 + o])));
        }
    return worst;
}

template <class T>
double sweep_seconds(const Tiles<3>::Ptr& tiles, Context& context, Triad<T>* triad = nullptr) {
    CellField<T, 3> x(tiles), y(tiles);
    T* w = x.write();
    for (std::size_t i = 0; i < std::size_t(tiles->active()) * 512; ++i)
        w[i] = T(int(i * 2654435761u >> 20 & 255) - 128);
    const T* in = x.read();
    T* out = y.write();
    double seconds = 1e300;
    for (int round = 0; round < 5; ++round) {
        if (triad) triad->run();
        seconds =
            std::min(seconds, best(3, context.arena.threads(), [&] {
                         for_range(context.arena, std::size_t(tiles->active()), 32,
                                   [&](std::size_t b, std::size_t e) {
                                       for (std::size_t t = b; t < e; ++t)
                                           laplace_tile<T>(in, *tiles, static_cast<int>(t), out);
                                   });
                     }));
    }
    const double wrong = largest_difference<T>(x, out);
    if (wrong > 0) std::printf("WRONG: the sweep differs by %g\n", wrong);
    return seconds;
}

/// Tiles around random clusters that fill about a fifth of a box.
std::vector<Point<3>> clusters(std::size_t count, double side) {
    std::vector<Point<3>> points;
    points.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Point<3> centre = Random(5, i / 20000, 0, Purpose::kTest).uniform_vec<3>(0) * side;
        const Point<3> off = Random(6, i, 0, Purpose::kTest).uniform_vec<3>(0) * 24.0;
        points.push_back(centre + off);
    }
    return points;
}

/// By tile, as bubbles are before the tiles follow them.
void sort_points(std::vector<Point<3>>& points) {
    const auto key = [](const Point<3>& x) {
        const Index<3> t = tile_of<3>(floor_index<3>(x));
        return std::tuple(t[0], t[1], t[2]);
    };
    std::sort(points.begin(), points.end(),
              [&](const Point<3>& a, const Point<3>& b) { return key(a) < key(b); });
}

double slope(const std::map<double, double>& times) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (const auto& [n, t] : times) {
        const double x = std::log(n), y = std::log(t);
        sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    const double m = static_cast<double>(times.size());
    return (m * sxy - sx * sy) / (m * sxx - sx * sx);
}

template <class T>
void measure_sweep(const char* type, Context& context) {
    const int threads = context.arena.threads();
    Triad<T> triad(context);
    const auto report = [&](const char* what, const Tiles<3>::Ptr& tiles) {
        const double seconds = sweep_seconds<T>(tiles, context, &triad);
        const double bytes = 2.0 * sizeof(T) * 512 * tiles->active();
        const double rate = bytes / seconds * 1e-9;
        std::printf("triad %s, %d threads: %.1f GB/s\n", type, threads, triad.rate());
        std::printf("sweep %s %s, %d threads: %d tiles %.2f ms %.1f GB/s, %.0f Mcells/s\n", what,
                    type, threads, tiles->active(), seconds * 1e3, rate,
                    512e-6 * tiles->active() / seconds);
        std::printf("ratio sweep_%s_%s_%d triad %.2f\n", what, type, threads, rate / triad.rate());
        std::fflush(stdout);
    };
    report("dense", Tiles<3>::dense({Index<3>::filled(0), Index<3>::filled(256)}, {}));
    const auto points = clusters(2000000, 480);
    const Box<int, 3> all{Index<3>::filled(-10000), Index<3>::filled(10000)};
    report("sparse", Tiles<3>::build(tiles_around<3>(points, {}, 1, 1, all, context), {}));
}

void measure_topology(Context& context) {
    std::map<double, double> find, build, carry, sweep;
    const Box<int, 3> all{Index<3>::filled(-100000), Index<3>::filled(100000)};
    for (const std::size_t n : {100000, 1000000, 10000000}) {
        auto points = clusters(n, 120.0 * std::cbrt(static_cast<double>(n) / 1e5));
        sort_points(points);
        std::vector<Index<3>> keys;
        const double around =
            best(3, 1, [&] { keys = tiles_around<3>(points, {}, 1, 1, all, context); });
        Tiles<3>::Ptr tiles;
        const double made = best(3, 1, [&] { tiles = Tiles<3>::build(keys, {}); });
        for (auto& k : keys) k[0] += 1;
        const auto next = Tiles<3>::build(keys, {});
        const CellField<float, 3> field(tiles, 1.0f);
        const double moved = best(3, 1, [&] { carried(field, next, 0.0f, context); });
        const double count = tiles->active();
        find[static_cast<double>(n)] = around;
        build[count] = made;
        carry[count] = moved;
        sweep[count] = sweep_seconds<float>(tiles, context);
        std::printf(
            "topology: %zu points %.1f ms (%.0f M/s), build of %.0f tiles %.1f ms (%.2f M/s), "
            "carrying a field %.1f ms (%.1f GB/s)\n",
            n, around * 1e3, static_cast<double>(n) / around * 1e-6, count, made * 1e3,
            count / made * 1e-6, moved * 1e3, count * 512 * 8 / moved * 1e-9);
        std::fflush(stdout);
    }
    std::printf("slope tiles_around against points %.3f\n", slope(find));
    std::printf("slope build against tiles %.3f\n", slope(build));
    std::printf("slope carried against tiles %.3f\n", slope(carry));
    std::printf("slope sweep against tiles %.3f\n", slope(sweep));
}

}  // namespace

int main() {
    Context one(1), two(2);
    for (Context* context : {&one, &two}) {
        measure_sweep<float>("float", *context);
        measure_sweep<double>("double", *context);
    }
    measure_topology(one);
    return 0;
}
