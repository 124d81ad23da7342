// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

namespace spume {

/// [foam] as key, value and header of the table that begins there, if one does.
struct FoamEntry {
    const char *header, *item, *key, *value;
};
inline std::vector<FoamEntry> foam_keys() {
    const char* patch = "[[foam.patch]]";
    return {{"[foam]", "foam", "on", "true"},
            {"[foam]", "foam", "support", "4.5"},
            {"[foam]", "foam", "stiffness", "0.6"},
            {"[foam]", "foam", "viscosity", "0.1"},
            {"[foam]", "foam", "viscosity_radius", "\"1 mm\""},
            {"[foam]", "foam", "cohesion", "5"},
            {"[foam]", "foam", "cohesion_range", "6"},
            {"[foam]", "foam", "capillarity", "1"},
            {"[foam]", "foam", "integration", "\"implicit\""},
            {"[foam]", "foam", "coverage", "false"},
            {"[foam]", "foam", "drag", "0.3"},
            {"[foam]", "foam", "density", "2"},
            {"[foam]", "foam", "kept_speed", "0.5"},
            {"[foam]", "foam", "life", "\"normal\""},
            {"[foam]", "foam", "life_mean", "2"},
            {"[foam]", "foam", "life_variance", "0.4"},
            {"[foam]", "foam", "life_power", "-0.5"},
            {"[foam]", "foam", "pruning", "\"number\""},
            {"[foam]", "foam", "rotation", "\"printed\""},
            {"[foam]", "foam", "newton_iterations", "4"},
            {"[foam]", "foam", "max_correction", "0.5"},
            {"[foam]", "foam", "max_substeps", "32"},
            {patch, "foam.patch[0]", "name", "\"raft\""},
            {patch, "foam.patch[0]", "shape.kind", "\"box\""},
            {patch, "foam.patch[0]", "shape.center", "[0, 1, 0]"},
            {patch, "foam.patch[0]", "shape.size", "[1, 1, 1]"},
            {patch, "foam.patch[0]", "shape.shell", "0.1"},
            {patch, "foam.patch[0]", "shape.open_top", "true"},
            {patch, "foam.patch[0]", "shape.rotation", "[0, 0, 5]"},
            {patch, "foam.patch[0]", "cover", "0.4"},
            {patch, "foam.patch[0]", "start", "0.1"},
            {patch, "foam.patch[0]", "radius_min", "\"1 mm\""},
            {patch, "foam.patch[0]", "radius_max", "\"3 mm\""},
            {patch, "foam.patch[0]", "streaks", "\"10 cm\""},
            {patch, "foam.patch[0]", "sharpness", "0.4"},
            {patch, "foam.patch[1]", "shape.kind", "\"cylinder\""},
            {patch, "foam.patch[1]", "shape.center", "[0, 1, 0]"},
            {patch, "foam.patch[1]", "shape.radius", "0.2"},
            {patch, "foam.patch[1]", "shape.height", "0.2"},
            {patch, "foam.patch[1]", "rate", "0.1"},
            {patch, "foam.patch[1]", "stop", "2"},
            {patch, "foam.patch[2]", "shape.kind", "\"mesh\""},
            {patch, "foam.patch[2]", "shape.file", "\"hull.ply\""},
            {patch, "foam.patch[2]", "shape.scale", "0.5"}};
}

}  // namespace spume
