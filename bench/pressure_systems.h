// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>
#include <string>
#include <unordered_set>

#include "spume/core/random.h"
#include "spume/solve/pressure.h"

namespace spume::bench {

struct Sphere {
    Point<3> centre;
    double radius;
    bool holds(const Point<3>& x) const { return dot(x - centre, x - centre) < radius * radius; }
};

/// Spheres in the unit cube.
inline std::vector<Sphere> random_spheres(int count, double least, double most) {
    std::vector<Sphere> spheres;
    for (int i = 0; i < count; ++i) {
        const Random random(17, static_cast<std::uint64_t>(i), 0, Purpose::kTest);
        spheres.push_back({random.uniform_vec<3>(0), least + (most - least) * random.uniform(3)});
    }
    return spheres;
}

inline bool in_any(const std::vector<Sphere>& spheres, const Point<3>& x) {
    for (const Sphere& s : spheres)
        if (s.holds(x)) return true;
    return false;
}

/// A value zero half a coefficient's reach beyond every face towards a tile that is not there.
inline void open_border(PressureSystem<3>& s, int n, double c) {
    const Tiles<3>& tiles = *s.tiles;
    for (int t = 0; t < tiles.active(); ++t)
        for (int face = 0; face < 6; ++face) {
            Index<3> step{};
            step[face / 2] = face % 2 ? 1 : -1;
            if (tiles.is_active(tiles.neighbour(t, step))) continue;
            for (int o = 0; o < kTileCells<3>; ++o)
                if (tile_local<3>(o)[face / 2] == (face % 2 ? 7 : 0)) s.add_dirichlet(t, o, c, 0);
        }
    (void)n;
}

/// Face coefficients from a density of cells, averaged on faces; right-hand side half smooth, half
/// noise, so that no part of the spectrum is left out.
template <class Density>
void fill(PressureSystem<3>& s, int n, Density&& density) {
    const Tiles<3>& tiles = *s.tiles;
    double* rhs = s.rhs.write();
    std::uint8_t* kind = s.kind.write();
    CellField<double, 3> rho(s.tiles, 1.0);
    double* r = rho.write();
    for (int t = 0; t < tiles.active(); ++t)
        for (int o = 0; o < kTileCells<3>; ++o) {
            const std::size_t at = std::size_t(t) * kTileCells<3> + std::size_t(o);
            const Index<3> c = tiles.origin(t) + tile_local<3>(o);
            r[at] = density((c.as<double>() + Point<3>::filled(0.5)) / double(n));
            kind[at] = kFluidCell;
            const auto id = static_cast<std::uint64_t>((c[0] * 1024 + c[1]) * 1024 + c[2]);
            rhs[at] = 1 + 2 * (Random(5, id, 0, Purpose::kTest).uniform(0) - 0.5);
        }
    double* out[3] = {s.coefficient.write(0), s.coefficient.write(1), s.coefficient.write(2)};
    for (int t = 0; t < tiles.active(); ++t)
        for (int a = 0; a < 3; ++a)
            for (int o = 0; o < kTileCells<3>; ++o) {
                const bool edge = tile_local<3>(o)[a] == 0;
                const int below = edge ? tiles.neighbour(t, Index<3>::unit(a, -1)) : t;
                if (!tiles.is_active(below)) continue;
                const double other =
                    rho.at(below, edge ? o + 7 * tile_stride<3>(a) : o - tile_stride<3>(a));
                out[a][std::size_t(t) * kTileCells<3> + std::size_t(o)] =
                    double(float(2 / (rho.at(t, o) + other)));
            }
}

inline std::vector<Index<3>> clustered_tiles(int side, double share) {
    const auto wanted = static_cast<std::size_t>(share * side * side * side);
    std::vector<std::uint8_t> on(static_cast<std::size_t>(side * side * side), 0);
    std::vector<Index<3>> keys;
    for (std::uint64_t i = 0; keys.size() < wanted; ++i) {
        const Random random(23, i, 0, Purpose::kTest);
        const Sphere s{random.uniform_vec<3>(0) * double(side),
                       side * (0.03 + 0.1 * random.uniform(3))};
        for (int k = 0; k < side * side * side && keys.size() < wanted; ++k) {
            const Index<3> key{k / side / side, k / side % side, k % side};
            if (on[std::size_t(k)] || !s.holds(key.as<double>() + Point<3>::filled(0.5))) continue;
            on[std::size_t(k)] = 1;
            keys.push_back(key);
        }
    }
    return keys;
}

/// The systems of docs/benchmarks/pressure.md; n cells along an axis.
inline PressureSystem<3> make_system(char name, int n) {
    const Transform<3> unit{1.0 / n, {}};
    if (name == 'e') {
        PressureSystem<3> s(Tiles<3>::build(clustered_tiles(n / 8, 0.2), unit));
        fill(s, n, [](const Point<3>& x) {
            return 1 - 0.5 * std::abs(std::sin(9 * x[0]) * std::sin(7 * x[1]) * std::sin(8 * x[2]));
        });
        open_border(s, n, 1);
        return s;
    }
    PressureSystem<3> s(Tiles<3>::dense({{0, 0, 0}, {n, n, n}}, unit));
    if (name == 'a') {
        fill(s, n, [](const Point<3>&) { return 1.0; });
        open_border(s, n, 1);
    } else if (name == 'b' || name == 'c') {
        const auto air = random_spheres(30, 0.03, 0.1);
        const double light = name == 'b' ? 1e-3 : 1e-1;
        fill(s, n, [&](const Point<3>& x) { return in_any(air, x) ? light : 1.0; });
        open_border(s, n, 1);
    } else {
        const auto air = random_spheres(40, 0.02, 0.06);
        fill(s, n, [](const Point<3>&) { return 1.0; });
        std::uint8_t* kind = s.kind.write();
        for (int t = 0; t < s.tiles->active(); ++t)
            for (int o = 0; o < kTileCells<3>; ++o) {
                const Point<3> x = s.rhs.position(t, o);
                if (x[1] > 0.5 || in_any(air, x))
                    kind[std::size_t(t) * kTileCells<3> + std::size_t(o)] = kDirichletCell;
            }
    }
    return s;
}

}  // namespace spume::bench
