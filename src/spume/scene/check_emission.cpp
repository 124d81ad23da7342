// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include "spume/core/math.h"
#include "spume/scene/check.h"
#include "spume/scene/shape_bounds.h"

namespace spume {
namespace {

void check_range(const Scene& scene, SceneDocument& document) {
    const Aeration& a = scene.aeration;
    if (!(a.a_max > a.a_min))
        document.conflict(
            "aeration.a_max", {"aeration"},
            fmt::format("aeration.a_max = {} is not above a_min = {}", a.a_max, a.a_min),
            "Air is entrained from a_min on and most at a_max; 1 and 100 are usual.");
    const bool used = scene.emission.on || scene.output.aeration;
    if (used && scene.physics.surface_tension == 0)
        document.conflict("physics.surface_tension", {"physics"},
                          "aeration compares with surface tension, and there is none",
                          "Give physics.surface_tension; of water and air it is 0.072 N/m.");
}

void check_radii(const Scene& scene, SceneDocument& document) {
    const Emission& e = scene.emission;
    if (e.radius_min > e.radius_max)
        document.conflict("emission.radius_min", {"emission"},
                          fmt::format("emission.radius_min = {} m is above radius_max = {} m",
                                      e.radius_min, e.radius_max),
                          "Exchange the two.");
    const bool two_slopes = e.distribution == SizeLaw::kTwoSlope;
    if (two_slopes && !(e.split_radius >= e.radius_min && e.split_radius <= e.radius_max))
        document.conflict(
            "emission.split_radius", {"emission"},
            fmt::format("emission.split_radius = {} m is not between radius_min = {} m and "
                        "radius_max = {} m",
                        e.split_radius, e.radius_min, e.radius_max),
            "Let the slopes meet within the range of radii.");
    // A larger one would be more air than the voxel that it comes from.
    const double h = scene.voxel();
    const double most =
        scene.domain.dimensions == 2 ? h / std::sqrt(math::kPi) : h * math::cbrt(0.75 / math::kPi);
    if (e.radius_max > most)
        document.conflict("emission.radius_max", {"emission", "domain"},
                          fmt::format("a bubble of emission.radius_max = {} m is more air than a "
                                      "voxel of {:.4g} m holds",
                                      e.radius_max, h),
                          fmt::format("Give at most {:.3g} m here, or larger voxels.", most));
}

void check_place(const Scene& scene, const Shape& shape, const std::string& path,
                 SceneDocument& document) {
    check_shape(scene, shape, path + ".shape", document);
    if (shape.kind == ShapeKind::kMesh) return;
    const Box<double, 3> box = shape_bounds(shape);
    for (int i = 0; i < scene.domain.dimensions; ++i) {
        if (box.hi[i] > scene.domain.lower[i] && box.lo[i] < scene.domain.upper[i]) continue;
        std::vector<std::string> tables = tables_of(shape, path + ".shape");
        tables.push_back(path);
        document.conflict(path + ".shape", tables,
                          fmt::format("{} is outside the domain: it spans {:.4g} … {:.4g} m along "
                                      "{}, the domain {:.4g} … {:.4g} m",
                                      path, box.lo[i], box.hi[i], "xyz"[i], scene.domain.lower[i],
                                      scene.domain.upper[i]),
                          "Move its centre, or enlarge the domain.");
        return;
    }
}

void check_foam(const Scene& scene, SceneDocument& document) {
    const WetFoam& f = scene.foam;
    for (std::size_t i = 0; i < f.patches.size(); ++i) {
        const FoamPatch& p = f.patches[i];
        const std::string path = fmt::format("foam.patch[{}]", i);
        if (!scene.bulk.present && !scene.whitewater.on)
            document.conflict(path, {"foam"},
                              "foam lies on a [bulk] or beside [whitewater], and there is neither",
                              "Name a liquid in [bulk], add [whitewater] to a scene that simulates "
                              "its own, or leave the patch out.");
        check_place(scene, p.shape, path, document);
        if (p.radius_min > p.radius_max)
            document.conflict(path + ".radius_min", {path},
                              fmt::format("radius_min = {} m is above radius_max = {} m",
                                          p.radius_min, p.radius_max),
                              "Exchange the two.");
    }
}

}  // namespace

void check_emission(const Scene& scene, SceneDocument& document) {
    check_foam(scene, document);
    check_range(scene, document);
    const Emission& e = scene.emission;
    if (!e.on) return;
    if (!scene.bulk.present && !scene.whitewater.on)
        document.conflict("emission", {"emission"},
                          "[emission] makes bubbles in a [bulk], and there is none",
                          "Name a cached liquid in [bulk], or add [whitewater] to a scene that "
                          "simulates its own, or make bubbles with [[emitter]].");
    check_radii(scene, document);
    for (std::size_t i = 0; i < e.regions.size(); ++i)
        check_place(scene, e.regions[i].shape, fmt::format("emission.region[{}]", i), document);
    for (std::size_t i = 0; i < e.kills.size(); ++i)
        check_place(scene, e.kills[i].shape, fmt::format("emission.kill[{}]", i), document);
    if (!e.mask.empty() && !(scene.bulk.present && scene.bulk.cached()))
        document.conflict("emission.mask", {"emission", "bulk"},
                          "emission.mask names a volume, and only a cached bulk has any",
                          "Use [[emission.region]], or a bulk of kind = \"cache\".");
}

}  // namespace spume
