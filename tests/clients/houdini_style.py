# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
"""Writes the liquid of a Spume cache as another program would: one VDB a frame with a level set `surface` and the
velocity as `vel.x`, `vel.y`, `vel.z`, each on its own staggered grid, or as one vector grid in cells; deep liquid may be
left out.

python3 houdini_style.py CACHE FOLDER [--split] [--centres] [--cull VOXELS]"""

import argparse
import glob
import os

import numpy
import pyopenvdb as vdb


def dense(grid, low, high, kind):
    shape = tuple(h - l + 1 for l, h in zip(low, high))
    values = numpy.zeros(shape + ((3,) if kind == 3 else ()), "f4")
    grid.copyToArray(values, low)
    return values


def scalar_grid(name, values, low, voxel, shift, background, tolerance=0.0):
    grid = vdb.FloatGrid(background)
    grid.copyFromArray(numpy.ascontiguousarray(values), low, tolerance)
    grid.name = name
    grid.transform = vdb.createLinearTransform(voxel)
    grid.transform.translate(shift)
    return grid


def convert(cache, folder, split=True, centres=False, cull=0.0):
    os.makedirs(folder, exist_ok=True)
    for path in sorted(glob.glob(os.path.join(cache, "volumes", "surface.*.vdb"))):
        number = path.rsplit(".", 2)[1]
        surface = vdb.read(path, "surface")
        velocity = vdb.read(path.replace("surface.", "vel."), "vel")
        voxel = surface.transform.voxelSize()[0]
        origin = surface.transform.indexToWorld((0, 0, 0))
        boxes = [surface.evalActiveVoxelBoundingBox(), velocity.evalActiveVoxelBoundingBox()]
        low = tuple(min(b[0][a] for b in boxes) for a in range(3))
        high = tuple(max(b[1][a] for b in boxes) + 1 for a in range(3))
        phi, u = dense(surface, low, high, 1), dense(velocity, low, high, 3)
        if cull > 0:
            u[phi < -cull * voxel] = 0
        grids = [scalar_grid("surface", phi, low, voxel, origin, 3 * voxel)]
        grids[0].gridClass = vdb.GridClass.LEVEL_SET
        if centres:
            for a in range(3):
                above = numpy.roll(u[..., a], -1, axis=a)
                u[..., a] = 0.5 * (u[..., a] + above)
        if split:
            for a, axis in enumerate("xyz"):
                shift = list(origin)
                if not centres:
                    shift[a] -= voxel / 2
                grids.append(scalar_grid("vel." + axis, u[..., a], low, voxel, tuple(shift), 0.0))
        else:
            grid = vdb.Vec3SGrid((0.0, 0.0, 0.0))
            grid.copyFromArray(numpy.ascontiguousarray(u), low, (0.0, 0.0, 0.0))
            grid.name = "vel"
            grid.transform = vdb.createLinearTransform(voxel)
            grid.transform.translate(origin)
            if not centres:
                grid.gridClass = vdb.GridClass.STAGGERED
            grids.append(grid)
        vdb.write(os.path.join(folder, f"liquid.{number}.vdb"), grids=grids)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("cache")
    parser.add_argument("folder")
    parser.add_argument("--split", action="store_true")
    parser.add_argument("--centres", action="store_true")
    parser.add_argument("--cull", type=float, default=0)
    a = parser.parse_args()
    convert(a.cache, a.folder, a.split, a.centres, a.cull)
