// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "spume/core/random.h"
#include "spume/particles/liquid.h"

namespace spume {

/// A number for a cell that no other cell of a lattice of this size shares.
template <int D>
std::uint64_t cell_number(const Index<D>& cell) {
    std::uint64_t n = 0;
    for (int a = 0; a < D; ++a)
        n = n << 21 | (static_cast<std::uint64_t>(cell[a] + (1 << 20)) & 0x1fffff);
    return n;
}

/// A random place in part `k` of the 2^D parts of a cell, on the lattice.
template <int D>
Point<D> place_in_part(std::uint64_t seed, const Index<D>& cell, int k, std::uint32_t step) {
    const Random random(seed, cell_number<D>(cell), step, Purpose::kJitter);
    const Vec<double, D> u = random.uniform_vec<D>(static_cast<std::uint32_t>(k * D));
    Point<D> x = cell.template as<double>();
    for (int a = 0; a < D; ++a) x[a] += 0.5 * ((k >> a & 1) + u[a]);
    return x;
}

/// New particles in the making, of one piece of the domain.
template <int D>
struct SeededParticles {
    std::vector<Point<D>> positions{};
    std::vector<Vec<double, D>> velocities{};
    std::vector<float> excesses{};

    void add(const Point<D>& x, const Vec<double, D>& v, float excess) {
        positions.push_back(x);
        velocities.push_back(v);
        excesses.push_back(excess);
    }
};

/// Appends all pieces at once, in their order.
template <int D>
std::size_t append_all(Liquid<D>& liquid, std::span<const SeededParticles<D>> pieces) {
    std::size_t n = 0;
    for (const auto& piece : pieces) n += piece.positions.size();
    Liquid<D> fresh;
    resize(fresh, n);
    auto x = fresh.position.write();
    auto v = fresh.velocity.write();
    auto excess = fresh.excess.write();
    std::size_t at = 0;
    for (const auto& piece : pieces) {
        std::copy(piece.positions.begin(), piece.positions.end(), x.begin() + at);
        std::copy(piece.velocities.begin(), piece.velocities.end(), v.begin() + at);
        std::copy(piece.excesses.begin(), piece.excesses.end(), excess.begin() + at);
        at += piece.positions.size();
    }
    append(liquid, fresh);
    return n;
}

template <int D>
int part_of(const Point<D>& lattice) {
    int k = 0;
    for (int a = 0; a < D; ++a) k |= int(lattice[a] - std::floor(lattice[a]) >= 0.5) << a;
    return k;
}

}  // namespace spume
