// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "spume/core/describe.h"
#include "spume/scene/document.h"
#include "spume/scene/ocean.h"
#include "spume/scene/scene.h"

namespace spume {
namespace {

constexpr int kFewest = 8, kMost = 4096;
constexpr double kNarrowest = 4;  // voxels: two for the shorter half of its longest wave

/// The least even product of 2, 3 and 5 that is not below n: others make transforms slow.
int smooth(int n) {
    for (n += n % 2;; n += 2) {
        int rest = n;
        for (const int p : {2, 3, 5})
            while (rest % p == 0) rest /= p;
        if (rest == 1) return n;
    }
}

}  // namespace

void describe_ocean(Ocean& o, bool used, ParamVisitor& v) {
    using P = ParamVisitor::Word<OceanSpectrum>;
    v.choice("spectrum", o.spectrum,
             {P{"jonswap", OceanSpectrum::kJonswap, "a sea that still grows with its fetch"},
              P{"tma", OceanSpectrum::kTma, "the same where `depth` bounds the waves"},
              P{"pierson_moskowitz", OceanSpectrum::kPiersonMoskowitz, "a sea fully grown"}},
             "How the ocean's energy is shared among frequencies.");
    using S = ParamVisitor::Word<OceanSpreading>;
    v.choice(
        "spreading", o.spreading,
        {S{"hasselmann", OceanSpreading::kHasselmann, "cos^2s, widest above the peak"},
         S{"mitsuyasu", OceanSpreading::kMitsuyasu, "cos^2s, the older fit"},
         S{"donelan_banner", OceanSpreading::kDonelanBanner, "sech^2, the narrowest at the peak"}},
        "How it is shared among directions.");
    v.number("wind", o.wind,
             {"m/s", 0, 100, true, "Speed of the wind, ten metres above the water."});
    v.number("fetch", o.fetch, {"m", 0, 1e8, true, "How far the wind has blown over water."});
    v.vector("direction", o.direction,
             {"", -1e6, 1e6, false, "Where the wind blows; its horizontal part counts."});
    v.number("peak", o.peak, {"", 1, 10, false, "Peak enhancement of JONSWAP, its gamma."});
    v.number(
        "swell", o.swell,
        {"", 0, 1, false, "How far waves are drawn into long parallel crests; 0: a wind sea."});
    v.number("choppiness", o.choppiness,
             {"", 0, 1, false,
              "How far crests sharpen and troughs flatten; 1: as trochoids; left out: 1, or what "
              "keeps the surface from folding."});
    v.number("tile", o.tile,
             {"m", 0, 1e5, true, "The sea repeats after so much, along both axes."});
    v.integer(
        "resolution", o.resolution, kFewest, kMost,
        "Points across the tile: it holds waves of two of their spacings and longer. Even, a "
        "product of 2, 3 and 5. Left out: one for two voxels. More of them add waves and leave the "
        "others as they are.");
    v.whole("seed", o.seed, "Another number, another sea of the same kind.");
    v.needed("tile", used, "kind is \"ocean\"");
    const char* when = "kind is not \"ocean\"";
    for (const char* name : {"spectrum", "spreading", "wind", "fetch", "direction", "peak", "swell",
                             "choppiness", "tile", "resolution", "seed"})
        v.unused(name, !used, when);
    const bool grown = used && o.spectrum == OceanSpectrum::kPiersonMoskowitz;
    v.unused("fetch", grown, "spectrum is \"pierson_moskowitz\"");
    v.unused("peak", grown, "spectrum is \"pierson_moskowitz\"");
    v.unused("choppiness", used && o.choppiness < 0, "it is negative");
    v.unused("resolution", used && o.resolution == 0, "it is 0");
}

int ocean_resolution(const Scene& scene) {
    const Ocean& o = scene.bulk.ocean;
    if (o.resolution > 0) return o.resolution;
    const double voxel = scene.bulk.voxel > 0 ? scene.bulk.voxel : scene.voxel();
    return smooth(int(std::clamp(std::ceil(0.5 * o.tile / voxel), double(kFewest), double(kMost))));
}

void check_ocean(const Scene& scene, SceneDocument& document) {
    const BulkLiquid& b = scene.bulk;
    const Ocean& o = b.ocean;
    if (length(scene.physics.gravity) == 0)
        document.conflict("bulk.kind", {"bulk", "physics"}, "there are no waves without gravity",
                          "Give physics.gravity, or another kind.");
    if (std::hypot(o.direction[0], o.direction[2]) == 0 ||
        (scene.domain.dimensions == 2 && o.direction[0] == 0))
        document.conflict("bulk.direction", {"bulk"}, "bulk.direction has no horizontal part",
                          "The wind blows along x and z (2D: x), as in [1, 0, 0].");
    if (o.spectrum == OceanSpectrum::kTma && b.depth == 0)
        document.conflict("bulk.spectrum", {"bulk"}, "a TMA spectrum is one of finite depth",
                          "Give bulk.depth, or take spectrum = \"jonswap\".");
    const double bottom = b.level - b.depth;
    if (b.depth > 0 && scene.domain.lower[1] < bottom - 1e-9 * b.depth)
        document.conflict(
            "bulk.depth", {"bulk", "domain"},
            fmt::format("the domain reaches down to {} m, below the bottom of the sea "
                        "at {:.6g} m",
                        scene.domain.lower[1], bottom),
            fmt::format("Deepen the sea, or let domain.lower begin at {:.6g}.", bottom));
    if (o.tile <= 0) return;
    const double wide = o.tile / (b.voxel > 0 ? b.voxel : scene.voxel());
    if (wide < kNarrowest)
        document.conflict(
            "bulk.tile", {"bulk", "domain"},
            fmt::format("a tile of {} m is {:.3g} voxels wide: they hold none of its waves", o.tile,
                        wide),
            fmt::format("Make it at least {:.3g} m, or the voxels smaller.",
                        kNarrowest * o.tile / wide));
    const int points = ocean_resolution(scene);
    if (points != smooth(points))
        document.conflict(
            "bulk.resolution", {"bulk"},
            fmt::format("bulk.resolution = {} is no even product of 2, 3 and 5", points),
            fmt::format("{} is the next.", smooth(points)));
    const double voxel = b.voxel > 0 ? b.voxel : scene.voxel(), spacing = o.tile / points;
    if (o.resolution > 0 && spacing < 0.5 * voxel)
        document.conflict(
            "bulk.resolution", {"bulk", "domain"},
            fmt::format(
                "{} points over {} m hold waves of {:.3g} m, which voxels of {:.3g} m do not",
                points, o.tile, 2 * spacing, voxel),
            fmt::format("At most {} make sense here, or a smaller voxel.",
                        int(2 * o.tile / voxel)));
    if (o.resolution == 0 && spacing > 2.001 * voxel)
        document.conflict(
            "bulk.tile", {"bulk", "domain"},
            fmt::format("a tile of {} m has {:.4g} voxels, more than twice the {} points that "
                        "it may have",
                        o.tile, o.tile / voxel, kMost),
            "Make it smaller, or give bulk.resolution.");
}

}  // namespace spume
