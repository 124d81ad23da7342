// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/method.h"
#include "spume/particles/tracers.h"

// The method that docs/how_to_add.md builds: a cloud of tracers in water that turns like a solid
// body about the middle of the domain, u = ω e_z × (x − c). Each tracer goes round a circle.

namespace spume::tracer_cloud {

struct Params {
    int count = 1000;
    double radius = 0.2;
    double spin = 1;
    double cfl = 1;
};
void describe(Params& params, ParamVisitor& visitor);

/// Everything the next substep reads.
template <int D>
struct State {
    double time = 0;
    Tracers<D> cloud;
};

/// What a scene fixes for the whole run.
template <int D>
struct World {
    Scene scene;
    Point<D> centre{};
};

struct Method {
    static constexpr const char* name = "tracer_cloud";
    static constexpr const char* summary = "tracers in water that turns like a solid body";
    static constexpr Abilities abilities{};
    using Params = tracer_cloud::Params;
    template <int D>
    using State = tracer_cloud::State<D>;
    template <int D>
    using World = tracer_cloud::World<D>;
};

/// The row of the table.
const MethodEntry& entry();

}  // namespace spume::tracer_cloud
