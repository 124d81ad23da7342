# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
"""Renders the balls of bench/render.cpp with Blender Cycles, twice, with different seeds.

blender -b --factory-startup --python render_cycles.py -- FOLDER WIDTH HEIGHT SAMPLES BOUNCES [films]
films: air in air with a film of water between instead of air in water; reads FOLDER/balls.f32, writes FOLDER/picture0.exr, picture1.exr and the CPU seconds of each."""

import math
import sys
import time

import bpy
import mathutils
import numpy

folder, width, height, samples, bounces, *films = sys.argv[sys.argv.index("--") + 1:]
WATER = 1.333
balls = numpy.fromfile(folder + "/balls.f32", dtype=numpy.float32).reshape(-1, 4)

for thing in list(bpy.data.objects):
    bpy.data.objects.remove(thing)
scene = bpy.context.scene
scene.render.engine = "CYCLES"


def up_is_z(x, y, z):
    return x, -z, y


glass = bpy.data.materials.new("bubbles")
glass.use_nodes = True
nodes, links = glass.node_tree.nodes, glass.node_tree.links
nodes.clear()


def math_node(operation, *inputs):
    """The output of a node that computes it of numbers and other outputs."""
    node = nodes.new("ShaderNodeMath")
    node.operation = operation
    for socket, value in zip(node.inputs, inputs):
        if isinstance(value, (int, float)):
            socket.default_value = value
        else:
            links.new(value, socket)
    return node.outputs[0]


def film():
    """Reflects the mean over all thicknesses, 2R/(1 + R) of each polarisation, and lets the rest straight on."""
    geometry = nodes.new("ShaderNodeNewGeometry")
    product = nodes.new("ShaderNodeVectorMath")
    product.operation = "DOT_PRODUCT"
    links.new(geometry.outputs["Normal"], product.inputs[0])
    links.new(geometry.outputs["Incoming"], product.inputs[1])
    outside = math_node("ABSOLUTE", product.outputs["Value"])
    square = math_node("SUBTRACT", 1, math_node("MULTIPLY", outside, outside))
    inside = math_node("SQRT", math_node("SUBTRACT", 1, math_node("DIVIDE", square, WATER * WATER)))
    share = 0
    for a, b in ((outside, math_node("MULTIPLY", inside, WATER)), (math_node("MULTIPLY", outside, WATER), inside)):
        root = math_node("DIVIDE", math_node("SUBTRACT", a, b), math_node("ADD", a, b))
        once = math_node("MULTIPLY", root, root)
        share = math_node("ADD", share, math_node("DIVIDE", once, math_node("ADD", once, 1)))
    mirror = nodes.new("ShaderNodeBsdfGlossy")
    mirror.inputs["Roughness"].default_value = 0
    mix = nodes.new("ShaderNodeMixShader")
    links.new(share, mix.inputs[0])
    links.new(nodes.new("ShaderNodeBsdfTransparent").outputs[0], mix.inputs[1])
    links.new(mirror.outputs[0], mix.inputs[2])
    return mix


def air_in_water():
    bsdf = nodes.new("ShaderNodeBsdfGlass")
    bsdf.inputs["Roughness"].default_value = 0
    bsdf.inputs["IOR"].default_value = 1 / WATER
    return bsdf


look = film() if films else air_in_water()
links.new(look.outputs[0], nodes.new("ShaderNodeOutputMaterial").inputs["Surface"])

