// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/grid/sample.h"
#include "spume/particles/cell_ranges.h"
#include "spume/particles/liquid.h"
#include "spume/physics/solid_set.h"
#include "spume/surface/level_set.h"

namespace spume {

/// Where a scene puts liquid at the start, lets it in and lets it out.
template <int D>
class LiquidSet {
  public:
    LiquidSet() = default;
    LiquidSet(const std::vector<LiquidBody>& liquids, double water_density, std::uint64_t seed,
              const MeshLibrary& meshes);

    /// Of the scene's liquids over the water density; 1 unless a liquid says otherwise.
    double lightest() const;
    bool several_densities() const;  ///< or one that is not the water's

    /// Signed distance to the liquid of the start, negative inside: later entries of the scene cut
    /// from or add to earlier ones. Its size is a lower bound next to several bodies.
    double distance(const Point<D>& x) const;
    /// Tiles that the liquid of the start may touch, as cells.
    Box<int, D> bounds(const Basin<D>& basin) const;
    /// Particles for the start: one at a random place in each of the 2^D parts of every cell.
    Liquid<D> seed(const Basin<D>& basin, const Bodies<D>& bodies, Context& context) const;

    bool has_flow(double time) const;  ///< a source or sink is open
    /// Is the point in an open source? Then its velocity.
    bool in_source(const Point<D>& x, double time, Vec<double, D>& velocity) const;
    bool in_sink(const Point<D>& x, double time) const;

    /// Takes away what is in sinks, fills sources up to 2^D particles a cell. Ids of new particles
    /// and `step` choose their places.
    void flow(Liquid<D>& liquid, const Basin<D>& basin, const Bodies<D>& bodies, double time,
              std::uint32_t step, Context& context) const;
    /// Does a source open in this interval? Then it fills at once what was empty.
    bool opens(Interval time) const;
    /// Volume a second that open sources bring, through the faces between their cells and others.
    double inflow(const Basin<D>& basin, const Bodies<D>& bodies, double time) const;
    /// Boxes of cells around sources, for the tiles they need.
    std::vector<Box<int, D>> source_cells(const Basin<D>& basin, double time) const;

    /// Points that hollows keep free of liquid, in the middle of the 2^D parts of each cell.
    std::vector<Point<D>> hollow_points(const Basin<D>& basin, const Bodies<D>& bodies) const;

    /// Names of sources that solids or the outside cover wholly.
    std::vector<std::string> blocked_sources(const Basin<D>& basin, const Bodies<D>& bodies) const;

    std::uint64_t random_seed() const { return seed_; }

  private:
    struct Part {
        LiquidBody says;
        PlacedBody<D> body;
        float excess = 0;  ///< of density, as in Liquid
    };
    const Part* source_at(const Point<D>& x, double time) const;

    std::vector<Part> parts_;
    std::uint64_t seed_ = 1;
};

/// How many particles a cell may have.
struct Reseeding {
    int fewest = 3, full = 8, most = 32;
    double thin = 0.1;  ///< part of a cell that its particles and those around it lack
};

/// Cells well inside the liquid with too few particles get one in each of their 2^D parts that has
/// none, with the velocity of the grid and the density of the nearest particle. They come from the
/// fullest cells of the tile, so that the liquid has as many as before; where those around are thin
/// too, and in empty cells, new ones are made. Cells with far too many lose the youngest. Particles
/// must be sorted; they then lie by tiles, but for new ones at the end. `crowding`:
/// physics/packing.h.
template <int D>
void reseed(Liquid<D>& liquid, const TileRanges<D>& ranges, const CellRanges<D>& cells,
            const LevelSet<D>& phi, const CellField<float, D>& crowding,
            const FaceField<double, D>& velocity, const Bodies<D>& bodies, const Basin<D>& basin,
            const Reseeding& limits, std::uint64_t seed, std::uint32_t step, Context& context);

}  // namespace spume
