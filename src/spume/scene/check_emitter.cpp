// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/core/box.h"
#include "spume/core/math.h"
#include "spume/scene/check_parts.h"
#include "spume/scene/shape_bounds.h"

namespace spume {
namespace {

constexpr double kBytesPerBubble = 100;
constexpr double kMostBubbles = 2e9;

/// Volume (2D: area) of the mean bubble; sizes spread like r⁻³ have the mean cube 2 a² b² / (a + b)
/// and the mean square 2 a² b² ln(b/a) / (b² − a²).
double mean_bubble(const Emitter& e, int dimensions, double voxel) {
    const auto [a, b, stands_for] = radius_span(e, dimensions, voxel);
    if (stands_for > 0) return stands_for;
    if (dimensions == 3) return 4 * math::kPi / 3 * (2 * a * a * b * b / (a + b));
    const double square = b > a ? 2 * a * a * b * b * math::log(b / a) / (b * b - a * a) : a * a;
    return math::kPi * square;
}

/// How many bubbles the emitter makes at the start, or in the longest second.
double bubbles_made(const Scene& scene, const Emitter& e) {
    const double bubble = mean_bubble(e, scene.domain.dimensions, scene.voxel());
    if (e.mode == EmitMode::kRate) return e.rate / bubble;
    const auto size = shape_bounds(e.shape).size();
    double room = size[0] * size[1];
    if (scene.domain.dimensions == 3) room *= size[2];
    if (e.spacing > 0) {
        const double cell = e.spacing * e.spacing;
        return room / (scene.domain.dimensions == 3 ? cell * e.spacing : cell);
    }
    return e.count > 0 ? e.count : room * e.fraction / bubble;
}

void check_pulse(const Emitter& e, const std::string& path, SceneDocument& document) {
    for (std::size_t i = 0; i < e.pulse.size(); ++i) {
        const std::string key = fmt::format("{}.pulse[{}]", path, i);
        const double time = e.pulse[i].time;
        if (i > 0 && !(time > e.pulse[i - 1].time)) {
            document.conflict(key + ".time", {key, fmt::format("{}.pulse[{}]", path, i - 1)},
                              fmt::format("{}.time = {} s is not after the key before it, at {} s",
                                          key, time, e.pulse[i - 1].time),
                              "Sort the keys by time.");
            return;
        }
        if (e.period > 0 && time > e.period)
            document.conflict(
                key + ".time", {key, path},
                fmt::format("{}.time = {} s is beyond the period of {} s", key, time, e.period),
                "Let the pulse end within its period.");
    }
}

}  // namespace

void check_emitter(const Scene& scene, const Emitter& e, const std::string& path,
                   SceneDocument& document) {
    const std::vector<std::string> own{path};
    std::vector<std::string> all = tables_of(e.shape, path + ".shape");
    all.push_back(path);
    check_shape(scene, e.shape, path + ".shape", document);
    if (e.mode == EmitMode::kRate && !(e.stop > e.start))
        document.conflict(
            path + ".stop", own,
            fmt::format("{}.stop = {} s is not after start = {} s", path, e.stop, e.start),
            "Let it stop later than it starts.");
    if (e.mode == EmitMode::kSeed && e.start < 0)
        document.conflict(
            path + ".start", own,
            fmt::format("{}.start = {} s is before the first frame, so no bubbles are seeded", path,
                        e.start),
            "Seed at 0 or later.");
    if (e.mode == EmitMode::kRate && e.period > 0 && e.burst > e.period)
        document.conflict(path + ".burst", own,
                          fmt::format("{}.burst = {} s is longer than its period of {} s", path,
                                      e.burst, e.period),
                          "A burst must end before the next begins.");
    check_pulse(e, path, document);
    check_keys(e.keys, path, document);
    check_attach(scene, e.attach, path, document);
    if (e.law == RadiusLaw::kInverseCubic && e.radius_min > e.radius_max)
        document.conflict(path + ".radius_min", own,
                          fmt::format("{}.radius_min = {} m is above radius_max = {} m", path,
                                      e.radius_min, e.radius_max),
                          "Exchange the two.");
    const auto extent = shape_bounds(e.shape).size();
    const bool several = std::max({extent[0], extent[1], extent[2]}) > 2 * e.spacing;
    if (e.mode == EmitMode::kSeed && e.spacing > 0 && several) {
        const double cell = scene.domain.dimensions == 3 ? e.spacing * e.spacing * e.spacing
                                                         : e.spacing * e.spacing;
        const double share = mean_bubble(e, scene.domain.dimensions, scene.voxel()) / cell;
        // Half a voxel is what bubbles that share a cell are spread at; rounding is no crowd.
        if (share > 1 + 1e-9)
            document.conflict(path + ".spacing", own,
                              fmt::format("{}.spacing = {} m is too close: bubbles would fill "
                                          "{:.3g} times the room there is",
                                          path, e.spacing, share),
                              "Space them wider or make them smaller.");
    }
    const bool moves = !e.keys.empty() || !e.attach.empty();
    if (e.shape.kind == ShapeKind::kMesh) return;
    const Box<double, 3> box = shape_bounds(e.shape);
    for (int i = 0; i < scene.domain.dimensions; ++i) {
        if (moves || (box.hi[i] > scene.domain.lower[i] && box.lo[i] < scene.domain.upper[i]))
            continue;
        document.conflict(path + ".shape", all,
                          fmt::format("{} is outside the domain: it spans {:.4g} … {:.4g} m along "
                                      "{}, the domain {:.4g} … {:.4g} m",
                                      path, box.lo[i], box.hi[i], "xyz"[i], scene.domain.lower[i],
                                      scene.domain.upper[i]),
                          "Move its centre, or enlarge the domain.");
        return;
    }
    const double bubbles = bubbles_made(scene, e);
    if (bubbles > kMostBubbles)
        document.conflict(path, all,
                          fmt::format("{} makes about {:.3g} bubbles{}, for {} of memory", path,
                                      bubbles, e.mode == EmitMode::kRate ? " a second" : "",
                                      bytes_text(bubbles * kBytesPerBubble)),
                          "Emit less air, or larger bubbles.");
}

}  // namespace spume
