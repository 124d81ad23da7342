// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/particles/transfer.h"

#include <cstring>
#include <functional>

#include <gtest/gtest.h>

#include "spume/core/error.h"
#include "spume/core/random.h"
#include "spume/grid/topology.h"
#include "spume/particles/bubbles.h"

namespace spume {
namespace {

template <int D>
struct Case {
    Bubbles<D> set;
    Clamp<D> clamp;
    TileRanges<D> ranges;
};

template <int D>
Point<D> random_vec(std::uint64_t id, std::uint32_t step) {
    return Random(11, id, step, Purpose::kTest).uniform_vec<D>(0) * 2.0 - Point<D>::filled(1);
}

template <int D>
Bubbles<D> cloud(std::size_t n, const Point<D>& lo, const Point<D>& hi) {
    Bubbles<D> fresh, set;
    resize(fresh, n);
    auto x = fresh.position.write();
    auto v = fresh.velocity.write();
    auto r = fresh.radius.write();
    for (std::size_t i = 0; i < n; ++i) {
        // Half of them in a lump, so that tiles hold very different numbers.
        Point<D> u = random_vec<D>(i, 0) * 0.5 + Point<D>::filled(0.5);
        if (i % 2) u = u * 0.2 + Point<D>::filled(0.55);
        x[i] = lo + multiply(u, hi - lo);
        v[i] = random_vec<D>(i, 1);
        r[i] = static_cast<float>(1.5 + random_vec<D>(i, 2)[0]);
    }
    append(set, fresh);
    return set;
}

/// Sparse tiles around bubbles in open water.
template <int D>
Case<D> open_case(std::size_t n, Context& context, double mirror = 1) {
    const Transform<D> transform{0.25, Point<D>::filled(0)};
    Case<D> c;
    c.set = cloud<D>(n, Point<D>::filled(-11.3), Point<D>::filled(9.7));
    if (mirror < 0)
        for (auto& x : c.set.position.write()) x[0] = -x[0];
    const Box<int, D> all{Index<D>::filled(-10000), Index<D>::filled(10000)};
    const auto tiles = Tiles<D>::build(
        tiles_around<D>(c.set.position.read(), transform, 1, 0, all, context), transform);
    c.ranges = sort_by_tile(c.set, tiles, context, c.clamp);
    return c;
}

/// A closed box whose walls are not on tile borders except one, with particles on and near walls.
template <int D>
Case<D> closed_case(std::size_t n, Context& context) {
    const Transform<D> transform{0.25, Point<D>::filled(0.1)};
    const int side = kTileSide<D>;
    Box<int, D> cells{Index<D>::filled(-side), Index<D>::filled(2 * side)};
    cells.hi[0] -= 3;
    Case<D> c;
    c.clamp = Clamp<D>::closed(cells);
    const Point<D> lo = transform.to_world(cells.lo.template as<double>());
    const Point<D> hi = transform.to_world(cells.hi.template as<double>());
    c.set = cloud<D>(n, lo, hi);
    auto x = c.set.position.write();
    for (std::size_t i = 0; i < n; i += 7) {
        const int axis = static_cast<int>(i) % D;
        x[i][axis] = i % 2 ? lo[axis] : hi[axis];
    }
    x[0] = lo;
    x[1] = hi;
    c.ranges = sort_by_tile(c.set, Tiles<D>::dense(cells, transform), context, c.clamp);
    return c;
}

double hashed(std::uint64_t a, std::uint64_t b) {
    return Random(a, b, 0, Purpose::kTest).uniform(0) - 0.5;
}

// One instance of the transfers for each type, dimension and number of channels, however many
// tests use it: they are what takes long to compile here.

template <class T, int D, std::size_t K>
void scatter(const Case<D>& c, const std::function<std::array<T, K>(std::size_t, int)>& value,
             std::array<FaceField<T, D>, K>& sums, Context& context) {
    scatter_to_faces(c.set.position.read(), c.ranges, c.clamp, value, sums, context);
}
template <class T, int D>
void gather(const Case<D>& c, const FaceField<T, D>& field,
            const std::function<void(std::size_t, const Vec<T, D>&)>& sink, Context& context) {
    gather_from_faces(c.set.position.read(), c.ranges, c.clamp, field, sink, context);
}

/// Random values on every face of the region, zero elsewhere.
template <class T, int D>
FaceField<T, D> random_field(const typename Tiles<D>::Ptr& tiles, std::uint64_t seed) {
    FaceField<T, D> f(tiles);
    Arena arena(1);
    for (int a = 0; a < D; ++a) {
        T* w = f.write(a);
        for_faces(arena, *tiles, a, [&](int t, int o) {
            w[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                static_cast<T>(hashed(seed + std::uint64_t(a), std::uint64_t(t) * 4096 + o));
        });
    }
    return f;
}

/// The sum over the faces of the region alone.
template <class T, int D, class F>
double sum_over_faces(const Tiles<D>& tiles, int axis, F&& f) {
    Arena arena(1);
    double s = 0;
    for_faces(arena, tiles, axis, [&](int t, int o) { s += f(t, o); });
    return s;
}

template <class T, int D>
void expect_adjoint(const Case<D>& c, Context& context, double tolerance) {
    const auto value = [&](std::size_t i, int axis) {
        const double m = c.set.radius[i];
        return std::array<T, 3>{static_cast<T>(m), static_cast<T>(m * c.set.velocity[i][axis]),
                                static_cast<T>(hashed(5, c.set.id[i] * 4 + std::uint64_t(axis)))};
    };
    std::array<FaceField<T, D>, 3> sums;
    scatter_to_faces(c.set.position.read(), c.ranges, c.clamp, value, sums, context);
    std::array<FaceField<T, D>, 3> probe;
    for (std::size_t k = 0; k < 3; ++k) probe[k] = random_field<T, D>(c.ranges.tiles, 100 + 10 * k);
    for (std::size_t k = 0; k < 3; ++k) {
        double left = 0, right = 0, scale = 0;
        for (int a = 0; a < D; ++a)
            left += sum_over_faces<T, D>(*c.ranges.tiles, a, [&](int t, int o) {
                return double(sums[k].at(a, t, o)) * double(probe[k].at(a, t, o));
            });
        std::vector<std::array<Vec<T, D>, 3>> at(c.set.size());
        gather_from_faces(
            c.set.position.read(), c.ranges, c.clamp,
            std::array<const FaceField<T, D>*, 3>{&probe[0], &probe[1], &probe[2]},
            [&](std::size_t i, const auto& v) { at[i] = v; }, context);
        for (std::size_t i = 0; i < c.set.size(); ++i)
            for (int a = 0; a < D; ++a) {
                const double term = double(value(i, a)[k]) * double(at[i][k][a]);
                right += term;
                scale += std::abs(term);
            }
        EXPECT_GT(scale, 1.0);
        EXPECT_NEAR(left, right, tolerance * scale) << "channel " << k;
    }
}

TEST(Transfer, GatherIsTheTransposeOfScatter) {
    Context context(2);
    expect_adjoint<double, 2>(open_case<2>(5000, context), context, 1e-14);
    expect_adjoint<double, 3>(open_case<3>(8000, context), context, 1e-14);
    expect_adjoint<double, 2>(closed_case<2>(5000, context), context, 1e-14);
    expect_adjoint<double, 3>(closed_case<3>(8000, context), context, 1e-14);
    expect_adjoint<float, 2>(open_case<2>(5000, context), context, 1e-6);
    expect_adjoint<float, 3>(closed_case<3>(8000, context), context, 1e-6);
}

template <int D>
void expect_conserved(const Case<D>& c, Context& context) {
    std::array<FaceField<double, D>, 2> sums;
    scatter<double, D, 2>(
        c,
        [&](std::size_t i, int axis) {
            const double volume = c.set.radius[i];
            return std::array<double, 2>{volume, volume * c.set.velocity[i][axis]};
        },
        sums, context);
    double volume = 0;
    Point<D> momentum{};
    for (std::size_t i = 0; i < c.set.size(); ++i) {
        volume += c.set.radius[i];
        momentum += c.set.velocity[i] * double(c.set.radius[i]);
    }
    for (int a = 0; a < D; ++a) {
        const auto total = [&](std::size_t k) {
            return sum_over_faces<double, D>(*c.ranges.tiles, a,
                                             [&](int t, int o) { return sums[k].at(a, t, o); });
        };
        EXPECT_NEAR(total(0), volume, 1e-13 * volume);
        EXPECT_NEAR(total(1), momentum[a], 1e-13 * volume);
    }
}

TEST(Transfer, VolumeAndMomentumAreConserved) {
    Context context(2);
    expect_conserved(open_case<2>(5000, context), context);
    expect_conserved(open_case<3>(8000, context), context);
    expect_conserved(closed_case<2>(5000, context), context);
    expect_conserved(closed_case<3>(8000, context), context);
}

template <int D>
void expect_linear_reproduced(Context& context) {
    const Case<D> c = open_case<D>(5000, context);
    const Tiles<D>& tiles = *c.ranges.tiles;
    const auto linear = [](int a, const Point<D>& x) {
        double r = 0.3 + a;
        for (int d = 0; d < D; ++d) r += (d + 1 - 2 * a) * x[d];
        return r;
    };
    FaceField<double, D> field(c.ranges.tiles);
    Arena arena(1);
    for (int a = 0; a < D; ++a) {
        double* w = field.write(a);
        for_faces(arena, tiles, a, [&](int t, int o) {
            w[std::size_t(t) * kTileCells<D> + std::size_t(o)] = linear(a, field.position(a, t, o));
        });
    }
    gather<double, D>(
        c, field,
        [&](std::size_t i, const Vec<double, D>& v) {
            for (int a = 0; a < D; ++a) EXPECT_NEAR(v[a], linear(a, c.set.position[i]), 1e-12);
        },
        context);
}

TEST(Transfer, LinearFieldsAreReproduced) {
    Context context(1);
    expect_linear_reproduced<2>(context);
    expect_linear_reproduced<3>(context);
}

TEST(Transfer, AtAClosedWallTheLastSampleIsContinued) {
    Context context(1);
    const Box<int, 2> cells{{0, 0}, {16, 16}};
    Bubbles<2> fresh, set;
    resize(fresh, 1);
    fresh.position.write()[0] = {16.0, 0.2};
    append(set, fresh);
    const auto clamp = Clamp<2>::closed(cells);
    const auto ranges = sort_by_tile(set, Tiles<2>::dense(cells, {}), context, clamp);
    const Case<2> c{set, clamp, ranges};
    FaceField<double, 2> field(ranges.tiles);
    Arena arena(1);
    for (int a = 0; a < 2; ++a) {
        double* w = field.write(a);
        for_faces(arena, *ranges.tiles, a, [&](int t, int o) {
            const Point<2> x = field.position(a, t, o);
            w[std::size_t(t) * 256 + std::size_t(o)] = 100 * x[0] + x[1];
        });
    }
    gather<double, 2>(
        c, field,
        [&](std::size_t, const Vec<double, 2>& v) {
            EXPECT_DOUBLE_EQ(v[0], 1600.5);   // on the wall; half a cell up
            EXPECT_NEAR(v[1], 1550.2, 1e-9);  // last column; linear along y
        },
        context);
}

TEST(Transfer, AStencilOutsideTheTilesIsADefect) {
    Context context(1);
    Bubbles<3> fresh, set;
    resize(fresh, 1);
    fresh.position.write()[0] = {4.0, 4.0, 0.2};
    append(set, fresh);
    const auto ranges = sort_by_tile(set, Tiles<3>::dense({{0, 0, 0}, {8, 8, 8}}, {}), context);
    std::array<FaceField<double, 3>, 1> sums;
    const auto one = [](std::size_t, int) { return std::array<double, 1>{1.0}; };
    const Case<3> c{set, {}, ranges};
    EXPECT_THROW((scatter<double, 3, 1>(c, one, sums, context)), Defect);
}

/// Faces of a mirrored cloud are the mirrored faces; the sums differ by the order of addition only.
template <int D>
void expect_mirrored(Context& context) {
    const Case<D> c = open_case<D>(4000, context), m = open_case<D>(4000, context, -1);
    const auto volume = [](const Case<D>& x) {
        return [&x](std::size_t i, int) { return std::array<double, 1>{x.set.radius[i]}; };
    };
    std::array<FaceField<double, D>, 1> a, b;
    scatter<double, D, 1>(c, volume(c), a, context);
    scatter<double, D, 1>(m, volume(m), b, context);
    Arena arena(1);
    double largest = 0;
    for (int axis = 0; axis < D; ++axis)
        for_faces(arena, *c.ranges.tiles, axis, [&](int t, int o) {
            Index<D> face = c.ranges.tiles->origin(t) + tile_local<D>(o);
            face[0] = axis == 0 ? -face[0] : -1 - face[0];
            const int tile = m.ranges.tiles->find(tile_of<D>(face));
            const double x = a[0].at(axis, t, o);
            const double y = b[0].at(axis, tile, tile_offset<D>(local_of<D>(face)));
            EXPECT_NEAR(x, y, 1e-12);
            largest = std::max(largest, x);
        });
    EXPECT_GT(largest, 1.0);
}

TEST(Transfer, MirroredParticlesGiveMirroredFaces) {
    Context context(1);
    expect_mirrored<2>(context);
    expect_mirrored<3>(context);
}

template <class T, int D>
void expect_same_bits() {
    std::array<FaceField<T, D>, 4> first;
    std::vector<Vec<T, D>> gathered;
    for (int threads : {1, 2, 3, 4, 8}) {
        Context context(threads);
        const Case<D> c = open_case<D>(20000, context);
        std::array<FaceField<T, D>, 4> sums;
        scatter_to_faces(
            c.set.position.read(), c.ranges, c.clamp,
            [&](std::size_t i, int axis) {
                const T r = c.set.radius[i], v = static_cast<T>(c.set.velocity[i][axis]);
                return std::array<T, 4>{r, r * v, r * v * v, v};
            },
            sums, context);
        std::vector<Vec<T, D>> values(c.set.size());
        gather<T, D>(
            c, sums[1], [&](std::size_t i, const Vec<T, D>& v) { values[i] = v; }, context);
        if (threads == 1) {
            first = sums;
            gathered = values;
            continue;
        }
        for (std::size_t k = 0; k < 4; ++k)
            for (int a = 0; a < D; ++a) {
                const auto& x = first[k].component(a);
                ASSERT_EQ(x.size(), sums[k].component(a).size());
                EXPECT_EQ(std::memcmp(x.data(), sums[k].read(a), x.size() * sizeof(T)), 0)
                    << threads << " threads, channel " << k << ", axis " << a;
            }
        EXPECT_EQ(std::memcmp(gathered.data(), values.data(), values.size() * sizeof(values[0])),
                  0);
    }
}

TEST(Transfer, SameBitsOnAnyThreadCount) {
    expect_same_bits<double, 2>();
    expect_same_bits<double, 3>();
    expect_same_bits<float, 2>();
    expect_same_bits<float, 3>();
}

/// Against weights written out face by face.
template <int D>
void expect_hat_weights(const Case<D>& c, Context& context) {
    std::array<FaceField<double, D>, 1> sums;
    scatter<double, D, 1>(
        c, [&](std::size_t i, int) { return std::array<double, 1>{c.set.radius[i]}; }, sums,
        context);
    Arena arena(1);
    const Tiles<D>& tiles = *c.ranges.tiles;
    for (int axis = 0; axis < D; ++axis) {
        int checked = 0;
        for_faces(arena, tiles, axis, [&](int t, int o) {
            if (hashed(77, std::uint64_t(t) * 512 + std::uint64_t(o)) > -0.48) return;
            ++checked;
            const Point<D> face = tiles.transform().to_lattice(sums[0].position(axis, t, o));
            double expected = 0;
            for (std::size_t i = 0; i < c.set.size(); ++i) {
                const Point<D> u = tiles.transform().to_lattice(c.set.position[i]);
                double w = c.set.radius[i];
                for (int d = 0; d < D; ++d) w *= std::max(0.0, 1 - std::abs(u[d] - face[d]));
                expected += w;
            }
            EXPECT_NEAR(sums[0].at(axis, t, o), expected, 1e-11);
        });
        EXPECT_GT(checked, 100);
    }
}

TEST(Transfer, WeightsAreTheMultilinearHat) {
    Context context(1);
    expect_hat_weights(open_case<2>(1000, context), context);
    expect_hat_weights(open_case<3>(1000, context), context);
}

}  // namespace
}  // namespace spume
