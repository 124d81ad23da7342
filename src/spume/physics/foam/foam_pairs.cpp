// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/foam_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spume {
namespace {

constexpr double kSkin = 0.25;   // of the smallest radius
constexpr double kRound = 1e-6;  // that rounding may hide of a reach

/// Of velocities; empty at first.
template <int D>
struct Spread {
    Vec<double, D> lo = Vec<double, D>::filled(std::numeric_limits<double>::max());
    Vec<double, D> hi = Vec<double, D>::filled(-std::numeric_limits<double>::max());

    void add(const Vec<double, D>& v) { lo = min(lo, v), hi = max(hi, v); }
    void add(const Spread& s) { lo = min(lo, s.lo), hi = max(hi, s.hi); }
    double size() const { return hi[0] < lo[0] ? 0 : length(hi - lo); }
};

template <int D>
std::size_t particles_of(const typename FoamCells<D>::Class& own, int tile, std::size_t& first) {
    const std::size_t place = std::size_t(tile) * kTileCells<D>;
    first = own.first + own.cells.first(place);
    return own.first + own.cells.last(place + kTileCells<D> - 1);
}

}  // namespace

template <int D>
void FoamPairs<D>::follow(Foam<D>& foam, double beta, Context& context, double least) {
    if (searches_ > 0 && beta == beta_ && least == least_ && near_ <= skin_ &&
        far_ <= skin_ + margin())
        return;
    Stage stage(context, "foam");
    beta_ = beta;
    least_ = least;
    const float smallest = reduce(
        context.arena, foam.size(), 1 << 14, std::numeric_limits<float>::max(),
        [&](std::size_t b, std::size_t e) {
            return *std::min_element(foam.radius.data() + b, foam.radius.data() + e);
        },
        [](float a, float b) { return std::min(a, b); });
    skin_ = foam.size() > 0 ? kSkin * double(smallest) : 0;
    cells_ = sorted_foam(foam, beta, context, skin_, least);
    find(foam, context);
    near_ = far_ = 0;
    ++searches_;
}

template <int D>
void FoamPairs<D>::find(const Foam<D>& foam, Context& context) {
    which_ = foam_pieces(cells_);
    pieces_.assign(which_.size(), {});
    for_range(context.arena, which_.size(), 1, [&](std::size_t b, std::size_t e) {
        for (std::size_t n = b; n < e; ++n) fill(pieces_[n], which_[n], foam);
    });
    for (auto& c : cells_.classes) c.cells = {};
}

template <int D>
void FoamPairs<D>::fill(Piece& piece, const FoamPiece& which, const Foam<D>& foam) const {
    const auto& own = cells_.classes[which.which];
    piece.last = particles_of<D>(own, which.tile, piece.first);
    std::vector<Stretch> beyond;
    for (int o = 0; o < kTileCells<D>; ++o) {
        const std::size_t place = std::size_t(which.tile) * kTileCells<D> + std::size_t(o);
        if (own.cells.count(place) == 0) continue;
        Home home;
        home.first = static_cast<std::uint32_t>(own.first + own.cells.first(place));
        home.stretches = static_cast<std::uint32_t>(piece.stretches.size());
        beyond.clear();
        for_near<D>(cells_, own, own.tiles->origin(which.tile) + tile_local<D>(o),
                    [&](std::size_t first, std::size_t last) {
                        const bool within = first >= piece.first && last <= piece.last;
                        if (within) first = std::max(first, std::size_t(home.first));
                        if (first < last)
                            (within ? piece.stretches : beyond)
                                .push_back({std::uint32_t(first), std::uint32_t(last)});
                    });
        home.others = static_cast<std::uint32_t>(piece.stretches.size());
        piece.stretches.insert(piece.stretches.end(), beyond.begin(), beyond.end());
        fill(piece, home, static_cast<std::uint32_t>(own.first + own.cells.last(place)), foam);
        piece.homes.push_back(home);
    }
    const auto end = static_cast<std::uint32_t>(piece.stretches.size());
    piece.homes.push_back({static_cast<std::uint32_t>(piece.last), end, end});
    piece.homes.shrink_to_fit();
    piece.stretches.shrink_to_fit();
    piece.bits.shrink_to_fit();
}

