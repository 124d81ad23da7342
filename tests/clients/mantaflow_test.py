# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
"""A dam break that Blender bakes with Mantaflow, as Spume reads it: SPUME_PROGRAM is the program. Run with Debian's
python3, which has pyopenvdb. Blender runs this file itself for the bake."""

import glob
import gzip
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest

LOWER, SIZE, CELLS, FRAMES = (-1, -0.5, 0), (2, 1, 1), (32, 16, 16), 12


def bake(folder, fps, frames):
    import bpy

    def box(lower, upper):
        bpy.ops.mesh.primitive_cube_add(size=1, location=[(a + b) / 2 for a, b in zip(lower, upper)])
        bpy.context.object.scale = [b - a for a, b in zip(lower, upper)]
        bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
        return bpy.context.object.modifiers.new("Fluid", "FLUID")

    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    scene = bpy.context.scene
    scene.render.fps = fps
    scene.frame_start, scene.frame_end = 1, frames
    column = box((-0.98, -0.48, 0.02), (-0.40, 0.48, 0.70))
    column.fluid_type = "FLOW"
    column.flow_settings.flow_type = "LIQUID"
    column.flow_settings.flow_behavior = "GEOMETRY"
    domain = box(LOWER, [a + b for a, b in zip(LOWER, SIZE)])
    domain.fluid_type = "DOMAIN"
    d = domain.domain_settings
    d.domain_type = "LIQUID"
    d.resolution_max = max(CELLS)
    d.cache_directory = folder
    d.cache_type = "MODULAR"
    d.cache_resumable = True
    d.cache_data_format = "OPENVDB"
    d.cache_frame_start, d.cache_frame_end = 1, frames
    d.use_mesh = True
    bpy.ops.fluid.bake_data()
    bpy.ops.fluid.bake_mesh()


class Mantaflow(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.cache = os.path.join(cls.folder.name, "dam")
        cls.scene = cls.scene_of_bake("dam", 24, FRAMES)

    @classmethod
    def scene_of_bake(cls, name, fps, frames):
        cache = os.path.join(cls.folder.name, name)
        subprocess.run(["blender", "-b", "--factory-startup", "--python-exit-code", "1", "--python", __file__, "--",
                        cache, str(fps), str(frames)], check=True, stdout=subprocess.DEVNULL, timeout=300)
        assert len(glob.glob(os.path.join(cache, "data", "*.vdb"))) == frames
        cls.run_spume("whitewater", name, "--no-run")
        with open(os.path.join(cls.folder.name, name + "_whitewater.toml")) as file:
            return file.read()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def run_spume(cls, *words):
        done = subprocess.run([os.environ["SPUME_PROGRAM"], *words], cwd=cls.folder.name, timeout=300,
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def test_place_and_rate_come_from_the_bake(self):
        self.assertIn("\nfps = 24\n", self.scene)
        self.assertIn("lower = [-1, 0, -0.5]", self.scene)
        self.assertIn("upper = [1, 1, 0.5]", self.scene)
        self.assertIn("voxel = 0.0625", self.scene)

    def residual(self, text):
        return float(re.search(r"kinematic residual ([0-9.]+)", text).group(1))

    def test_velocities_carry_the_surface(self):
        """Mantaflow's second is 2.5 of its units: without the factor velocity and surface do not belong together."""
        good = self.run_spume("check", "dam_whitewater.toml")
        self.assertLess(self.residual(good), 0.15)
        with open(os.path.join(self.folder.name, "slow.toml"), "w") as file:
            file.write(self.scene.replace('path = "dam"\n', 'path = "dam"\nvelocity_scale = 0.4\n'))
        wrong = self.run_spume("check", "slow.toml")
        self.assertGreater(self.residual(wrong), 0.4)
        self.assertIn("velocity_scale = 2.5", wrong)

    def test_the_same_air_at_24_and_48_frames_a_second(self):
        """Mantaflow's own secondary particles are a third fewer at 48."""
        air = []
        for fps in (24, 48):
            text = self.scene_of_bake("dam%d" % fps, fps, fps * 3 // 4)
            text = re.sub("(?m)^(bubble_rate|split_radius).*\n", "", text)  # no limit, few large bubbles
            text = text.replace('distribution = "two_slope"', 'distribution = "inverse_cubic"')
            text = text.replace('radius_min = "0.5 mm"', 'radius_min = "2 mm"').replace("on = true", "on = false")
            with open(os.path.join(self.folder.name, "free.toml"), "w") as file:
                file.write(text)
            self.run_spume("run", "free.toml", "-o", "out%d" % fps, "--set", "guided.mode=one_way")
            with open(os.path.join(self.folder.name, "out%d" % fps, "stats.jsonl")) as file:
                air.append(json.loads(file.readlines()[-1])["air"]["emitted"])
        self.assertGreater(air[0], 0.01)
        self.assertLess(abs(air[1] / air[0] - 1), 0.2)

    def test_grids_lie_half_a_voxel_low(self):
        """The mesh of the same bake has its places by itself; phi is zero on it only with the half voxel."""
        import numpy
        import pyopenvdb

        name = "%04d" % 8
        grid = pyopenvdb.read(os.path.join(self.cache, "data", f"fluid_data_{name}.vdb"), "phi")
        phi = numpy.zeros(CELLS, "f4")
        grid.copyToArray(phi, (0, 0, 0))
        with gzip.open(os.path.join(self.cache, "mesh", f"fluid_mesh_{name}.bobj.gz")) as file:
            data = file.read()
        count = struct.unpack("<i", data[:4])[0]
        middle = [a + b / 2 for a, b in zip(LOWER, SIZE)]
        points = numpy.frombuffer(data, "<f4", 3 * count, 4).reshape(-1, 3) * max(SIZE) + middle
        inner = (abs(points[:, 0]) < 0.85) & (abs(points[:, 1]) < 0.35) & (points[:, 2] > 0.13)
        points = points[inner]
        self.assertGreater(len(points), 300)

        def mean(offset):
            u = (points - LOWER) * (max(CELLS) / max(SIZE)) - offset
            low = numpy.clip(numpy.floor(u).astype(int), 0, numpy.array(CELLS) - 2)
            part, total = u - low, 0
            for corner in range(8):
                d = numpy.array([corner & 1, corner >> 1 & 1, corner >> 2 & 1])
                total = total + phi[tuple((low + d).T)] * numpy.prod(numpy.where(d, part, 1 - part), axis=1)
            return total.mean()

        self.assertLess(abs(mean(0.5)), 0.2)
        self.assertGreater(mean(0.0), 0.35)
        self.assertLess(mean(1.0), -0.35)


if __name__ == "__main__":
    if "--" in sys.argv:
        folder, fps, frames = sys.argv[sys.argv.index("--") + 1:]
        bake(folder, int(fps), int(frames))
    else:
        unittest.main()
