// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spume/methods/mixture/method.h"
#include "spume/physics/motion/emitter_room.h"
#include "spume/scene/bodies.h"
#include "spume/scene/lint.h"

namespace spume::mixture {
namespace {

/// Air a second that a place can pass on, m³/s (2D: m²/s), about: filled up to the fraction f, it
/// leaves through the top with its slip and with what buoyancy gives it over the height,
/// √(2 f g L). Each extent L is that of the place spread by the hats, √(L² + (3h/2)²).
template <int D>
double passable(const Emitter& e, const Scene& scene, const Params& p, const Inputs& inputs) {
    const PlacedBody<D> body = placed<D>(e.shape, inputs.meshes);
    const bool body_of_air = e.law == RadiusLaw::kCellShare || e.law == RadiusLaw::kMarker;
    const double f = body_of_air ? p.max_fraction : std::min(p.max_fraction, kRandomPacking);
    const double spread = 1.5 * scene.voxel();
    double volume = body.shape().volume(), height = 0;
    for (int a = 0; a < D; ++a) {
        const double extent = body.bounds().size()[a];
        if (!(extent > 0)) continue;
        const double seen = std::hypot(extent, spread);
        volume *= seen / extent;
        if (a == 1) height = seen;
    }
    const RadiusSpan span = radius_span(e, D, scene.voxel());
    const double speed = bubble_rise_speed(span.min, scene.physics) + length(e.velocity) +
                         std::sqrt(2 * f * length(scene.physics.gravity) * height);
    return height > 0 ? f * volume / height * speed : 0;
}

}  // namespace

std::vector<std::string> foreseen(const Scene& scene, const Params& p, const Inputs& inputs,
                                  Context&) {
    std::vector<std::string> lines = wide_bubbles(scene);
    const bool flat = scene.domain.dimensions == 2;
    for (std::size_t i = 0; i < scene.emitters.size(); ++i) {
        const Emitter& e = scene.emitters[i];
        if (e.density > scene.physics.water_density) continue;
        if (e.mode != EmitMode::kRate) continue;
        const double most =
            flat ? passable<2>(e, scene, p, inputs) : passable<3>(e, scene, p, inputs);
        if (most > 0 && e.rate > most)
            lines.push_back(fmt::format(
                "emitter {} is over-full: its place passes on about {:.2g} m^{}/s of the {:.2g} "
                "asked for, the rest comes later or not at all; make its shape larger",
                emitter_name(scene, i), most, flat ? 2 : 3, e.rate));
    }
    return lines;
}

}  // namespace spume::mixture
