// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// In a browser every byte travels. Sections of scenes that say nothing to the playground's method
// have no keys there, and a scene with one of them gets the message of an unknown key; what its own
// sections say of files and of shapes that the page cannot draw is refused.

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#endif

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "spume/core/error.h"
#include "spume/geometry/mesh_sequence.h"
#include "spume/geometry/solid_compound.h"
#include "spume/methods/cip/flow.h"
#include "spume/scene/check.h"
#include "spume/scene/check_parts.h"
#include "spume/scene/describe_parts.h"
#include "spume/scene/overlay.h"
#include "spume/scene/read_params.h"
#include "spume/scene/sweep.h"
#include "spume/surface/redistance.h"

namespace spume {

void describe(BulkLiquid&, ParamVisitor&) {}
void describe(Aeration&, Emission&, int, ParamVisitor&) {}
void describe(WetFoam&, ParamVisitor&) {}
void describe(Whitewater&, ParamVisitor&) {}
void describe(Sweep&, ParamVisitor&) {}
void describe(Emitter&, int, ParamVisitor&) {}

void check_emitter(const Scene&, const Emitter&, const std::string&, SceneDocument&) {}
void check_bulk(const Scene&, SceneDocument&) {}
void check_camera(const Scene&, SceneDocument&) {}
void check_emission(const Scene&, SceneDocument&) {}
void check_sequences(const Scene&, SceneDocument&) {}

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

// NOLINTNEXTLINE(performance-unnecessary-value-param): by value, as it is declared
LatheProfile LatheProfile::of_outline(std::vector<Point<2>>) { not_drawn(); }
LatheProfile LatheProfile::of_cone(double, double, double, double, bool) { not_drawn(); }
double LatheProfile::distance(const Point<2>&) const { not_drawn(); }
double LatheProfile::integral(int, int) const { not_drawn(); }
double LatheProfile::thickness() const { not_drawn(); }
std::shared_ptr<const MeshMoment> MeshSequence::at(double, bool) const { not_drawn(); }

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

// read_setting() chooses no preset and lays nothing over, and refuses what needs the rest.
std::unique_ptr<TomlNode> copy_of(const TomlNode&) { return nullptr; }
TomlNode* find_item(const TomlNode&, const std::string&) { return nullptr; }
void lay_over(SceneContent&, TomlNode&, const TomlNode&, const std::string&) { SPUME_CHECK(false); }
std::string value_text(const TomlNode&) { return {}; }
template <>
CellField<double, 2> redistanced<double, 2>(const CellField<double, 2>&, double, Context&,
                                            const Parting<2>*, const CellField<std::uint8_t, 2>*) {
    SPUME_CHECK(false);
    return {};
}
template <>
void advect_weno<double, 2>(CipField<double, 2>&, DenseFaces<double, 2>, double, double, Context&) {
    SPUME_CHECK(false);
}
namespace cip {
template <>
SolveReport project_with_marked_bodies<2>(State<2>&, const Phases<2>&, SolidGeometry<2>&,
                                          const World<2>&, const Params&, double, double&,
                                          Context&) {
    SPUME_CHECK(false);
    return {};
}
template <>
void carry_with_markers<2>(State<2>&, const World<2>&, double, Context&) {
    SPUME_CHECK(false);
}
template <>
void drop_stale_markers<2>(State<2>&, const DenseField<double, 2>&, const World<2>&,
                           const PlacedSolids<2>&, Context&) {}
}  // namespace cip

}  // namespace spume

#ifdef __EMSCRIPTEN__
// The linker puts these in place of the C library's, which bring arithmetic of 128 bits along.

// A number of a scene, digits and an exponent: browsers round it correctly.
EM_JS(double, spume_number_of, (const char* text), { return Number(UTF8ToString(text)); });
extern "C" double __wrap_strtod(const char* text, char** end) {
    if (end) *end = const_cast<char*>(text) + std::strlen(text);
    return spume_number_of(text);
}
// Asked for hexadecimal floats by fmt and for texts of system errors by the C++ library: nothing
// here writes the former, the latter keep their words.
extern "C" int __wrap_snprintf(char* out, std::size_t room, const char* format, ...) {
    const std::size_t length = std::strlen(format);
    if (room > 0) {
        const std::size_t kept = std::min(length, room - 1);
        std::memcpy(out, format, kept);
        out[kept] = '\0';
    }
    return int(length);
}
#endif
