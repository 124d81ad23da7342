// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/passive/params.h"

namespace spume::passive {
namespace {

NumberSpec speed(const char* help) { return {"m/s", 0, 1000, false, help}; }
NumberSpec ratio(const char* help) { return {"", 0, 1e6, false, help}; }
NumberSpec size(const char* help) { return {"m", 1e-7, 10, false, help}; }
NumberSpec moment(const char* help) { return {"s", 0, 1e9, false, help}; }

void describe(RegionParams& r, ParamVisitor& v) {
    v.number("repulsion", r.repulsion,
             speed("k_r of [G04] Eq. 20 over K_visc: speed at which two whose centres meet part."));
    v.number("attraction", r.attraction,
             speed("k_a of Eq. 21 over K_visc: speed at which a pair that just touches joins."));
    v.number("friction", r.friction,
             ratio("k_v of Eqs. 25 and 37 over K_visc: with bubbles that touch."));
    v.number("obstacle", r.obstacle,
             ratio("k_of of Eq. 26 over K_visc: with solids and walls that touch."));
    v.number("viscous", r.viscous, ratio("Friction with the liquid, over that below the surface."));
    v.number("air", r.air, ratio("k_air of Eq. 27 over K_visc: resistance of the air."));
}

void describe_regions(Params& p, ParamVisitor& v) {
    v.section("below", "Coefficients below the surface, [G04] §5.3.1.",
              [&](ParamVisitor& w) { describe(p.below, w); });
    v.section("touching_below", "Of those that touch the surface from below, [G04] §5.3.2.",
              [&](ParamVisitor& w) { describe(p.touching_below, w); });
    v.section("touching_above", "Of those that touch it from above, [G04] §5.3.3.",
              [&](ParamVisitor& w) { describe(p.touching_above, w); });
    v.section("above", "Of those in the air, [G04] §5.3.4.",
              [&](ParamVisitor& w) { describe(p.above, w); });
    v.number("wall_repulsion", p.wall_repulsion,
             ratio("Of solids and walls, over that of bubbles."));
    v.number("wall_attraction", p.wall_attraction,
             ratio("Of solids and walls, over that of bubbles."));
    v.number("threshold", p.threshold,
             {"", 0, 1, false, "Radii below the surface from which on a bubble touches it."});
}

void describe_forces(Params& p, ParamVisitor& v) {
    v.number("rise_speed", p.rise_speed,
             speed("Of a bubble of `rise_radius` in still water: K_p of [G04] Eq. 32."));
    v.number("rise_radius", p.rise_radius, size("Radius that `rise_speed` is of."));
    v.number("clip_radius", p.clip_radius,
             size("Larger bubbles rise as this one: V of Eq. 32 is clipped."));
    v.number("fall_speed", p.fall_speed,
             speed("F^g over K_visc: gravity on bubbles on the surface."));
    using From = ParamVisitor::Word<PressureFrom>;
    v.choice("pressure", p.pressure,
             {From{"motion", PressureFrom::kMotion, "from how the bulk moves, ρ (g − Du/Dt)"},
              From{"stored", PressureFrom::kStored, "the bulk's volume `pressure`; else refuse"},
              From{"stored_or_motion", PressureFrom::kStoredOrMotion,
                   "the bulk's volume, or from its motion where it has none"},
              From{"hydrostatic", PressureFrom::kHydrostatic, "of water at rest"}},
             "The pressure that pushes bubbles.");
    v.number("acceleration_limit", p.acceleration_limit,
             {"m/s^2", 0, 1e6, false,
              "Of the bulk along each axis: impacts between two frames "
              "are no acceleration."});
    v.unused("acceleration_limit", p.pressure == PressureFrom::kHydrostatic,
             "pressure is \"hydrostatic\"");
}

void describe_steps(Params& p, ParamVisitor& v) {
    using At = ParamVisitor::Word<SurfaceForces>;
    v.choice("surface", p.surface,
             {At{"held", SurfaceForces::kHeld, "backward Euler: bubbles come to rest on it"},
              At{"switched", SurfaceForces::kSwitched, "as in [G04]: they jitter across it"}},
             "How pressure and gravity change places at the surface.");
    using How = ParamVisitor::Word<ClusterIntegration>;
    v.choice("integration", p.integration,
             {How{"explicit", ClusterIntegration::kExplicit, "Euler, [G04] §5.4"},
              How{"implicit", ClusterIntegration::kImplicit,
                  "for stiff clusters: a linear system instead of many subcycles"}},
             "How subcycles are taken.");
    v.number("courant", p.courant,
             {"", 0, 1, true,
              "Subcycles last at most this part of r_min/v_max, [G04] Eq. 41; "
              "[G04] takes 0.01."});
    v.number("stability", p.stability,
             {"", 0, 1, true, "And at most this part of what is stable."});
    v.unused("stability", p.integration == ClusterIntegration::kImplicit,
             "integration is \"implicit\"");
    v.number("cfl", p.cfl, {"", 0, 8, true, "Voxels that anything may cross in one substep."});
    v.integer("min_substeps", p.min_substeps, 1, 1000, "Fewest substeps a frame.");
}

void describe_lives(Params& p, ParamVisitor& v) {
    v.number("life", p.life,
             {"s", 0, 1e9, true, "T of [G04] Eq. 18: mean life of small bubbles at the surface."});
    v.number("wall_life", p.wall_life,
             {"s", 0, 1e9, true, "The same of those that touch a solid or wall."});
    v.number("small_radius", p.small_radius, size("r_s of Eq. 17: up to here life is whole."));
    v.number("large_radius", p.large_radius, size("r_l of Eq. 17: here it is 1/(1 + life_scale)."));
    v.number("life_scale", p.life_scale, ratio("S of Eq. 17."));
    v.flag("pop_in_air", p.pop_in_air, "Bubbles that lose the surface pop at once, [G04] §5.3.4.");
    using W = ParamVisitor::Word<Merging>;
    v.choice("merging", p.merging,
             {W{"never", Merging::kNever, "as in [G04]"},
              W{"below", Merging::kBelow, "below the surface, where no film holds them apart"},
              W{"everywhere", Merging::kEverywhere, "in the foam too"}},
             "Whether bubbles run together; volumes are added.");
    v.number("merge_depth", p.merge_depth,
             {"", 0, 1, true, "Distance of two centres, over the sum of radii, at which they do."});
    v.unused("merge_depth", p.merging == Merging::kNever, "merging is \"never\"");
}

void describe(MarkerParams& m, ParamVisitor& v) {
    v.flag("bubbles", m.bubbles, "Markers of air that escaped into the liquid become bubbles.");
    v.flag("drops", m.drops, "Markers of liquid that escaped into the air become drops.");
    v.number("escape", m.escape,
             {"", 0, 100, false, "Radii on the wrong side from which on a marker has escaped."});
    v.flag("concave", m.concave, "Bubbles only where the surface bends towards the air.");
    v.flag("company", m.company, "Those of the least marker radius only beside others.");
    v.number("marker_min", m.marker_min, {"", 0, 10, true, "Least radius of markers, in voxels."});
    v.number("marker_max", m.marker_max, {"", 0, 10, true, "Largest one, in voxels."});
    v.number("small_mean", m.small_mean, size("Mean radius of bubbles from the smallest markers."));
    v.number("small_deviation", m.small_deviation, {"m", 0, 10, false, "Its standard deviation."});
    v.number("large_mean", m.large_mean, size("Mean radius of bubbles from the largest markers."));
    v.number("large_deviation", m.large_deviation, {"m", 0, 10, false, "Its standard deviation."});
    v.number("radius_min", m.radius_min, size("Smaller ones are drawn again."));
    v.number("radius_max", m.radius_max, size("Larger ones are drawn again."));
    v.number("density", m.density,
             {"", 0, 1e18, false,
              "Markers per m^3 (2D: m^2) up to which all are considered; of "
              "more, so many; 0: all."});
    v.number("per_cell", m.per_cell, {"", 0, 1e6, true, "Markers a voxel of the liquid's run."});
    using W = ParamVisitor::Word<Thinning>;
    v.choice("thinning", m.thinning,
             {W{"volume", Thinning::kVolume, "as h^D, [G04] §4.6: the number grows with the voxel"},
              W{"area", Thinning::kArea, "as h^(D − 1): the number does not depend on it"}},
             "How the part that is considered goes with the voxel h.");
    v.unused("thinning", m.density == 0, "density is 0");
}

void describe(HandBubble& b, ParamVisitor& v) {
    v.vector("position", b.position, {"m", -1e6, 1e6, false, "Of its centre."});
    v.number("radius", b.radius, size("Of the bubble."));
    v.number("time", b.time, moment("When it appears."));
    v.needed("position", true, "there is a bubble");
}

void describe(Removal& r, ParamVisitor& v) {
    v.text("name", r.name, "For messages; any text.");
    if (v.given("shape")) r.shaped = true;
    v.section("shape", "Bubbles in it are removed.",
              [&](ParamVisitor& w) { describe(r.shape, w); });
    v.text("ids", r.ids, "Bubbles to remove by their ids: \"3 7-12\".");
    v.number("start", r.start, moment("From when on."));
    v.number("stop", r.stop, moment("Until when."));
    v.unused("shape", !r.shaped, "there is none");
}

}  // namespace

void describe(Params& p, ParamVisitor& v) {
    describe_forces(p, v);
    describe_regions(p, v);
    describe_lives(p, v);
    describe_steps(p, v);
    v.section("markers", "Bubbles and drops from the markers that a cached liquid lost, [G04] §4.",
              [&](ParamVisitor& w) { describe(p.markers, w); });
    v.list("bubble", p.bubbles, "Bubbles by hand.",
           [](HandBubble& b, ParamVisitor& w) { describe(b, w); });
    v.list("remove", p.removals, "Bubbles to take away, by shape or by id; they count as left.",
           [](Removal& r, ParamVisitor& w) { describe(r, w); });
}

bool parse_ids(const std::string& text,
               std::vector<std::pair<std::uint64_t, std::uint64_t>>& ranges) {
    std::size_t at = 0;
    const auto digit = [&] { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
    const auto number = [&](std::uint64_t& value) {
        value = 0;
        for (int digits = 0; digit(); ++at, ++digits) {
            if (digits >= 19) return false;
            value = value * 10 + std::uint64_t(text[at] - '0');
        }
        return true;
    };
    while (at < text.size()) {
        if (text[at] == ' ' || text[at] == ',') {
            ++at;
            continue;
        }
        std::pair<std::uint64_t, std::uint64_t> range;
        if (!digit() || !number(range.first)) return false;
        range.second = range.first;
        if (at < text.size() && text[at] == '-') {
            ++at;
            if (!digit() || !number(range.second) || range.second < range.first) return false;
        }
        ranges.push_back(range);
    }
    return true;
}

}  // namespace spume::passive
