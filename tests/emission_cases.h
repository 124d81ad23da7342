// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

namespace spume {

/// [aeration] and [emission] as key, value and header of the table that begins there, if one does.
struct EmissionEntry {
    const char *header, *item, *key, *value;
};
inline std::vector<EmissionEntry> emission_keys() {
    const char *region = "[[emission.region]]", *kill = "[[emission.kill]]";
    return {{"[aeration]", "aeration", "a_min", "2"},
            {"[aeration]", "aeration", "a_max", "50"},
            {"[aeration]", "aeration", "fraction_max", "0.4"},
            {"[aeration]", "aeration", "tau", "\"40 ms\""},
            {"[aeration]", "aeration", "curvature", "\"both\""},
            {"[emission]", "emission", "distribution", "\"two_slope\""},
            {"[emission]", "emission", "radius_min", "\"0.6 mm\""},
            {"[emission]", "emission", "radius_max", "\"4 mm\""},
            {"[emission]", "emission", "split_radius", "\"1.2 mm\""},
            {"[emission]", "emission", "jitter", "3"},
            {"[emission]", "emission", "time", "\"50 ms\""},
            {"[emission]", "emission", "bubble_rate", "1000"},
            {"[emission]", "emission", "air_rate", "\"1 l/s\""},
            {"[emission]", "emission", "outside", "0.5"},
            {region, "emission.region[0]", "name", "\"bow\""},
            {region, "emission.region[0]", "shape.kind", "\"box\""},
            {region, "emission.region[0]", "shape.center", "[0, 1, 0]"},
            {region, "emission.region[0]", "shape.size", "[1, 1, 1]"},
            {region, "emission.region[0]", "shape.shell", "0.1"},
            {region, "emission.region[0]", "shape.open_top", "true"},
            {region, "emission.region[0]", "shape.rotation", "[0, 0, 5]"},
            {region, "emission.region[0]", "strength", "2"},
            {region, "emission.region[1]", "shape.kind", "\"cylinder\""},
            {region, "emission.region[1]", "shape.radius", "0.2"},
            {region, "emission.region[1]", "shape.height", "0.2"},
            {region, "emission.region[2]", "shape.kind", "\"mesh\""},
            {region, "emission.region[2]", "shape.file", "\"hull.ply\""},
            {region, "emission.region[2]", "shape.scale", "0.5"},
            {kill, "emission.kill[0]", "name", "\"drain\""},
            {kill, "emission.kill[0]", "shape.kind", "\"box\""},
            {kill, "emission.kill[0]", "shape.center", "[0, 1, 0]"},
            {kill, "emission.kill[0]", "shape.size", "[1, 1, 1]"},
            {kill, "emission.kill[0]", "shape.shell", "0.1"},
            {kill, "emission.kill[0]", "shape.open_top", "true"},
            {kill, "emission.kill[0]", "shape.rotation", "[0, 0, 5]"},
            {kill, "emission.kill[1]", "shape.kind", "\"cylinder\""},
            {kill, "emission.kill[1]", "shape.radius", "0.2"},
            {kill, "emission.kill[1]", "shape.height", "0.2"},
            {kill, "emission.kill[2]", "shape.kind", "\"mesh\""},
            {kill, "emission.kill[2]", "shape.file", "\"hull.ply\""},
            {kill, "emission.kill[2]", "shape.scale", "0.5"}};
}

}  // namespace spume
