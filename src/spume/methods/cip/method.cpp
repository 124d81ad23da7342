// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/cip/method.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spume/methods/cip/cip.h"
#include "spume/physics/domain/cells_in.h"

namespace spume::cip {

void check(const Scene& scene, const Params& params, SceneDocument& document) {
    const Domain& d = scene.domain;
    const std::pair<const char*, Border> sides[] = {
        {"domain.sides", d.sides}, {"domain.bottom", d.bottom}, {"domain.top", d.top}};
    for (const auto& [path, border] : sides)
        if (border == Border::kOpen)
            document.complain(
                path,
                fmt::format(
                    "{} = \"open\", but the method cip fills a closed box with water and air",
                    path),
                fmt::format("set {} = \"wall\"; air above the water is simulated, not void", path));
    for (std::size_t i = 0; i < params.ink.size(); ++i)
        if (params.ink[i].shape.kind == ShapeKind::kMesh)
            document.complain(fmt::format("cip.ink[{}].shape.kind", i),
                              "ink lies in a box, a sphere or a cylinder, not in a mesh",
                              "use one of these");
    for (std::size_t i = 0; i < params.hands.size(); ++i)
        if (const Hand& hand = params.hands[i]; !(hand.stop > hand.start)) {
            const std::string path = fmt::format("cip.hand[{}]", i);
            document.conflict(path + ".stop", {path},
                              fmt::format("{}.stop = {} s is not after start = {} s", path,
                                          hand.stop, hand.start),
                              "Let it let go later than it takes hold.");
        }
    for (std::size_t i = 0; i < scene.liquids.size(); ++i) {
        const LiquidBody& liquid = scene.liquids[i];
        if (liquid.mode == LiquidMode::kSource || liquid.mode == LiquidMode::kSink)
            document.complain(fmt::format("liquid[{}].mode", i),
                              "the method cip has no sources and sinks: its box is closed and "
                              "full of incompressible fluid",
                              "use \"fill\" or \"hollow\"");
        if (liquid.density > 0 && liquid.density != scene.physics.water_density)
            document.complain(fmt::format("liquid[{}].density", i),
                              "the method cip has one density of water and one of air",
                              "use physics.water_density and physics.air_density");
    }
}

namespace {

/// Where a free body is where it cannot be, as the end of a sentence; else nothing.
template <int D>
std::string stuck(const PlacedSolids<D>& solids, std::size_t which, const World<D>& w) {
    const double h = w.voxel(), deep = -0.5 * h;
    const PlacedBody<D>& body = solids.placed[which];
    const Index<D> cells = w.cells();
    bool seen = false;
    std::string where;
    for_cells(Box<int, D>{Index<D>{}, cells}, [&](const Index<D>& i) {
        const Point<D> x = w.position(i.template as<double>() + Vec<double, D>::filled(0.5));
        if (!where.empty() || !(body.distance(x) < 0)) return;
        seen = true;
        for (std::size_t k = 0; k < solids.placed.size() && body.distance(x) < deep; ++k)
            if (k != which && solids.placed[k].distance(x) < deep)
                where = fmt::format("in solid[{}] at ({:.3g})", k, fmt::join(x.v, x.v + D, ", "));
        for (int a = 0; a < D && where.empty(); ++a)
            for (const int side : {0, cells[a]}) {
                Vec<double, D> on = i.template as<double>() + Vec<double, D>::filled(0.5);
                if (std::abs(side - on[a]) > 1) continue;
                on[a] = side;
                const Point<D> y = w.position(on);
                if (body.distance(y) < deep)
                    where = fmt::format("in the side {} of the box at ({:.3g})",
                                        std::string{"xyz"[a], side == 0 ? '-' : '+'},
                                        fmt::join(y.v, y.v + D, ", "));
            }
    });
    return !seen ? "outside of the box, or smaller than its cells" : where;
}

template <int D>
std::vector<std::string> warnings(const Scene& scene, const Params& params, const Inputs& inputs) {
    const World<D> w = world_of<D>(scene, params, inputs);
    const PlacedSolids<D> solids = w.solids_at(0, w.rigid.start());
    std::vector<std::string> lines;
    if (solids.empty()) return lines;
    bool open = false;
    for_cells(Box<int, D>{Index<D>{}, w.cells()}, [&](const Index<D>& i) {
        const Vec<double, D> middle = i.template as<double>() + Vec<double, D>::filled(0.5);
        open = open || solids.distance_within(w.position(middle), w.voxel()) > 0;
    });
    if (!open)
        return {"solids fill the box: there is no room for water or air, nothing will happen"};
    for (const auto& body : w.rigid.bodies())
        if (const std::string where = stuck(solids, body.solid, w); !where.empty())
            lines.push_back(
                fmt::format("solid[{}] is free to move and begins {}: move it to where "
                            "there is room, or make it smaller",
                            body.solid, where));
    return lines;
}

}  // namespace

std::vector<std::string> foreseen(const Scene& scene, const Params& params, const Inputs& inputs,
                                  Context&) {
    return scene.domain.dimensions == 2 ? warnings<2>(scene, params, inputs)
                                        : warnings<3>(scene, params, inputs);
}

const MethodEntry& entry() { return kMethodEntry<Method>; }

}  // namespace spume::cip