template <int D>
void FoamPairs<D>::fill(Piece& piece, const Home& home, std::uint32_t last,
                        const Foam<D>& foam) const {
    const Point<D>* x = foam.position.data();
    const float* radius = foam.radius.data();
    const double half = beta_ / 2 * (1 + kRound), least = least_ * (1 + kRound);
    std::size_t bytes = 0;
    for (std::size_t s = home.stretches; s < piece.stretches.size(); ++s)
        bytes += piece.stretches[s].bytes();
    const std::size_t begin = piece.bits.size();
    piece.bits.resize(begin + bytes * (last - home.first));
    std::uint8_t* bits = piece.bits.data() + begin;
    for (std::uint32_t i = home.first; i < last; ++i)
        for (std::size_t s = home.stretches; s < piece.stretches.size(); ++s) {
            const Stretch& stretch = piece.stretches[s];
            for (std::uint32_t j = stretch.first; j < stretch.last; j += 8) {
                const std::uint32_t count = std::min(8u, stretch.last - j);
                unsigned byte = 0;
                for (std::uint32_t k = 0; k < count; ++k) {
                    const Vec<double, D> d = x[i] - x[j + k];
                    const double reach =
                        std::max(half * (double(radius[i]) + double(radius[j + k])), least) + skin_;
                    byte |= unsigned(dot(d, d) <= reach * reach) << k;
                }
                // Within the tile only those after it.
                if (s < home.others && i >= j) byte &= i - j < 7 ? ~0u << (i - j + 1) : 0u;
                *bits++ = static_cast<std::uint8_t>(byte);
            }
        }
}

template <int D>
void FoamPairs<D>::moved(const Foam<D>& foam, double dt, Context& context) {
    if (foam.size() == 0) return;
    // Where each class has its first tile among all.
    std::vector<std::size_t> base(cells_.classes.size() + 1, 0);
    for (std::size_t c = 0; c < cells_.classes.size(); ++c)
        base[c + 1] = base[c] + std::size_t(cells_.classes[c].tiles->active());
    std::vector<Spread<D>> spread(which_.size());
    for_range(context.arena, which_.size(), 8, [&](std::size_t b, std::size_t e) {
        for (std::size_t n = b; n < e; ++n) {
            for (std::size_t i = pieces_[n].first; i < pieces_[n].last; ++i)
                spread[n].add(foam.velocity[i]);
        }
    });
    Spread<D> all;
    double widest = 0;
    for (std::size_t n = 0; n < which_.size(); ++n) {
        const auto& own = cells_.classes[which_[n].which];
        all.add(spread[n]);
        Spread<D> around = spread[n];
        // Of the classes that reach as far or farther; the others look here.
        for (std::size_t c = which_[n].which; c < cells_.classes.size(); ++c) {
            const auto& other = cells_.classes[c];
            const double width = other.reach * kTileSide<D>;
            const Point<D> lo = own.tiles->origin(which_[n].tile).template as<double>() * own.reach;
            const double beyond = (own.reach + other.reach) / 2 + skin_ + margin();
            Index<D> from{}, to{}, at{};
            for (int a = 0; a < D; ++a) {
                from[a] = static_cast<int>(std::floor((lo[a] - beyond) / width));
                to[a] = static_cast<int>(
                    std::floor((lo[a] + own.reach * kTileSide<D> + beyond) / width));
            }
            at = from;
            while (true) {
                const int tile = other.tiles->find(at);
                if (other.tiles->is_active(tile)) around.add(spread[base[c] + std::size_t(tile)]);
                int a = D - 1;
                for (; a >= 0; --a) {
                    if (++at[a] <= to[a]) break;
                    at[a] = from[a];
                }
                if (a < 0) break;
            }
        }
        widest = std::max(widest, around.size());
    }
    near_ += widest * dt * (1 + kRound);
    far_ += all.size() * dt * (1 + kRound);
}

template <int D>
std::size_t FoamPairs<D>::bytes() const {
    std::size_t sum = pieces_.size() * (sizeof(Piece) + sizeof(FoamPiece));
    for (const Piece& p : pieces_)
        sum += p.homes.capacity() * sizeof(Home) + p.stretches.capacity() * sizeof(Stretch) +
               p.bits.capacity();
    return sum;
}

template class FoamPairs<2>;
template class FoamPairs<3>;

}  // namespace spume
