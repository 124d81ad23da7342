// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/cluster_params.h"

#include <fmt/format.h>

#include "spume/particles/bubble_size.h"

namespace spume {
namespace {

NumberSpec speed(const char* help) { return {"m/s", 0, 1000, false, help}; }
NumberSpec ratio(const char* help) { return {"", 0, 1e6, false, help}; }
NumberSpec size(const char* help) { return {"m", 1e-7, 10, false, help}; }

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

}  // namespace

void describe_forces(ClusterParams& p, ParamVisitor& v) {
    v.number("rise_speed", p.rise_speed,
             speed("Of a bubble of `rise_radius` in still water: K_p of [G04] Eq. 32."));
    v.number("rise_radius", p.rise_radius, size("Radius that `rise_speed` is of."));
    v.number("clip_radius", p.clip_radius,
             size("Larger bubbles rise as this one: V of Eq. 32 is clipped."));
    v.number("fall_speed", p.fall_speed,
             speed("F^g over K_visc: gravity on bubbles on the surface."));
    v.number("acceleration_limit", p.acceleration_limit,
             {"m/s^2", 0, 1e6, false,
              "Of the bulk along each axis: impacts between two frames "
              "are no acceleration."});
}

void describe_regions(ClusterParams& p, ParamVisitor& v) {
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

void describe_lives(ClusterParams& p, ParamVisitor& v) {
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

void describe_subcycles(ClusterParams& p, ParamVisitor& v) {
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
}

void describe_marker_bubbles(MarkerParams& m, ParamVisitor& v) {
    v.number("escape", m.escape,
             {"", 0, 100, false, "Radii on the wrong side from which on a marker has escaped."});
    v.flag("concave", m.concave, "Bubbles only where the surface bends towards the air.");
    v.flag("company", m.company, "Those of the least marker radius only beside others.");
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
    using W = ParamVisitor::Word<Thinning>;
    v.choice<Thinning>(
        "thinning", m.thinning,
        {W{"volume", Thinning::kVolume, "as h^D, [G04] §4.6: the number grows with the voxel"},
         W{"area", Thinning::kArea, "as h^(D − 1): the number does not depend on it"}},
        "How the part that is considered goes with the voxel h.");
    v.unused("thinning", m.density == 0, "density is 0");
}

void describe(MarkerParams& m, ParamVisitor& v) {
    v.flag("bubbles", m.bubbles, "Markers of air that escaped into the liquid become bubbles.");
    v.flag("drops", m.drops, "Markers of liquid that escaped into the air become drops.");
    describe_marker_bubbles(m, v);
    v.number("marker_min", m.marker_min, {"", 0, 10, true, "Least radius of markers, in voxels."});
    v.number("marker_max", m.marker_max, {"", 0, 10, true, "Largest one, in voxels."});
    v.number("per_cell", m.per_cell, {"", 0, 1e6, true, "Markers a voxel of the liquid's run."});
}

namespace {

void check_regions(const ClusterParams& p, const std::string& path, SceneDocument& document) {
    const std::pair<const char*, const RegionParams*> regions[] = {
        {"below", &p.below},
        {"touching_below", &p.touching_below},
        {"touching_above", &p.touching_above},
        {"above", &p.above}};
    for (const auto& [name, r] : regions)
        if (!(r->viscous + r->air > 0))
            document.complain(fmt::format("{}.{}", path, name),
                              "a lone bubble there has no friction, and its speed no limit",
                              "give viscous or air more than 0");
}

void check_radii(const ClusterParams& p, const std::string& path, SceneDocument& document) {
    if (!(p.large_radius > p.small_radius))
        document.complain(path + ".large_radius",
                          fmt::format("large_radius = {} m is not above small_radius = {} m",
                                      p.large_radius, p.small_radius),
                          "life goes down from small_radius to large_radius; exchange them");
    const MarkerParams& m = p.markers;
    if (m.radius_min > m.radius_max)
        document.complain(
            path + ".markers.radius_min",
            fmt::format("radius_min = {} m is above radius_max = {} m", m.radius_min, m.radius_max),
            "exchange the two");
    if (m.marker_min > m.marker_max)
        document.complain(path + ".markers.marker_min",
                          fmt::format("marker_min = {} is above marker_max = {} voxels",
                                      m.marker_min, m.marker_max),
                          "exchange the two; a particle level set has 0.1 and 0.5");
    const auto far = [&](double mean, double deviation) {
        return mean + 4 * deviation < m.radius_min || mean - 4 * deviation > m.radius_max;
    };
    if (far(m.small_mean, m.small_deviation) || far(m.large_mean, m.large_deviation))
        document.complain(path + ".markers",
                          "a mean radius is more than four deviations out of radius_min … "
                          "radius_max: no draw would meet the range",
                          "let small_mean and large_mean lie in the range");
}

RegionCoefficients coefficients(const RegionParams& r) {
    return {r.viscous, r.repulsion, r.attraction, r.friction, r.obstacle, r.air};
}

}  // namespace

void check(const ClusterParams& p, const std::string& path, SceneDocument& document) {
    check_regions(p, path, document);
    check_radii(p, path, document);
}

template <int D>
ClusterLaw<D> cluster_law(const ClusterParams& p, const Physics& physics) {
    ClusterLaw<D> law;
    const RegionParams* regions[] = {&p.below, &p.touching_below, &p.touching_above, &p.above};
    for (int i = 0; i < kSurfaceRegions; ++i) law.region[i] = coefficients(*regions[i]);
    law.wall_repulsion = p.wall_repulsion;
    law.wall_attraction = p.wall_attraction;
    law.threshold = p.threshold;
    const Vec<double, D> g = in_plane<D>(physics.gravity);
    const double strength = length(g), usual = strength > 0 ? strength : 9.81;
    law.pressure = p.rise_speed / (bubble_volume<D>(p.rise_radius) * physics.water_density * usual);
    law.largest_volume = bubble_volume<D>(p.clip_radius);
    if (strength > 0) law.gravity = g * (p.fall_speed / strength);
    law.surface = p.surface;
    law.integration = p.integration;
    law.courant = p.courant;
    law.stability = p.stability;
    return law;
}

PoppingLaw popping_law(const ClusterParams& p, std::uint64_t seed) {
    return {p.life,       p.wall_life,  p.small_radius, p.large_radius,
            p.life_scale, p.pop_in_air, seed,           {}};
}

MarkerLaw marker_law(const MarkerParams& m, double voxel, int dimensions, std::uint64_t seed) {
    MarkerLaw law;
    law.escape = m.escape;
    law.concave = m.concave;
    law.need_company = m.company;
    law.marker_min = m.marker_min * voxel;
    law.marker_max = m.marker_max * voxel;
    law.small_mean = m.small_mean;
    law.small_deviation = m.small_deviation;
    law.large_mean = m.large_mean;
    law.large_deviation = m.large_deviation;
    law.radius_min = m.radius_min;
    law.radius_max = m.radius_max;
    law.keep =
        considered_part(m.density, m.per_cell, voxel, dimensions, m.thinning == Thinning::kArea);
    double cell = 1;
    for (int a = 0; a < dimensions; ++a) cell *= voxel;
    law.marker_volume = cell / m.per_cell;
    law.seed = seed;
    return law;
}

template ClusterLaw<2> cluster_law<2>(const ClusterParams&, const Physics&);
template ClusterLaw<3> cluster_law<3>(const ClusterParams&, const Physics&);

}  // namespace spume
