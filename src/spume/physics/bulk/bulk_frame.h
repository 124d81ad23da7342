// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/core/context.h"
#include "spume/frame/frame.h"
#include "spume/grid/field.h"
#include "spume/particles/clamp.h"
#include "spume/physics/domain/solids.h"

namespace spume {

/// How far distances of a bulk are known, in its voxels.
inline constexpr double kBulkBand = 6;

/// What all frames of a cached liquid share.
template <int D>
struct BulkSetting {
    Transform<D> transform;
    Box<double, D> box{};       ///< m; what it was simulated in
    bool continued[D][2] = {};  ///< [axis][lower, upper]: Φ goes on through that side of the box
    double frame_seconds = 0;   ///< from one frame to the next

    Box<int, D> cells() const;
    /// For samples of Φ: the continued sides. For velocities: all of them.
    Clamp<D> surface_clamp() const;
    Clamp<D> velocity_clamp() const;
};

/// One frame made ready for being asked between its neighbours.
template <int D>
struct BulkFrame {
    int number = 0;
    double time = 0;             ///< s, of the scene
    CellField<double, D> below;  ///< Φ less the band, m: zero, where nothing is stored, is far air
    FaceField<double, D> velocity;  ///< m/s
    CellField<std::uint8_t, D>
        known;                        ///< 1: the velocity of all its faces is known or extrapolated
    std::vector<std::uint8_t> whole;  ///< by active tile; 1: it is in all cells of it and around it
};

/// A level set that is a distance up to the band, continued through solids and sides of the box,
/// and a velocity that reaches as far beyond the surface as the liquid goes in a frame, and two
/// voxels. UserError where the frame lacks what it needs, or lies on another lattice; `file` is for
/// messages.
template <int D>
BulkFrame<D> bulk_frame(const Frame& frame, double time, const BulkSetting<D>& setting,
                        const PlacedSolids<D>& solids, const std::string& file, Context& context);

/// A level set that was closed along solids and sides of a box (surface/closed_surface.h) as it was
/// before: where it says no more than the distance to them, and inside of them, it takes the value
/// found nearest on the way out along their normals. `own` becomes 1 where it kept its value.
template <int D>
CellField<double, D> continued_surface(const CellField<double, D>& phi, double band,
                                       const BulkSetting<D>& setting, const PlacedSolids<D>& solids,
                                       CellField<std::uint8_t, D>& own, Context& context);

}  // namespace spume
