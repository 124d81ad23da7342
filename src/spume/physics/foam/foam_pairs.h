// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "spume/physics/foam/foam_cells.h"

namespace spume {

/// Who is near whom in foam, for several steps: sorted by cells that are wider than needed by a
/// skin, and within the cells near a particle one bit for each other that was within reach and skin
/// when they were found. They hold until two particles have come closer by the skin.
///
///   home      the particles of one cell, and the stretches of particles in the cells around it:
///             those of its tile that come later in memory, then those of other tiles
///   bits      of each particle of the home: one a candidate, each stretch from a whole byte on
///
/// So a pair within a tile stands once, one across tiles at both of its particles: a tile can be
/// worked on without a look at what others write. A bit a candidate is a tenth of what lists of
/// names would need.
template <int D>
class FoamPairs {
  public:
    /// Sorts the foam and finds pairs at up to β times the mean of their radii, or up to `least`
    /// (m), unless what was found holds. Between two calls the foam may only be moved, and `moved`
    /// must tell.
    void follow(Foam<D>& foam, double beta, Context& context, double least = 0);

    /// Each particle has gone velocity · dt.
    void moved(const Foam<D>& foam, double dt, Context& context);

    int searches() const { return searches_; }
    std::size_t bytes() const;

    class Tile;
    /// f(tile) for each tile; tiles may be worked on at once.
    template <class F>
    void for_tiles(F&& f, Context& context) const;

  private:
    struct Stretch {
        std::uint32_t first = 0, last = 0;
        std::uint32_t bytes() const { return (last - first + 7) / 8; }
    };
    struct Home {
        std::uint32_t first = 0;      ///< of its particles, which end where the next one's begin
        std::uint32_t stretches = 0;  ///< where its own begin
        std::uint32_t others = 0;     ///< where those of other tiles begin
    };
    /// What one tile of a class holds. Homes are in order, and one more ends them.
    struct Piece {
        std::size_t first = 0, last = 0;  ///< its particles
        std::vector<Home> homes;
        std::vector<Stretch> stretches;
        std::vector<std::uint8_t> bits;
    };

    /// Tiles at most so far apart beyond reach and skin are compared for how they close in.
    double margin() const { return 16 * beta_ * skin_; }
    void find(const Foam<D>& foam, Context& context);
    void fill(Piece& piece, const FoamPiece& which, const Foam<D>& foam) const;
    void fill(Piece& piece, const Home& home, std::uint32_t last, const Foam<D>& foam) const;

    FoamCells<D> cells_;  ///< without the cells themselves once pairs are found
    std::vector<FoamPiece> which_;
    std::vector<Piece> pieces_;
    double beta_ = 0, least_ = 0, skin_ = 0;
    double near_ = 0;  ///< by which pairs may have come closer since they were found
    double far_ = 0;   ///< the same of particles in tiles that do not touch
    int searches_ = 0;
};

namespace detail {

/// Places of the ones in a byte, those first.
constexpr std::array<std::array<std::uint32_t, 8>, 256> places_of_bits() {
    std::array<std::array<std::uint32_t, 8>, 256> table{};
    for (unsigned b = 0; b < 256; ++b) {
        std::size_t n = 0;
        for (unsigned k = 0; k < 8; ++k)
            if (b >> k & 1) table[b][n++] = k;
    }
    return table;
}
inline constexpr auto kPlacesOfBits = places_of_bits();

/// Writes the numbers first + k of the ones of a byte and returns how many there are; what follows
/// them up to eight is overwritten.
inline std::size_t unpack_bits(std::uint8_t bits, std::uint32_t first, std::uint32_t* out) {
    using Eight = std::uint32_t __attribute__((vector_size(32), aligned(4), may_alias));
    const auto& places = *reinterpret_cast<const Eight*>(kPlacesOfBits[bits].data());
    *reinterpret_cast<Eight*>(out) = places + first;
    return std::size_t(__builtin_popcount(bits));
}

}  // namespace detail

/// The particles of one tile and who is near them.
template <int D>
class FoamPairs<D>::Tile {
  public:
    explicit Tile(const Piece& piece) : piece_(piece) {}

    std::size_t first() const { return piece_.first; }
    std::size_t last() const { return piece_.last; }
    std::size_t size() const { return piece_.last - piece_.first; }

    /// f(particle, others, mutual, count) for each particle: `others` are within reach, or a little
    /// farther. The first `mutual` are of this tile, and their pairs come this once, for both. The
    /// rest are of other tiles, whose turn it is to give them their part. After `count` of them the
    /// particle itself stands up to a multiple of eight.
    template <class F>
    void for_each(F&& f) const;

  private:
    const Piece& piece_;
};

template <int D>
template <class F>
void FoamPairs<D>::Tile::for_each(F&& f) const {
    std::vector<std::uint32_t> others;
    const std::uint8_t* bits = piece_.bits.data();
    for (std::size_t n = 0; n + 1 < piece_.homes.size(); ++n) {
        const Home &home = piece_.homes[n], &next = piece_.homes[n + 1];
        std::size_t most = 16;
        for (std::size_t s = home.stretches; s < next.stretches; ++s)
            most += 8 * std::size_t(piece_.stretches[s].bytes());
        if (others.size() < most) others.resize(most + most / 2);
        std::uint32_t* out = others.data();
        const auto unpack = [&](std::size_t begin, std::size_t stop, std::size_t count) {
            for (std::size_t s = begin; s < stop; ++s) {
                const Stretch& stretch = piece_.stretches[s];
                for (std::uint32_t first = stretch.first; first < stretch.last; first += 8)
                    count += detail::unpack_bits(*bits++, first, out + count);
            }
            return count;
        };
        for (std::uint32_t i = home.first; i < next.first; ++i) {
            const std::size_t mutual = unpack(home.stretches, home.others, 0),
                              count = unpack(home.others, next.stretches, mutual);
            std::fill_n(out + count, 8, i);
            f(std::size_t(i), others.data(), mutual, count);
        }
    }
}

template <int D>
template <class F>
void FoamPairs<D>::for_tiles(F&& f, Context& context) const {
    for_range(context.arena, pieces_.size(), 1, [&](std::size_t b, std::size_t e) {
        for (std::size_t p = b; p < e; ++p) f(Tile(pieces_[p]));
    });
}

}  // namespace spume
