# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
"""Two simulations side by side in one process, one frame each in turn, stopped when they have
drifted apart: what does twice the surface of bubbles change?"""

import spume


def column(radius):
    return spume.Simulation(spume.make_scene({
        "version": 1,
        "time": {"frames": 12},
        "domain": {"dimensions": 2, "lower": [-0.1, 0, 0], "upper": [0.1, 0.4, 0],
                   "divisions": 64, "bottom": "wall"},
        "emitter": [{"shape": {"kind": "box", "center": [0, 0.03, 0], "size": [0.06, 0.02, 1]},
                     "rate": 0.01, "radius": radius}],
    }), threads=1)


small, large = column("0.5 mm"), column("1 mm")
for first, second in zip(small, large):
    heights = [s.view().points["bubbles"]["P"][:, 1].max() for s in (small, large)]
    print(f"frame {first['frame']}: {first['bubbles']} small bubbles up to {heights[0]:.4f} m, "
          f"{second['bubbles']} large ones up to {heights[1]:.4f} m")
    if abs(heights[1] - heights[0]) > 0.02:
        break
