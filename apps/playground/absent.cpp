// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Sections of scenes that say nothing to the playground's method. In a browser every byte travels,
// so that there they have no keys, and a scene with one of them gets the message of an unknown key.

#include "spume/core/error.h"
#include "spume/methods/cip/flow.h"
#include "spume/scene/check.h"
#include "spume/scene/sweep.h"

namespace spume {

void describe(BulkLiquid&, ParamVisitor&) {}
void describe(Aeration&, Emission&, int, ParamVisitor&) {}
void describe(WetFoam&, ParamVisitor&) {}
void describe(Whitewater&, ParamVisitor&) {}
void describe(Sweep&, ParamVisitor&) {}

void check_ocean(const Scene&, SceneDocument&) {}
void check_emission(const Scene&, SceneDocument&) {}

std::vector<PlannedVariant> plan_sweep(SceneContent&) { return {}; }
std::vector<int> sweep_frames(SceneContent&) { return {}; }

// read_setting() refuses the advection that has them.
namespace cip {
template <>
void carry_with_markers<2>(State<2>&, const World<2>&, double, Context&) {
    SPUME_CHECK(false);
}
template <>
void drop_stale_markers<2>(State<2>&, const DenseField<double, 2>&, const World<2>&,
                           const PlacedSolids<2>&, Context&) {}
}  // namespace cip

}  // namespace spume