mesh = bpy.data.meshes.new("balls")
mesh.vertices.add(len(balls))
places = numpy.stack(up_is_z(balls[:, 0], balls[:, 1], balls[:, 2]), axis=1)
mesh.vertices.foreach_set("co", places.ravel())
mesh.attributes.new("r", "FLOAT", "POINT").data.foreach_set("value", balls[:, 3].copy())
cloud = bpy.data.objects.new("balls", mesh)
scene.collection.objects.link(cloud)
group = bpy.data.node_groups.new("points", "GeometryNodeTree")
group.inputs.new("NodeSocketGeometry", "Geometry")
group.outputs.new("NodeSocketGeometry", "Geometry")
source, sink = group.nodes.new("NodeGroupInput"), group.nodes.new("NodeGroupOutput")
# Meshes: of Cycles' own point spheres a ray sees the front only, so that nothing ever leaves one.
ball = group.nodes.new("GeometryNodeMeshIcoSphere")
ball.inputs["Radius"].default_value = 1
ball.inputs["Subdivisions"].default_value = 6
smooth = group.nodes.new("GeometryNodeSetShadeSmooth")
paint = group.nodes.new("GeometryNodeSetMaterial")
paint.inputs["Material"].default_value = glass
radius = group.nodes.new("GeometryNodeInputNamedAttribute")
radius.data_type = "FLOAT"
radius.inputs["Name"].default_value = "r"
place = group.nodes.new("GeometryNodeInstanceOnPoints")
group.links.new(ball.outputs["Mesh"], smooth.inputs["Geometry"])
group.links.new(smooth.outputs["Geometry"], paint.inputs["Geometry"])
group.links.new(source.outputs[0], place.inputs["Points"])
group.links.new(paint.outputs["Geometry"], place.inputs["Instance"])
group.links.new(next(s for s in radius.outputs if s.enabled), place.inputs["Scale"])
group.links.new(place.outputs["Instances"], sink.inputs[0])
cloud.modifiers.new("points", "NODES").node_group = group

world = bpy.data.worlds.new("dim")
world.use_nodes = True
world.node_tree.nodes["Background"].inputs[0].default_value = (0.1, 0.1, 0.1, 1)
scene.world = world

# A lamp of the same size and radiance: a plane that emits, seen from below only.
lamp_mesh = bpy.data.meshes.new("lamp")
lamp_mesh.from_pydata([up_is_z(*c) for c in ((-2, 3, -2), (2, 3, -2), (2, 3, 2), (-2, 3, 2))], [],
                      [(0, 1, 2, 3)])
lamp = bpy.data.objects.new("lamp", lamp_mesh)
glow = bpy.data.materials.new("glow")
glow.use_nodes = True
glow.node_tree.nodes.clear()
shine = glow.node_tree.nodes.new("ShaderNodeEmission")
shine.inputs[0].default_value = (1, 1, 1, 1)
shine.inputs[1].default_value = 4
glow.node_tree.links.new(shine.outputs[0],
                         glow.node_tree.nodes.new("ShaderNodeOutputMaterial").inputs["Surface"])
lamp_mesh.materials.append(glow)
scene.collection.objects.link(lamp)

camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
camera.location = up_is_z(0, 0.4, 5)
sight = mathutils.Vector(up_is_z(0, -0.4, -5))
camera.rotation_euler = sight.to_track_quat("-Z", "Y").to_euler()
camera.data.sensor_fit = "VERTICAL"
camera.data.angle = math.radians(30)
scene.collection.objects.link(camera)
scene.camera = camera

scene.cycles.device = "CPU"
scene.cycles.samples = int(samples)
scene.cycles.use_adaptive_sampling = False
scene.cycles.use_denoising = False
scene.cycles.max_bounces = int(bounces)
for kind in ("diffuse", "glossy", "transmission", "transparent_max"):
    setattr(scene.cycles, kind + "_bounces", int(bounces))
scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = True
scene.cycles.sample_clamp_indirect = scene.cycles.sample_clamp_direct = 0
scene.cycles.blur_glossy = 0
scene.render.resolution_x, scene.render.resolution_y = int(width), int(height)
scene.render.resolution_percentage = 100
scene.render.image_settings.file_format = "OPEN_EXR"
scene.render.image_settings.color_mode = "RGB"
scene.render.image_settings.color_depth = "32"
scene.view_settings.view_transform = "Standard"

with open(folder + "/seconds", "w") as seconds:
    for k in range(2):
        scene.cycles.seed = k + 1
        scene.render.filepath = f"{folder}/picture{k}.exr"
        begin = time.process_time()
        bpy.ops.render.render(write_still=True)
        print(time.process_time() - begin, file=seconds, flush=True)
