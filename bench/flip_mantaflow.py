# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
"""Bakes a liquid of bench/flip.cpp or bench/pls.cpp with Blender's Mantaflow.

blender -b -t THREADS --factory-startup --python flip_mantaflow.py -- FOLDER CELLS FRAMES SUBSTEPS FPS SCENE
z is up. SCENE dam: a tank of 2 by 1 by 1 m, the water fills x < 0.5 m up to z = 0.75 m; splash: a tank of
1 m, water up to z = 0.25 m and a block of 0.3 m by 0.3 m by 0.4 m over its middle, 0.15 m above it. SUBSTEPS 0:
up to four a frame. Writes to FOLDER/result: CPU seconds and wall seconds of the bake, the particles of the last
frame, the frames."""

import glob
import gzip
import os
import resource
import struct
import sys
import time

import bpy

folder, cells, frames, substeps, fps, scene_name = sys.argv[sys.argv.index("--") + 1:]
cells, frames, substeps, fps = int(cells), int(frames), int(substeps), int(fps)

for thing in list(bpy.data.objects):
    bpy.data.objects.remove(thing)
scene = bpy.context.scene
scene.render.fps = fps
scene.frame_start, scene.frame_end = 1, frames
scene.use_gravity = True
scene.gravity = (0, 0, -9.81)


def box(name, low, high):
    bpy.ops.mesh.primitive_cube_add(size=1, location=[(a + b) / 2 for a, b in zip(low, high)])
    thing = bpy.context.active_object
    thing.name = name
    thing.scale = [b - a for a, b in zip(low, high)]
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    return thing


SCENES = {"dam": ((2, 1, 1), [((0, 0, 0), (0.5, 1, 0.75))]),
          "splash": ((1, 1, 1), [((0, 0, 0), (1, 1, 0.25)), ((0.35, 0.35, 0.4), (0.65, 0.65, 0.8))])}
size, bodies = SCENES[scene_name]
for low, high in bodies:
    flow = box("water", low, high).modifiers.new("fluid", "FLUID")
    flow.fluid_type = "FLOW"
    flow.flow_settings.flow_type = "LIQUID"
    flow.flow_settings.flow_behavior = "GEOMETRY"
    flow.flow_settings.surface_distance = 0

tank = box("tank", (0, 0, 0), size)
modifier = tank.modifiers.new("fluid", "FLUID")
modifier.fluid_type = "DOMAIN"
domain = modifier.domain_settings
domain.domain_type = "LIQUID"
domain.resolution_max = cells
domain.cache_directory = folder
domain.cache_type = "MODULAR"
domain.cache_resumable = True  # without it no particles are made
domain.cache_data_format = "UNI"
domain.cache_frame_start, domain.cache_frame_end = 1, frames
domain.use_mesh = False
domain.use_adaptive_timesteps = True
domain.timesteps_min, domain.timesteps_max = substeps or 1, substeps or 4
domain.cfl_condition = 4
domain.particle_number = 2  # along each axis of a cell
domain.particle_min, domain.particle_max = 4, 16
domain.particle_band_width = 1000  # everywhere, as ours
domain.use_flip_particles = True
domain.gravity = (0, 0, -9.81)

bpy.context.view_layer.objects.active = tank
tank.select_set(True)


def clocks():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime, time.monotonic()


begin = clocks()
bpy.ops.fluid.bake_data()
end = clocks()

particles = 0
for path in sorted(glob.glob(os.path.join(folder, "data", "pp_*.uni"))):
    with gzip.open(path, "rb") as file:
        if file.read(4)[:2] == b"PB":
            particles = struct.unpack("<i", file.read(4))[0]
with open(os.path.join(folder, "result"), "w") as out:
    out.write("%g %g %d %d\n" % (end[0] - begin[0], end[1] - begin[1], particles, frames))
