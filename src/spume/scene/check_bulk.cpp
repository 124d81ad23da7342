// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include "spume/core/math.h"
#include "spume/scene/check_parts.h"

namespace spume {

/// A cached liquid is looked at when it is read.
void check_bulk(const Scene& scene, SceneDocument& document) {
    const BulkLiquid& b = scene.bulk;
    if (!b.present || b.cached()) return;
    const double ratio = b.voxel > 0 ? scene.voxel() / b.voxel : 1;
    if (std::fabs(ratio - 1) > 1e-9 && std::fabs(ratio - 2) > 1e-9)
        document.conflict(
            "bulk.voxel", {"bulk", "domain"},
            fmt::format("bulk.voxel = {} m, but the domain's is {:.9g} m", b.voxel, scene.voxel()),
            "A voxel of the domain is one or two of the bulk's wide.");
    if (b.kind == BulkKind::kOcean) return check_ocean(scene, document);
    if (b.kind != BulkKind::kAnalytic) return;
    const bool standing = b.flow == BulkFlow::kStandingWave;
    if (!standing && b.flow != BulkFlow::kGerstnerWave) return;
    if (length(scene.physics.gravity) == 0)
        document.conflict("bulk.flow", {"bulk", "physics"}, "there are no waves without gravity",
                          "Give physics.gravity, or another flow.");
    // Beyond 1 / k Gerstner's surface crosses itself; the linear wave is far from water by then.
    const double highest = b.wavelength / (2 * math::kPi);
    if (b.amplitude >= highest)
        document.conflict("bulk.amplitude", {"bulk"},
                          fmt::format("bulk.amplitude = {} m is too high for a wavelength of {} m",
                                      b.amplitude, b.wavelength),
                          fmt::format("It must be below {:.3g} m.", highest));
    if (standing && b.depth > 0 && b.amplitude >= b.depth)
        document.conflict("bulk.amplitude", {"bulk"},
                          fmt::format("bulk.amplitude = {} m reaches the bottom, {} m deep",
                                      b.amplitude, b.depth),
                          "Lower the wave, or deepen the water.");
}

void check_camera(const Scene& scene, SceneDocument& document) {
    check_keys(scene.camera.keys, "camera", document);
    for (std::size_t i = 0; i < scene.camera.keys.size(); ++i)
        if (scene.camera.keys[i].position == scene.camera.keys[i].target)
            document.conflict(
                fmt::format("camera.keys[{}].target", i), {fmt::format("camera.keys[{}]", i)},
                fmt::format("camera.keys[{}].target is where the camera itself is", i),
                "Look at another point.");
    if (!scene.camera.automatic && scene.camera.keys.empty() &&
        scene.camera.position == scene.camera.target)
        document.conflict("camera.target", {"camera"},
                          "camera.target is where the camera itself is", "Look at another point.");
}

}  // namespace spume
