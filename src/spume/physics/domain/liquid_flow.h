// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/geometry/moving_body.h"
#include "spume/physics/domain/solids.h"

namespace spume {

/// The open sources and sinks of a scene at one moment.
template <int D>
struct LiquidFlow {
    struct Source {
        PlacedBody<D> body;
        Vec<double, D> velocity{};  ///< of the liquid against the body
        float excess = 0;           ///< of density, as in Liquid
        std::size_t part = 0;       ///< entry of the scene
        double margin = 0;          ///< by which the lattice takes it larger, to see it at all

        /// Of the liquid at a point of it, in the world.
        Vec<double, D> velocity_at(const Point<D>& x) const { return body.velocity(x) + velocity; }
    };
    struct Sink {
        PlacedBody<D> body;
        double margin = 0;
    };
    std::vector<Source> sources{};
    std::vector<Sink> sinks{};

    bool empty() const { return sources.empty() && sinks.empty(); }
    /// The source that holds a point: of several the first.
    const Source* source_at(const Point<D>& x) const;
    bool in_sink(const Point<D>& x) const;
    /// Distance to the nearest source, negative inside; +∞ without one.
    double source_distance(const Point<D>& x) const;

    // On the lattice shapes thinner than a voxel count as thick as one.

    const Source* source_of_cell(const Point<D>& centre) const;
    /// Of the sinks, where it is less than `band`; elsewhere at least that.
    double sink_distance(const Point<D>& x, double band) const;
    /// Of the sink nearest to a point. Only with sinks.
    Vec<double, D> sink_velocity(const Point<D>& x) const;
    static Box<double, D> bounds(const PlacedBody<D>& body, double margin) {
        return body.bounds().grown(margin);
    }
};

/// By how much the lattice has to thicken a shape, so that some cell's centre lies inside wherever
/// it is put.
template <int D>
double lattice_margin(const BodyShape<D>& shape, double voxel);

/// Volume a second that the velocity of a source carries out of it: speed times the area, across
/// the velocity, of all places where its lines leave the shape into what is neither solid, nor
/// wall, nor another source.
template <int D>
double carried_out(const LiquidFlow<D>& flow, std::size_t source, const GridDomain<D>& domain,
                   const PlacedSolids<D>& bodies);

}  // namespace spume
