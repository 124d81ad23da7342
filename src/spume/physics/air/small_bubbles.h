// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/particles/bubbles.h"
#include "spume/physics/air/track_bubbles.h"
#include "spume/physics/motion/drag.h"

namespace spume {

// Bubbles of air smaller than the grid can hold: round particles with mass that rise through the
// liquid by the drag C_D = 24/Re + 1 ([WSB25] Eq. 36) and take up room, so that the liquid's
// surface encloses their volume too. Regions that became too small go on as such; those that reach
// air give it their volume. Air of regions has no momentum [GB17]: what a bubble has of it comes
// from the liquid on hand-over and goes back there when it rejoins a region or bursts. So the
// momentum of liquid and bubbles together changes by gravity and walls alone.

/// Momentum that the liquid around a place gets, kg m/s (2D: for each metre of depth).
template <int D>
struct Impulse {
    Point<D> at{};
    Vec<double, D> momentum{};
    double volume = 0;  ///< of the bubble that gives it
};

/// The faces that carry the liquid's momentum, ρ h^D u each: open ones beside a liquid cell.
/// Without fields, all that are stored.
template <int D>
struct LiquidFaces {
    const CellField<std::uint8_t, D>* phase = nullptr;
    const FaceField<float, D>* area = nullptr;
    const FaceField<double, D>* inverse_density_ratio =
        nullptr;  ///< ρ_w/ρ where there are several liquids
};

/// Adds the impulses to the velocities of the liquid's faces: each to those around it, by a hat as
/// wide as the bubble but at least a voxel, which is interpolation; so the liquid that answers a
/// bubble is as much as it displaces, and heavier: however large, the exchange is stable. Where
/// none of these faces carries liquid, the nearest that do get it, up to kScatterReach voxels away.
/// Σ ρ h^D u over the liquid's faces changes by just the sum of the impulses; returns what is left
/// over since there is no liquid.
inline constexpr int kScatterReach = 8;
template <int D>
Vec<double, D> scatter_impulses(FaceField<double, D>& velocity,
                                std::span<const Impulse<D>> impulses, const LiquidFaces<D>& faces,
                                double water_density, Context& context);

/// Makes a bubble of the rest volume of every region that was lost, with its velocity; returns the
/// volume. `owed`, if given, gets what the liquid loses to them.
template <int D>
double hand_over(Bubbles<D>& bubbles, std::span<const LostRegion> lost, double air_density,
                 Context& context, std::vector<Impulse<D>>* owed = nullptr);

/// Speed at which drag balances buoyancy.
double slip_speed(const DragLaw& law, double radius, double air_density, double gravity);

/// Bubbles that are in air give it their volume: a region's rest volume grows; what reaches the
/// outside counts as burst. Returns their momentum, which the liquid gets.
template <int D>
std::vector<Impulse<D>> bubble_to_region(Bubbles<D>& bubbles, BubbleTracker<D>& tracker,
                                         const Transform<D>& transform, Context& context);

/// Without such bubbles: the air of each lost region joins what air stands above it in the liquid,
/// where it would have risen to, and its event says so. It stays lost where a solid or the end of
/// the tiles comes first.
template <int D>
void rise_at_once(std::span<const LostRegion> lost, BubbleTracker<D>& tracker,
                  const CellField<std::uint8_t, D>& phase, const Vec<double, D>& gravity,
                  std::vector<BubbleEvent>& events);

}  // namespace spume
