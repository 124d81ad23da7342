# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
"""Reads a cache: does the air in the points agree with the statistics and with the volume?

usage: read_cache.py DIR"""

import math
import sys

import spume

cache = spume.Cache(sys.argv[1])
print(f"{cache.manifest['method']}, frames {cache.frames[0]} to {cache.frames[-1]}")
for stats in cache.stats:
    frame = cache.frame(stats["frame"], volumes=["density"])
    air = 0.0
    for points in frame.points.values():
        air += (4 / 3 * math.pi * points["pscale"].astype(float) ** 3).sum()
    line = f"frame {frame.number}: {stats['bubbles']} bubbles with {air * 1e6:.4f} cm³ of air"
    line += f" (statistics: {stats['air']['bubbles'] * 1e6:.4f})"
    if "density" in frame.volumes:
        density = frame.volumes["density"]
        line += f", on the grid {density.values.sum(dtype=float) * density.voxel ** 3 * 1e6:.4f}"
    print(line)
