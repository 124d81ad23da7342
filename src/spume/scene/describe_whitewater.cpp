// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/core/describe.h"
#include "spume/scene/whitewater.h"

namespace spume {

void describe(Whitewater& whitewater, ParamVisitor& visitor) {
    if (visitor.given("whitewater")) whitewater.on = true;
    visitor.section(
        "whitewater",
        "Bubbles smaller than a voxel in the liquid that is simulated: they lift and stir it, and "
        "it carries them, [WFS22] §3. They come from [[emitter]], from [emission], and from "
        "trapped "
        "air that becomes too small for the grid. Left out: none.",
        [&](ParamVisitor& v) {
            v.number("drag", whitewater.drag,
                     {"", 0, 1000, false,
                      "Factor on the drag between bubbles and liquid; 1 is the physical law."});
            v.number("max_fraction", whitewater.max_fraction,
                     {"", 0, 0.9, true,
                      "Most air in a voxel that the liquid makes room for; what is beyond it lifts "
                      "the liquid around."});
        });
    visitor.unused("whitewater", !whitewater.on, "it is left out");
}

}  // namespace spume
