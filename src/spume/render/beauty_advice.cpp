// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "spume/render/beauty.h"
#include "spume/render/point_columns.h"

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;

bool filmy(const Frame& frame, const PointSet& set) {
    bool surface = false;
    for (const NamedMesh& m : frame.meshes)
        surface = surface || (m.name != "bubbles" && !m.mesh.triangles.empty());
    return surface && (set.name == "foam" || set.name == "bubbles");
}

void about_columns(const Frame& frame, const PointSet& set, const BeautyOptions& options,
                   std::vector<std::string>& advice) {
    const PointColumns columns(set);
    if (!columns.radius)
        advice.push_back(
            fmt::format("the points '{}' have no column 'pscale'; they are drawn {} mm "
                        "in radius",
                        set.name, 1e3 * options.default_radius));
    if (!columns.velocity && options.blur > 0)
        advice.push_back(fmt::format(
            "the points '{}' have no column 'v'; they are drawn without motion blur", set.name));
    if (!columns.age && filmy(frame, set) && options.films == FilmLaw::kInterference)
        advice.push_back(fmt::format(
            "the points '{}' have no column 'age'; their films are drawn as thick as at birth",
            set.name));
    if (!columns.radius || !filmy(frame, set)) return;
    std::size_t thick = 0;
    for (std::size_t i = 0; i < set.size(); ++i) {
        const double age = columns.age ? double((*columns.age)[i]) : 0;
        const double film = options.draining.thickness(std::isfinite(age) ? age : 0);
        thick += film > 0.1 * double((*columns.radius)[i]) ? 1 : 0;
    }
    if (thick > 0)
        advice.push_back(fmt::format(
            "films of {} of the points '{}' would be thicker than a tenth of the bubble; they are "
            "drawn that thin",
            thick, set.name));
}

/// Under water the light comes through a surface that is not in the frame.
void about_lights(const Frame& frame, const BeautyOptions& options,
                  std::vector<std::string>& advice) {
    if (!beauty_under_water(frame, options)) return;
    const auto unseen = [&](bool asked, const char* flag, const char* instead) {
        if (asked)
            advice.push_back(fmt::format(
                "the frame has no water surface: all space is water, and {} is not seen; {}", flag,
                instead));
    };
    const char* window = "light comes from above, behind what is looked at";
    unseen(options.sky.has_value(), "the picture of --environment", window);
    unseen(options.sun.has_value(), "the --sun", window);
    unseen(!options.lamps.empty(), "a --lamp", window);
    unseen(options.photons.value_or(0) > 0, "light of --photons",
           "the net of light on the ground is painted");
}

/// A liquid with air around it that no mesh stands for.
void about_surface(const Frame& frame, const BeautyOptions& options,
                   std::vector<std::string>& advice) {
    if (!frame.free_surface || !beauty_under_water(frame, options)) return;
    advice.push_back(
        frame.dimensions == 2
            ? "a liquid in the plane has no surface for rays of light: all space is drawn as "
              "water; --mode preview shows it"
            : "the frame has no mesh of its liquid's surface: all space is drawn as water; run "
              "with the method's write_mesh = true, or see the bubbles with --no-surface");
}

bool has_smoke(const Frame& frame) {
    return frame.dimensions == 3 &&
           std::any_of(frame.volumes.begin(), frame.volumes.end(),
                       [](const Volume& v) { return v.name == "smoke" && v.components == 1; });
}

}  // namespace

std::vector<std::string> beauty_advice(const Frame& frame, const BeautyOptions& options) {
    std::vector<std::string> advice;
    const Vec3 eye = beauty_camera(frame, options).position;
    for (const PointSet& set : frame.points) {
        if (set.size() == 0) continue;
        about_columns(frame, set, options, advice);
        const PointColumns columns(set);
        for (std::size_t i = 0; i < set.size(); ++i) {
            const double r = columns.radius ? double((*columns.radius)[i]) : options.default_radius;
            if (!(length(set.position[i] - eye) < r)) continue;
            advice.push_back(fmt::format(
                "the camera stands inside of one of the points '{}' and looks out of it",
                set.name));
            break;
        }
    }
    for (const auto& body : options.solids)
        if (body.begin.distance(eye) < 0) {
            advice.push_back(
                "the camera stands inside of a solid: little light gets there; move "
                "it with --camera and --target");
            break;
        }
    about_surface(frame, options, advice);
    about_lights(frame, options, advice);
    if (options.smoke > 0 && !has_smoke(frame))
        advice.push_back("the frame has no volume 'smoke' in space; none is drawn");
    return advice;
}

}  // namespace spume
