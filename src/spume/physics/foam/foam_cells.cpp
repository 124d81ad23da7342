// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/foam_cells.h"

#include <algorithm>
#include <limits>

#include "spume/grid/topology.h"

namespace spume {
namespace {

constexpr std::size_t kPiece = std::size_t(1) << 14;
constexpr double kWidth = 2;  // of a class, in radii

struct RadiusRange {
    float min = std::numeric_limits<float>::max(), max = 0;
};

template <int D>
RadiusRange radii_of(const Foam<D>& foam, Context& context) {
    return reduce(
        context.arena, foam.size(), kPiece, RadiusRange{},
        [&](std::size_t b, std::size_t e) {
            RadiusRange r;
            for (std::size_t i = b; i < e; ++i) {
                r.min = std::min(r.min, foam.radius[i]);
                r.max = std::max(r.max, foam.radius[i]);
            }
            return r;
        },
        [](const RadiusRange& a, const RadiusRange& b) {
            return RadiusRange{std::min(a.min, b.min), std::max(a.max, b.max)};
        });
}

template <int D>
typename Tiles<D>::Ptr tiles_of(std::span<const Point<D>> points, double reach, Context& context) {
    const Box<int, D> everywhere{Index<D>::filled(-(1 << 22)), Index<D>::filled(1 << 22)};
    const Transform<D> transform{reach, {}};
    return Tiles<D>::build(tiles_around<D>(points, transform, 0, 0, everywhere, context),
                           transform);
}

/// Radii of a class end there, its own among them.
template <int D>
std::vector<float> class_ends(const Foam<D>& foam, Context& context) {
    const RadiusRange range = radii_of(foam, context);
    std::vector<float> ends;
    double end = double(range.min) * kWidth;
    while (end < double(range.max)) {
        ends.push_back(static_cast<float>(end));
        end *= kWidth;
    }
    ends.push_back(range.max);
    return ends;
}

/// Places and names of some particles of a foam.
template <int D>
struct Members {
    std::vector<std::uint32_t> index;
    std::vector<Point<D>> position;
    std::vector<std::uint64_t> id;
};

template <int D>
Members<D> members(const Foam<D>& foam, float above, float end) {
    Members<D> m;
    for (std::size_t i = 0; i < foam.size(); ++i) {
        if (!(foam.radius[i] > above && foam.radius[i] <= end)) continue;
        m.index.push_back(static_cast<std::uint32_t>(i));
        m.position.push_back(foam.position[i]);
        m.id.push_back(foam.id[i]);
    }
    return m;
}

}  // namespace

template <int D>
FoamCells<D> sorted_foam(Foam<D>& foam, double beta, Context& context, double skin, double least) {
    Stage stage(context, "foam");
    FoamCells<D> sorted;
    if (foam.size() == 0) return sorted;
    const auto ends = class_ends(foam, context);
    if (ends.size() == 1) {
        typename FoamCells<D>::Class all;
        // Wider by a little: rounding may not put two cells between particles a reach apart.
        all.reach = std::max(beta * double(ends[0]), least) * (1 + 1e-6) + skin;
        all.tiles = tiles_of<D>(foam.position.read(), all.reach, context);
        sort_by_cell(foam, all.tiles, Clamp<D>{}, all.cells, context);
        all.last = foam.size();
        sorted.classes.push_back(std::move(all));
        return sorted;
    }
    std::vector<std::uint32_t> order;
    order.reserve(foam.size());
    float above = -1;
    for (float end : ends) {
        const auto m = members(foam, above, end);
        above = end;
        if (m.index.empty()) continue;
        typename FoamCells<D>::Class c;
        c.reach = std::max(beta * double(end), least) * (1 + 1e-6) + skin;
        c.tiles = tiles_of<D>(m.position, c.reach, context);
        const auto within =
            tile_order<D>(m.position, m.id, c.tiles, Clamp<D>{}, context, &c.cells.begin);
        c.first = order.size();
        for (std::size_t i = 0; i < m.index.size(); ++i)
            order.push_back(m.index[within.order.empty() ? i : within.order[i]]);
        c.last = order.size();
        sorted.classes.push_back(std::move(c));
    }
    permute(foam, order, context);
    return sorted;
}

template <int D>
std::vector<FoamPiece> foam_pieces(const FoamCells<D>& sorted) {
    std::vector<FoamPiece> pieces;
    for (std::size_t c = 0; c < sorted.classes.size(); ++c)
        for (int t = 0; t < sorted.classes[c].tiles->active(); ++t) pieces.push_back({c, t});
    return pieces;
}

template FoamCells<2> sorted_foam<2>(Foam<2>&, double, Context&, double, double);
template FoamCells<3> sorted_foam<3>(Foam<3>&, double, Context&, double, double);
template std::vector<FoamPiece> foam_pieces<2>(const FoamCells<2>&);
template std::vector<FoamPiece> foam_pieces<3>(const FoamCells<3>&);

}  // namespace spume
