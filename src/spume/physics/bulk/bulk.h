// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spume/core/context.h"
#include "spume/frame/inputs.h"
#include "spume/physics/bulk/bulk_fields.h"
#include "spume/scene/scene.h"

namespace spume {

/// A liquid that is known beforehand: level set and velocity at any time and place ([WFS22] §4).
/// Times are those of the scene. Safe from several threads; equal bits for any number of them, and
/// whatever was asked before.
template <int D>
class Bulk {
  public:
    virtual ~Bulk() = default;
    virtual Interval times() const = 0;                 ///< s; unbounded for a closed form
    virtual const Transform<D>& transform() const = 0;  ///< its lattice
    virtual Box<double, D> box(double time) const = 0;  ///< what it knows at that time, m
    /// Keys of the tiles of its own lattice, within the box, that hold liquid or air nearer to it
    /// than `band` metres. Sorted along no particular curve; each once.
    virtual std::vector<Index<D>> liquid_tiles(double time, double band,
                                               Context& context) const = 0;
    /// Φ and u on tiles whose lattice is aligned to the bulk's, with a voxel `ratio` (1 or 2) times
    /// its own: Φ at cell centres, velocities as means over the coarse face, so that fluxes agree.
    /// Also on border tiles. Beyond the box: as nearest inside.
    virtual BulkFields<D> on(const typename Tiles<D>::Ptr& tiles, double time,
                             Context& context) const = 0;
    /// The times at which it is known without interpolation that are next to a time, at most one
    /// on either side; that time itself if it is one of them or the liquid has a formula.
    virtual std::vector<double> times_around(double time) const { return {time}; }
    /// A volume of the liquid besides Φ and u, by its name, at cell centres of its own lattice;
    /// zero where it has no value. UserError where there is none of that name.
    virtual CellField<double, D> volume(const std::string& name,
                                        const typename Tiles<D>::Ptr& tiles, double time,
                                        Context& context) const;
};

/// The scene's bulk. A cached one must be in the inputs; solids of the scene continue its Φ.
template <int D>
std::unique_ptr<Bulk<D>> bulk_of(const Scene& scene, const Inputs& inputs);

/// How a lattice lies in the bulk's: its voxel is `ratio` (1 or 2) of the bulk's wide, its cell 0
/// has the lower corner of the bulk's cell `offset`.
template <int D>
struct Alignment {
    int ratio = 1;
    Index<D> offset{};
};

/// UserError, with the voxel or corner that would do, where a lattice is not aligned.
template <int D>
Alignment<D> alignment(const Transform<D>& lattice, const Transform<D>& bulk);

}  // namespace spume
