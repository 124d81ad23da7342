// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "spume/core/random.h"
#include "spume/solve/pressure.h"

namespace spume {

/// Repeatable random numbers for tests.
struct Dice {
    std::uint64_t seed;
    std::uint64_t next = 0;
    double operator()() { return Random(seed, next++, 0, Purpose::kTest).uniform(0); }
    int below(int n) { return static_cast<int>((*this)() * n); }
};

struct SystemRecipe {
    std::uint64_t seed = 1;
    int box = 4;              ///< tiles along an axis
    double filled = 0.5;      ///< chance of a tile
    double solid = 0.15;      ///< chance of a cell without unknown
    double dirichlet = 0.05;  ///< chance of a cell with a known value
    double closed = 0.05;     ///< chance of a closed face
    double contrast = 1000;   ///< largest over smallest coefficient
    double extra = 0.02;      ///< chance of a cell with a Dirichlet value beyond the grid
};

/// Random cells, faces and values on a random set of tiles.
template <int D>
PressureSystem<D> random_system(const SystemRecipe& recipe) {
    Dice dice{recipe.seed};
    std::vector<Index<D>> keys;
    const int count = D == 2 ? recipe.box * recipe.box : recipe.box * recipe.box * recipe.box;
    for (int i = 0; i < count; ++i) {
        Index<D> k{};
        for (int a = 0, rest = i; a < D; ++a, rest /= recipe.box) k[a] = rest % recipe.box - 2;
        if (i == 0 || dice() < recipe.filled) keys.push_back(k);
    }
    auto tiles = Tiles<D>::build(keys, {});
    PressureSystem<D> s(tiles);
    s.known = CellField<double, D>(tiles);
    auto* kind = s.kind.write();
    auto* rhs = s.rhs.write();
    auto* known = s.known.write();
    for (int t = 0; t < tiles->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
            const double u = dice();
            kind[at] = u < recipe.solid                      ? kNoCell
                       : u < recipe.solid + recipe.dirichlet ? kDirichletCell
                                                             : kFluidCell;
            rhs[at] = dice() - 0.5;
            known[at] = dice();
        }
    for (int a = 0; a < D; ++a) {
        double* c = s.coefficient.write(a);
        // Stored border tiles too: faces towards them must be ignored.
        for (std::size_t i = 0; i < std::size_t(tiles->zero()) * kTileCells<D>; ++i)
            c[i] = dice() < recipe.closed
                       ? 0.0
                       : std::pow(recipe.contrast, std::floor(2 * dice())) * (0.5 + dice());
    }
    if (recipe.extra > 0)
        for (int t = 0; t < tiles->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o)
                if (dice() < recipe.extra && s.kind.at(t, o) == kFluidCell)
                    s.add_dirichlet(t, o, 3 * dice(), dice());
    return s;
}

/// Makes the cells of a ball trapped air: no unknowns, one pressure, which is eliminated.
template <int D>
void carve_bubble(PressureSystem<D>& s, const Point<D>& centre, double radius) {
    const Tiles<D>& tiles = *s.tiles;
    const auto inside = [&](const Index<D>& cell) {
        const Point<D> x = cell.template as<double>() + Point<D>::filled(0.5) - centre;
        return dot(x, x) < radius * radius;
    };
    LowRankTerm bubble;
    double total = 0;
    std::uint8_t* kind = s.kind.write();
    for (int t = 0; t < tiles.active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o)
            if (inside(tiles.origin(t) + tile_local<D>(o)))
                kind[std::size_t(t) * kTileCells<D> + std::size_t(o)] = kNoCell;
    for (int t = 0; t < tiles.active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            if (s.kind.at(t, o) != kFluidCell) continue;
            const Index<D> cell = tiles.origin(t) + tile_local<D>(o);
            const Point<D> off = cell.template as<double>() + Point<D>::filled(0.5) - centre;
            if (dot(off, off) > (radius + 1) * (radius + 1)) continue;
            for (int a = 0; a < D; ++a)
                for (int side = 0; side < 2; ++side) {
                    const Index<D> other = cell + Index<D>::unit(a, 2 * side - 1);
                    if (!inside(other) || !tiles.is_active(tiles.find(tile_of<D>(other)))) continue;
                    const Index<D> owner = side ? other : cell;
                    const double c = s.coefficient.at(a, tiles.find(tile_of<D>(owner)),
                                                      tile_offset<D>(local_of<D>(owner)));
                    if (c == 0) continue;
                    s.add_dirichlet(t, o, c, 0);
                    bubble.cells.push_back(std::size_t(t) * kTileCells<D> + std::size_t(o));
                    bubble.weights.push_back(c);
                    total += c;
                }
        }
    if (total == 0) return;
    bubble.scale = -1 / total;
    s.low_rank.push_back(std::move(bubble));
}

using Vector = std::vector<double>;

inline double dot(const Vector& a, const Vector& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
inline double norm(const Vector& a) { return std::sqrt(dot(a, a)); }
inline Vector operator-(Vector a, const Vector& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
    return a;
}

/// The same system written out cell by cell through lattice coordinates.
template <int D>
struct Written {
    std::vector<std::size_t> place;             ///< flat place of each unknown
    std::vector<std::map<int, double>> matrix;  ///< by row: column, entry
    Vector rhs;

    Vector times(const Vector& x) const {
        Vector y(matrix.size(), 0.0);
        for (std::size_t i = 0; i < y.size(); ++i)
            for (const auto& [j, a] : matrix[i]) y[i] += a * x[std::size_t(j)];
        return y;
    }
};

template <int D>
Written<D> write_out(const PressureSystem<D>& s) {
    Written<D> w;
    std::map<std::size_t, int> number;
    for (int t = 0; t < s.tiles->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o)
            if (s.kind.at(t, o) == kFluidCell) {
                const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
                number[at] = static_cast<int>(w.place.size());
                w.place.push_back(at);
            }
    const std::size_t n = w.place.size();
    w.matrix.resize(n);
    w.rhs.assign(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        const int t = static_cast<int>(w.place[i] / kTileCells<D>);
        const int o = static_cast<int>(w.place[i] % kTileCells<D>);
        const Index<D> cell = s.tiles->origin(t) + tile_local<D>(o);
        w.rhs[i] = s.rhs.at(t, o);
        double& diagonal = w.matrix[i][int(i)];
        if (s.diagonal_extra.tiles()) diagonal += s.diagonal_extra.at(t, o);
        for (int a = 0; a < D; ++a)
            for (int side = 0; side < 2; ++side) {
                const Index<D> other = cell + Index<D>::unit(a, 2 * side - 1);
                const Index<D> owner = side ? other : cell;
                const int tf = s.tiles->find(tile_of<D>(owner));
                const int tn = s.tiles->find(tile_of<D>(other));
                if (!s.tiles->is_active(tn)) continue;
                const double c = s.coefficient.at(a, tf, tile_offset<D>(local_of<D>(owner)));
                const int on = tile_offset<D>(local_of<D>(other));
                const int kind = s.kind.at(tn, on);
                if (kind == kNoCell) continue;
                diagonal += c;
                if (kind == kDirichletCell)
                    w.rhs[i] += s.known.tiles() ? c * s.known.at(tn, on) : 0.0;
                else
                    w.matrix[i][number.at(std::size_t(tn) * kTileCells<D> + std::size_t(on))] -= c;
            }
    }
    for (const LowRankTerm& term : s.low_rank)
        for (std::size_t i = 0; i < term.cells.size(); ++i)
            for (std::size_t j = 0; j < term.cells.size(); ++j)
                if (number.count(term.cells[i]) && number.count(term.cells[j]))
                    w.matrix[std::size_t(number[term.cells[i]])][number[term.cells[j]]] +=
                        term.scale * term.weights[i] * term.weights[j];
    return w;
}

template <int D>
Vector unknowns(const Written<D>& w, const CellField<double, D>& x) {
    Vector v(w.place.size());
    for (std::size_t i = 0; i < w.place.size(); ++i) v[i] = x.values()[w.place[i]];
    return v;
}

}  // namespace spume
