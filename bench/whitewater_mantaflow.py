# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
"""Bakes a dam break with Blender's Mantaflow, and then its secondary particles: spray, foam, bubbles.

blender -b --factory-startup --python whitewater_mantaflow.py -- FOLDER CELLS FRAMES SAMPLING
The tank is 2 by 1 by 1 m (z up), the water 0.6 m long and 0.7 m high. SAMPLING: particles a cell and unit of time.
Writes to FOLDER/result: CPU seconds of the particles' bake, the sum of live particles over the frames, those of the
last frame, the frames."""

import os
import sys
import time

import bpy

folder, cells, frames, sampling = sys.argv[sys.argv.index("--") + 1:]
cells, frames, sampling = int(cells), int(frames), int(sampling)

for thing in list(bpy.data.objects):
    bpy.data.objects.remove(thing)
scene = bpy.context.scene
scene.render.fps = 24
scene.frame_start, scene.frame_end = 1, frames


def box(lower, upper):
    bpy.ops.mesh.primitive_cube_add(size=1, location=[(a + b) / 2 for a, b in zip(lower, upper)])
    thing = bpy.context.object
    thing.scale = [b - a for a, b in zip(lower, upper)]
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    return thing, thing.modifiers.new("Fluid", "FLUID")


column = box((-0.98, -0.48, 0.02), (-0.40, 0.48, 0.70))[1]
column.fluid_type = "FLOW"
column.flow_settings.flow_type = "LIQUID"
column.flow_settings.flow_behavior = "GEOMETRY"

tank, modifier = box((-1, -0.5, 0), (1, 0.5, 1))
modifier.fluid_type = "DOMAIN"
domain = modifier.domain_settings
domain.domain_type = "LIQUID"
domain.resolution_max = cells
domain.cache_directory = folder
domain.cache_type = "MODULAR"
domain.cache_resumable = True  # without it no particles are made
domain.cache_data_format = "OPENVDB"
domain.cache_frame_start, domain.cache_frame_end = 1, frames
domain.use_mesh = False
domain.use_spray_particles = domain.use_foam_particles = domain.use_bubble_particles = True
domain.sndparticle_combined_export = "SPRAY_FOAM_BUBBLES"
domain.particle_scale = 1
domain.sndparticle_potential_min_energy, domain.sndparticle_potential_max_energy = 0.3, 5
domain.sndparticle_potential_min_wavecrest, domain.sndparticle_potential_max_wavecrest = 2, 8
domain.sndparticle_potential_min_trappedair, domain.sndparticle_potential_max_trappedair = 1, 10
domain.sndparticle_sampling_wavecrest = domain.sndparticle_sampling_trappedair = sampling
domain.sndparticle_life_min, domain.sndparticle_life_max = 10, 20
bpy.context.view_layer.objects.active = tank
tank.select_set(True)

bpy.ops.fluid.bake_data()
begin = time.process_time()
bpy.ops.fluid.bake_particles()
seconds = time.process_time() - begin

total = last = 0
for frame in range(1, frames + 1):
    scene.frame_set(frame)
    seen = tank.evaluated_get(bpy.context.evaluated_depsgraph_get())
    # The liquid's own particles are a system of another type.
    last = sum(len(s.particles) for s in seen.particle_systems if s.settings.type != "FLIP")
    total += last
with open(os.path.join(folder, "result"), "w") as out:
    out.write("%g %d %d %d\n" % (seconds, total, last, frames))
