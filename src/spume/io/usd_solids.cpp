// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>

#include <fmt/format.h>

#include "spume/core/math.h"
#include "spume/io/usd.h"

namespace spume {
namespace {

constexpr double kAperture = 24, kAspect = 16.0 / 9;  // height in mm, and the width to it

/// Rows of vectors: a point is multiplied from the left.
std::string matrix(const Pose& pose) {
    const auto& r = pose.rotation.row;
    std::string text = "( ";
    for (int i = 0; i < 3; ++i)
        text += fmt::format("({:.9g}, {:.9g}, {:.9g}, 0), ", r[0][i], r[1][i], r[2][i]);
    return text + fmt::format("({:.9g}, {:.9g}, {:.9g}, 1) )", pose.position[0], pose.position[1],
                              pose.position[2]);
}

bool rests(const std::vector<Pose>& poses) {
    return std::all_of(poses.begin(), poses.end(),
                       [&](const Pose& pose) { return matrix(pose) == matrix(poses[0]); });
}

/// Where it is: one value, or one for each frame.
std::string placed(const std::vector<Pose>& poses, const std::vector<int>& frames) {
    std::string text;
    if (rests(poses)) {
        text = fmt::format("        matrix4d xformOp:transform = {}\n", matrix(poses.at(0)));
    } else {
        text = "        matrix4d xformOp:transform.timeSamples = {\n";
        for (std::size_t i = 0; i < poses.size() && i < frames.size(); ++i)
            text += fmt::format("            {}: {},\n", frames[i], matrix(poses[i]));
        text += "        }\n";
    }
    return text + "        uniform token[] xformOpOrder = [\"xformOp:transform\"]\n";
}

std::string points(const std::vector<Vec<double, 3>>& vertices) {
    std::string text;
    for (const auto& x : vertices)
        text += fmt::format("{}({}, {}, {})", text.empty() ? "" : ", ", float(x[0]), float(x[1]),
                            float(x[2]));
    return "[" + text + "]";
}

std::string surface(const UsdSolid& solid, const std::vector<int>& frames) {
    std::string places = " = " + points(solid.mesh.vertices), corners, counts;
    if (!solid.vertices.empty()) {
        places = ".timeSamples = {\n";
        for (std::size_t i = 0; i < solid.vertices.size() && i < frames.size(); ++i)
            places += fmt::format("            {}: {},\n", frames[i], points(solid.vertices[i]));
        places += "        }";
    }
    for (const auto& t : solid.mesh.triangles) {
        corners += fmt::format("{}{}, {}, {}", corners.empty() ? "" : ", ", t[0], t[1], t[2]);
        counts += counts.empty() ? "3" : ", 3";
    }
    return fmt::format(
        "        uniform token subdivisionScheme = \"none\"\n        point3f[] points{}\n"
        "        int[] faceVertexCounts = [{}]\n        int[] faceVertexIndices = [{}]\n"
        "        color3f[] primvars:displayColor = [({:.4g}, {:.4g}, {:.4g})]\n"
        "        float[] primvars:displayOpacity = [{}]\n",
        places, counts, corners, solid.colour[0], solid.colour[1], solid.colour[2],
        solid.glass ? 0.15 : 1.0);
}

}  // namespace

std::string usd_solids(const UsdSequence& s) {
    std::string text;
    for (std::size_t i = 0; i < s.solids.size(); ++i) {
        if (s.solids[i].poses.empty()) continue;
        // Names of solids need not differ.
        text +=
            fmt::format("    def Mesh \"solid_{}_{}\"\n    {{\n", i, usd_name(s.solids[i].name));
        text += surface(s.solids[i], s.frames) + placed(s.solids[i].poses, s.frames) + "    }\n";
    }
    return text;
}

std::string usd_camera(const UsdSequence& s) {
    if (s.camera.empty()) return {};
    const auto focal = [](double degrees) {
        const double half = degrees * math::kPi / 360;
        return kAperture / 2 * math::cos(half) / math::sin(half);
    };
    std::string lengths;
    for (std::size_t i = 0; i < s.field_of_view.size() && i < s.frames.size(); ++i)
        lengths += fmt::format("{}: {:.9g}, ", s.frames[i], focal(s.field_of_view[i]));
    return fmt::format(
               "    def Camera \"camera\"\n    {{\n"
               "        float verticalAperture = {}\n        float horizontalAperture = {:.9g}\n"
               "        float focalLength.timeSamples = {{ {} }}\n",
               kAperture, kAperture * kAspect, lengths) +
           placed(s.camera, s.frames) + "    }\n";
}

}  // namespace spume
