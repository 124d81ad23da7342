// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// In a browser every byte travels. Sections of scenes that say nothing to the playground's method
// have no keys there, and a scene with one of them gets the message of an unknown key; what its own
// sections say of files and of shapes that the page cannot draw is refused.

#include "spume/core/error.h"
#include "spume/geometry/solid_compound.h"
#include "spume/methods/cip/flow.h"
#include "spume/scene/check.h"
#include "spume/scene/read_params.h"
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

void ParamReader::path(const char* name, std::string&, const char*) {
    if (const TomlNode* node = declare(name))
        wrong(*node, path_of(name) + " names a file, which a browser does not read", "Remove it.");
}

namespace {
[[noreturn]] void not_drawn() {
    throw UserError("the playground has boxes and balls only", "use them, or `spume run`");
}
}  // namespace

LatheProfile LatheProfile::of_outline(std::vector<Point<2>>) { not_drawn(); }
LatheProfile LatheProfile::of_cone(double, double, double, double, bool) { not_drawn(); }
double LatheProfile::distance(const Point<2>&) const { not_drawn(); }
double LatheProfile::integral(int, int) const { not_drawn(); }
double LatheProfile::thickness() const { not_drawn(); }

template <int D>
void BodyShape<D>::take_parts() {
    if (parameters_.kind == BodyKind::kCompound) not_drawn();
}
template <int D>
Box<double, D> BodyShape<D>::own_bounds() const {
    not_drawn();
}
template <int D>
auto BodyShape<D>::sampled_sums() const -> Sums {
    not_drawn();
}
template <int D>
double BodyShape<D>::compound_distance(const Point<D>&, double) const {
    not_drawn();
}
template <int D>
double BodyShape<D>::thinnest_of_compound() const {
    not_drawn();
}
#define SPUME_INSTANTIATE(D)                                                        \
    template void BodyShape<D>::take_parts();                                       \
    template Box<double, D> BodyShape<D>::own_bounds() const;                       \
    template BodyShape<D>::Sums BodyShape<D>::sampled_sums() const;                 \
    template double BodyShape<D>::compound_distance(const Point<D>&, double) const; \
    template double BodyShape<D>::thinnest_of_compound() const;
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

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
