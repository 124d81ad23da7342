// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/core/step_limit.h"

#include <cmath>

#include <fmt/format.h>

namespace spume {

StepLimit speed_limit(const Reach& reach, std::string_view what, double speed) {
    if (!(speed > 0)) return {};
    return {reach.metres() / speed,
            fmt::format("the speed of {}, {:.3g} m/s, with {}.cfl = {:g}", what, speed,
                        reach.method, reach.cfl),
            fmt::format("raise {}.cfl, or look for what moves so fast", reach.method), true};
}

StepLimit gravity_limit(const Reach& reach, double gravity) {
    if (!(gravity > 0)) return {};
    return {std::sqrt(2 * reach.metres() / gravity),
            fmt::format("physics.gravity of {:.3g} m/s^2 with {}.cfl = {:g}", gravity, reach.method,
                        reach.cfl),
            fmt::format("raise {}.cfl", reach.method)};
}

StepLimit frame_limit(std::string_view method, double fps, int min_substeps) {
    return {1 / (fps * min_substeps), fmt::format("{}.min_substeps = {}", method, min_substeps),
            fmt::format("lower {}.min_substeps", method)};
}

StepLimit tension_limit(double seconds, double tension, std::string_view remedy) {
    return {seconds, fmt::format("physics.surface_tension = {:g} N/m on this voxel", tension),
            std::string(remedy)};
}

}  // namespace spume
