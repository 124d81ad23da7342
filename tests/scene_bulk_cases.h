// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <utility>
#include <vector>

namespace spume {

/// [bulk] with the keys of one of its kinds.
inline std::vector<std::pair<const char*, const char*>> bulk_keys(int variant) {
    switch (variant) {
        case 0:
            return {{"kind", "\"cache\""},   {"path", "\"dam_break\""}, {"start", "101"},
                    {"missing", "\"wait\""}, {"wait", "\"5 min\""},     {"sides", "\"wall\""},
                    {"bottom", "\"auto\""},  {"top", "\"open\""}};
        case 1:
            return {{"kind", "\"analytic\""},  {"flow", "\"stream\""},
                    {"voxel", "\"2.5 cm\""},   {"level", "1.2"},
                    {"velocity", "[1, 0, 0]"}, {"acceleration", "[0.5, 0, 0]"}};
        case 2:
            return {{"kind", "\"analytic\""}, {"flow", "\"rotation\""}, {"center", "[0.2, 1, 0]"},
                    {"radius", "0.3"},        {"pivot", "[0, 1, 0]"},   {"spin", "2"}};
        case 3:
            return {{"kind", "\"ocean\""},
                    {"level", "1"},
                    {"depth", "\"20 m\""},
                    {"spectrum", "\"tma\""},
                    {"spreading", "\"mitsuyasu\""},
                    {"wind", "12"},
                    {"fetch", "\"30 km\""},
                    {"direction", "[1, 0, 1]"},
                    {"peak", "2.5"},
                    {"swell", "0.3"},
                    {"choppiness", "0.5"},
                    {"tile", "40"},
                    {"resolution", "120"},
                    {"seed", "3"}};
        case 4:
            return {{"kind", "\"vdb\""},
                    {"path", "\"sim/water.####.vdb\""},
                    {"surface_grid", "\"sdf\""},
                    {"velocity_grid", "\"v\""},
                    {"up", "\"z\""},
                    {"velocity_at", "\"centres\""},
                    {"unit", "\"1 cm\""},
                    {"velocity_scale", "2"},
                    {"offset", "[0, 1, 0]"},
                    {"cache_fps", "25"},
                    {"time_scale", "0.5"}};
        default:
            return {{"kind", "\"analytic\""},  {"flow", "\"standing_wave\""}, {"level", "1"},
                    {"amplitude", "\"1 cm\""}, {"wavelength", "1"},           {"depth", "2"}};
    }
}
constexpr int kVariantsOfEveryKey = 6;

}  // namespace spume
