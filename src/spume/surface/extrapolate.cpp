// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/extrapolate.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "spume/grid/halo.h"
#include "spume/grid/sample.h"

namespace spume {
namespace {

struct Filled {
    std::uint32_t place;
    double value;
};

/// How much of a tile is known: nothing, a part, all.
enum Share : std::uint8_t { kNone, kSome, kAll };

/// Which neighbours of a face a wall that parts hides from it.
template <int D>
struct Sight {
    const FaceField<double, D>& field;
    int axis;
    const Parting<D>* parting;

    bool beside(int t, int o) const {
        return parting && parting->any() && parting->beside.at(t, o);
    }
    unsigned hidden(int t, int o) const {
        unsigned r = 0;
        const Point<D> x = field.position(axis, t, o);
        for (int side = 0; side < 2 * D; ++side) {
            const double way = (side % 2 ? 1 : -1) * field.tiles()->voxel();
            if (!parting->sees(x, x + Point<D>::unit(side / 2, way))) r |= 1u << side;
        }
        return r;
    }
};

/// The value u of a neighbour, and the slope from there on, the lesser of two that agree in sign;
/// `cell` is the place it is continued to, `step` the way to the neighbour. A velocity along that
/// way which grows outwards belongs to liquid in free flight, u_t + u u_x = 0: after a time t its
/// slope s is s / (1 + s t). `flight` is that of the substep, s/voxel; 0 for other slopes.
template <int D>
double along_slope(double u, const double* values, const std::uint8_t* valid, TileCursor<D>& cursor,
                   const Index<D>& cell, const Index<D>& step, double flight) {
    const std::size_t second = cursor(cell + step * 2), third = cursor(cell + step * 3);
    if (!valid[second] || !valid[third]) return u;
    const double near = u - values[second], far = values[second] - values[third];
    if (!(near * far > 0)) return u;
    const double slope = std::abs(near) < std::abs(far) ? near : far;
    double outwards = 0;
    for (int a = 0; a < D; ++a) outwards -= step[a] * slope;
    return u + slope / (1 + std::max(0.0, outwards) * flight);
}

template <int D>
void next_layer(const double* values, const std::uint8_t* valid, const Tiles<D>& tiles, int t,
                bool sloped, double flight, const Sight<D>& sight, std::vector<Filled>& out) {
    HaloBlock<std::uint8_t, D, 1> marks;
    HaloBlock<double, D, 1> block;
    load_halo(valid, tiles, t, marks);
    TileCursor<D> cursor(tiles);
    bool loaded = false;
    for (int o = 0; o < kTileCells<D>; ++o) {
        const int at = marks.at(tile_local<D>(o));
        if (marks.v[at]) continue;
        int count = 0;
        unsigned hidden = 0;  // neighbours beyond a wall, a bit each
        if (sight.beside(t, o)) hidden = sight.hidden(t, o);
        for (int a = 0; a < D; ++a)
            count += (hidden >> (2 * a) & 1 ? 0 : marks.v[at - marks.stride(a)]) +
                     (hidden >> (2 * a + 1) & 1 ? 0 : marks.v[at + marks.stride(a)]);
        if (count == 0) continue;
        if (!loaded) {
            load_halo(values, tiles, t, block);
            loaded = true;
        }
        const auto says = [&](int a, int way) {
            const int from = at + way * marks.stride(a);
            if (!marks.v[from] || (hidden >> (2 * a + (way + 1) / 2) & 1)) return 0.0;
            if (!sloped) return block.v[from];
            return along_slope<D>(block.v[from], values, valid, cursor,
                                  tiles.origin(t) + tile_local<D>(o), Index<D>::unit(a) * way,
                                  a == sight.axis ? flight : 0.0);
        };
        // Opposite neighbours are added first: a mirrored field gives mirrored sums.
        double sum = 0;
        for (int a = 0; a < D; ++a) sum += says(a, -1) + says(a, 1);
        out.push_back({static_cast<std::uint32_t>(t * kTileCells<D> + o), sum / count});
    }
}

}  // namespace

template <int D>
void extrapolate(FaceField<double, D>& field, FaceField<std::uint8_t, D>& valid, int layers,
                 Context& context, Continuation how, const Parting<D>* parting, double dt) {
    Stage stage(context, "extrapolate");
    const Tiles<D>& tiles = *field.tiles();
    const std::size_t active = std::size_t(tiles.active());
    for (int a = 0; a < D; ++a) {
        double* values = field.write(a);
        std::uint8_t* marks = valid.write(a);
        std::vector<std::uint8_t> share(std::size_t(tiles.stored()), kNone);
        const auto classify = [&](std::size_t t) {
            const std::uint8_t* m = marks + t * kTileCells<D>;
            int count = 0;
            for (int o = 0; o < kTileCells<D>; ++o) count += m[o];
            share[t] = count == 0 ? kNone : count == kTileCells<D> ? kAll : kSome;
        };
        for_range(context.arena, std::size_t(tiles.zero()), 16, [&](std::size_t b, std::size_t e) {
            for (std::size_t t = b; t < e; ++t) classify(t);
        });
        std::vector<std::vector<Filled>> filled(active);
        for (int layer = 0; layer < layers; ++layer) {
            for_tiles(context.arena, tiles, [&](int t) {
                filled[std::size_t(t)].clear();
                if (share[std::size_t(t)] == kAll) return;
                const int* around = tiles.neighbours(t);
                if (std::all_of(around, around + kTileNeighbours<D>,
                                [&](int n) { return share[std::size_t(n)] == kNone; }))
                    return;
                next_layer<D>(values, marks, tiles, t, layer == 0 && how == Continuation::kSloped,
                              dt / tiles.voxel(), {field, a, parting}, filled[std::size_t(t)]);
            });
            for_tiles(context.arena, tiles, [&](int t) {
                for (const Filled& f : filled[std::size_t(t)]) {
                    values[f.place] = f.value;
                    marks[f.place] = 1;
                }
                if (!filled[std::size_t(t)].empty()) classify(std::size_t(t));
            });
        }
        for_values(context.arena, tiles, [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) values[i] = marks[i] ? values[i] : 0.0;
        });
    }
}

template void extrapolate<2>(FaceField<double, 2>&, FaceField<std::uint8_t, 2>&, int, Context&,
                             Continuation, const Parting<2>*, double);
template void extrapolate<3>(FaceField<double, 3>&, FaceField<std::uint8_t, 3>&, int, Context&,
                             Continuation, const Parting<3>*, double);

}  // namespace spume
