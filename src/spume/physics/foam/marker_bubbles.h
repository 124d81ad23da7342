// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/grid/field.h"
#include "spume/physics/foam/bubble_cluster.h"

namespace spume {

/// Markers of a particle level set that were found on the wrong side of the surface.
template <int D>
struct EscapedMarkers {
    struct Marker {
        Point<D> position{};        ///< m, where it escaped
        Vec<double, D> velocity{};  ///< m/s
        double radius = 0;          ///< m
        double time = 0;            ///< s; of the escape
        std::uint64_t id = 0;
        std::int32_t pocket = 0;  ///< of trapped air that it was in; 0: none
        double volume = 0;        ///< its part of the pocket's air, m³ (2D: m²); 0: not known
    };
    std::vector<Marker> markers;
};

/// How escaped markers become bubbles, [G04] §4.
struct MarkerLaw {
    double escape = 1.5;       ///< radii on the wrong side, [G04] §3.3.4
    bool concave = true;       ///< only where the surface bends towards the air, [G04] §4.3
    bool need_company = true;  ///< those of the least radius only beside others, [G04] §4.3.1
    double marker_min = 0, marker_max = 0;  ///< radii that markers can have, m
    /// Radii of bubbles are normal, with mean and deviation linear in the marker's radius between
    /// those of the least and of the largest; what is out of range is drawn again, [G04] §4.4.
    double small_mean = 1e-3, small_deviation = 0.3e-3;
    double large_mean = 3e-3, large_deviation = 1e-3;
    double radius_min = 0.5e-3, radius_max = 5e-3;
    double keep = 1;           ///< part of the markers that is considered, [G04] §4.6
    double marker_volume = 0;  ///< of the pocket for each of its markers, where it is not known
    std::uint64_t seed = 1;
};

/// Part of the markers to consider: the density at which all are, over the density there is,
///
///   (N h_ref^D / N h^D)⁻¹ = (h/h_ref)^D,   h_ref = (markers a cell / density)^(1/D)
///
/// as in [G04] §4.6, which leaves a number ∝ h, since the layer in which markers escape is ∝ h
/// thick; or (h/h_ref)^(D − 1), which does not.
double considered_part(double density, double markers_a_cell, double voxel, int dimensions,
                       bool by_area);

template <int D>
struct MarkerBubbles {
    ClusterBubbles<D> bubbles;  ///< without ids; at the place and time of the escape
    std::vector<double> born;   ///< s, of each
    double from_pockets = 0;    ///< air of pockets that came in, m³ (2D: m²)
    // Markers that gave none, by the reason why.
    std::size_t shallow = 0, convex = 0, thinned = 0, lone = 0, inside = 0;
};

/// New bubbles from positive markers. Those of a pocket do not ask for depth, curvature or company:
/// radii are drawn in the order of ids until their volumes are the pocket's. What is less than the
/// smallest bubble is added to `carried` and goes into the next pocket, so that air of pockets =
/// bubbles + change of what is carried. Where markers are too few their places are used again, up
/// to half the pocket's radius off along each axis. Bubbles inside others are left out. All random
/// numbers depend on the seed and the marker's id. `phi` must be known two voxels around the
/// markers.
template <int D>
MarkerBubbles<D> bubbles_from_markers(EscapedMarkers<D> markers, const CellField<double, D>& phi,
                                      const MarkerLaw& law, double& carried, Context& context);

/// Radius of the bubble that a marker makes: draws from `first` on, two a trial.
double marker_bubble_radius(const MarkerLaw& law, double marker_radius, std::uint64_t id,
                            std::uint32_t round);

}  // namespace spume
