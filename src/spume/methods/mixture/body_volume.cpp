// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/mixture/body_volume.h"

#include <algorithm>
#include <cmath>

#include "spume/grid/stencil.h"
#include "spume/methods/mixture/air_pockets.h"
#include "spume/particles/transfer.h"
#include "spume/physics/two_fluid/project.h"

namespace spume::mixture {
namespace {

constexpr double kMost = 0.1;        // of the body: what is made up at a time
constexpr double kLeast = 1e-3;      // of the body: less is left alone
constexpr double kLeastPlace = 0.1;  // voxels: of less to move nothing is moved
constexpr double kEven = 0.1;        // of the growth where nothing is crowded
constexpr double kTolerance = 0.05;  // of the potential: what it leaves the next substep sees

/// Sums over the cells of a pocket: φ̂, φ_b, and where air can be drawn in and pushed apart.
struct PocketAir {
    std::int32_t pocket = 0;
    double held = 0, seen = 0, inside = 0, crowded = 0;
    bool at_wall = false;  ///< beside a wall or solid, where the hats of Eq. 30 are cut: left alone

    void add(const PocketAir& other) {
        held += other.held, seen += other.seen, inside += other.inside, crowded += other.crowded;
        at_wall = at_wall || other.at_wall;
    }
    bool grows() const { return held > seen; }
    double place() const { return grows() ? crowded : inside; }
    double error() const {
        return at_wall || place() < kLeastPlace ? 0 : std::abs(held - seen) / held;
    }
    /// By volume, where all of the cell is such a place.
    double growth() const {
        if (error() < kLeast) return 0;
        return std::clamp(held - seen, -kMost * seen, kMost * seen) / place();
    }
};

/// What pockets hold, and how far cells are inside a body.
template <int D>
struct Bodies {
    CellField<double, D> seen, held;
    Pockets<D> pockets;
    const CutCells<D>& open;
    std::vector<PocketAir> sums;

    Bodies(const AirOnGrid<D>& air, const CutCells<D>& cut, Context& context)
        : seen(fraction_in_cells(air.mixture.bubble, context)),
          held(fraction_in_cells(air.held, context)),
          pockets(pockets_of(seen, context)),
          open(cut),
          sums(std::size_t(pockets.count) + 1) {
        Stage stage(context, "pockets");
        std::vector<std::vector<PocketAir>> parts(std::size_t(seen.tiles()->active()));
        for_tiles(context.arena, *seen.tiles(), [&](int t) {
            auto& own = parts[std::size_t(t)];
            for (int o = 0; o < kTileCells<D>; ++o) {
                const std::int32_t pocket = pockets.label.at(t, o);
                if (pocket == 0) continue;
                if (own.empty() || own.back().pocket != pocket) own.push_back({pocket});
                own.back().add({pocket, held.at(t, o), seen.at(t, o), inside(t, o), crowded(t, o),
                                at_wall(t, o)});
            }
        });
        for (const auto& own : parts)
            for (const PocketAir& part : own) sums[std::size_t(part.pocket)].add(part);
    }

    bool at_wall(int t, int o) const {
        const Tiles<D>& tiles = *seen.tiles();
        for (int face = 0; face < 2 * D; ++face)
            if (open.area.read(face / 2)[face_place<D>(tiles, t, o, face)] < 1) return true;
        return false;
    }
    double fluid(int t, int o, double part) const {
        return open.kind.at(t, o) == kFluidCell ? part : 0;
    }
    double inside(int t, int o) const { return fluid(t, o, 1 - swarm_share(seen.at(t, o))); }
    double crowded(int t, int o) const {
        return std::max(fluid(t, o, held.at(t, o) - 1), 0.0) + kEven * inside(t, o);
    }

    CellField<double, D> growth(double share, Context& context) const {
        CellField<double, D> r(seen.tiles());
        double* out = r.write();
        for_tiles(context.arena, *seen.tiles(), [&](int t) {
            for (int o = 0; o < kTileCells<D>; ++o) {
                const std::int32_t label = pockets.label.at(t, o);
                if (label == 0) continue;
                const PocketAir& pocket = sums[std::size_t(label)];
                const double place = pocket.grows() ? crowded(t, o) : inside(t, o);
                out[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                    share * pocket.growth() * place;
            }
        });
        return r;
    }
};

/// −∇ψ on faces: what a projection makes of one resting fluid of unit density that has to grow.
template <int D>
FaceField<double, D> potential_flow(CellField<double, D> growth, const MixtureFaces<D>& mixture,
                                    const CutCells<D>& open, PressureSolver<D>& solver,
                                    Context& context) {
    const auto& tiles = growth.tiles();
    const FaceField<double, D> rest(tiles), unit(tiles, 1.0);
    CutCells<D> still = open;
    still.velocity = rest;
    Coupling<D> one;
    one.scheme = Scheme::kImplicitDrag;
    one.dt = 1;
    FaceField<double, D> water(tiles);
    CellField<double, D> potential(tiles);
    ProjectionSystem<D> system;
    return project(water, potential, {rest, unit, rest, unit, std::move(growth)}, mixture, still,
                   one, system, solver, {.tolerance = kTolerance, .max_iterations = 20}, context)
        .mixed;
}

}  // namespace

template <int D>
double correct_body_volume(Bubbles<D>& bubbles, const AirOnGrid<D>& air,
                           const TileRanges<D>& ranges, const CutCells<D>& open,
                           const GridDomain<D>& domain, double share, PressureSolver<D>& solver,
                           Context& context) {
    const Bodies<D> bodies(air, open, context);
    double worst = 0;
    for (const PocketAir& pocket : bodies.sums) worst = std::max(worst, pocket.error());
    if (worst < kLeast) return worst;
    const auto move =
        potential_flow(bodies.growth(share, context), air.mixture, open, solver, context);
    auto x = bubbles.position.write();
    gather_from_faces<double, D>(
        bubbles.position.read(), ranges, domain.clamp(), move,
        [&](std::size_t q, const Vec<double, D>& by) { x[q] += by; }, context);
    return worst;
}

#define SPUME_INSTANTIATE(D)                                                                       \
    template double correct_body_volume<D>(Bubbles<D>&, const AirOnGrid<D>&, const TileRanges<D>&, \
                                           const CutCells<D>&, const GridDomain<D>&, double,       \
                                           PressureSolver<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::mixture
