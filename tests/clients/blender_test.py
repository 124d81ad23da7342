# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
"""The add-on in Blender: blender -b --factory-startup --python THIS. SPUME_CACHE is a finished cache
of a bundled scene, SPUME_SOURCE the sources."""

import json
import math
import os
import sys
import tempfile
import traceback
import unittest
from pathlib import Path

import bpy
import mathutils
import numpy

SOURCE = Path(os.environ["SPUME_SOURCE"])
sys.path[:0] = [str(SOURCE / "tests/clients"), str(SOURCE / "integrations/blender")]

import discs  # noqa: E402
import spume_cache  # noqa: E402
from fake_cache import ply_mesh, ply_points, write_cache  # noqa: E402

WIDTH, HEIGHT = 160, 120
TETRAHEDRON = ([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


def fresh_scene():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = 16
    scene.cycles.seed = 1
    scene.cycles.use_denoising = False
    scene.render.resolution_x, scene.render.resolution_y = WIDTH, HEIGHT
    scene.render.resolution_percentage = 100
    scene.render.film_transparent = True
    scene.view_settings.view_transform = "Raw"
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_mode = "RGBA"
    scene.render.image_settings.color_depth = "32"
    scene.world = bpy.data.worlds.new("World")
    return scene


def look_along_minus_z(scene, centre, width, distance=2.0):
    """An orthographic eye on the z axis of the cache, whose y is up: Blender's -y direction."""
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.data.type = "ORTHO"
    camera.data.ortho_scale = width
    camera.location = (centre[0], -centre[2] - distance, centre[1])
    camera.rotation_euler = (math.pi / 2, 0, 0)
    scene.collection.objects.link(camera)
    scene.camera = camera


def rendered(scene, folder):
    """RGBA, first row at the top."""
    scene.render.filepath = os.path.join(folder, "picture.exr")
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(scene.render.filepath)
    pixels = numpy.empty(len(image.pixels), "f4")
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    keep = os.environ.get("SPUME_SHOTS")
    if keep:
        numpy.save(os.path.join(keep, f"blender_{unittest_name()}.npy"), pixels)
    return pixels.reshape(HEIGHT, WIDTH, 4)[::-1]


def unittest_name():
    return next((f.name for f in traceback.extract_stack() if f.name.startswith("test_")), "picture")


def pixel_places(centre, width):
    """x and y in the cache of every pixel's centre."""
    size = width / WIDTH
    x = centre[0] + (numpy.arange(WIDTH) + 0.5 - WIDTH / 2) * size
    y = centre[1] - (numpy.arange(HEIGHT) + 0.5 - HEIGHT / 2) * size
    return numpy.meshgrid(x, y)


def evaluated(thing):
    return thing.evaluated_get(bpy.context.evaluated_depsgraph_get())


class AddOn(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.top = self.folder.name
        self.scene = fresh_scene()
        spume_cache.register()
        self.addCleanup(spume_cache.unregister)

    def cache(self, frames, **more):
        return write_cache(os.path.join(self.top, "cache"), frames, **more)

    def load(self, directory, **options):
        return spume_cache.import_cache(bpy.context, directory, **options)

    def test_operator_reads_a_bundled_scene(self):
        directory = os.environ["SPUME_CACHE"]
        done = bpy.ops.import_scene.spume_cache(filepath=os.path.join(directory, "manifest.json"))
        self.assertEqual(done, {"FINISHED"})
        root = next(o for o in self.scene.objects if "spume_directory" in o)
        manifest = json.loads(Path(directory, "manifest.json").read_text(encoding="utf-8"))
        stats = [json.loads(line) for line in Path(directory, "stats.jsonl").read_text().splitlines()]
        self.assertEqual((self.scene.frame_start, self.scene.frame_end),
                         (manifest["first_frame"], stats[-1]["frame"]))
        self.assertAlmostEqual(self.scene.render.fps / self.scene.render.fps_base, manifest["fps"])
        points = next(c for c in root.children if c["spume_name"] == "bubbles")
        for line in stats:
            self.scene.frame_set(line["frame"])
            self.assertEqual(root["spume_problem"], "")
            self.assertEqual(len(points.data.vertices), line["bubbles"])
            radius = numpy.empty(line["bubbles"], "f4")
            points.data.attributes["radius"].data.foreach_get("value", radius)
            air = (4 / 3 * math.pi * radius.astype(float) ** 3).sum()
            self.assertAlmostEqual(air, line["air"]["bubbles"], delta=1e-5 * air)

    def test_points_carry_their_attributes_and_z_is_up(self):
        big = (5 << 32) + 7
        directory = self.cache({1: {"points/bubbles.0001.ply": ply_points(
            [{"x": 1, "y": 2, "z": 3, "vx": 4, "vy": 5, "vz": 6, "pscale": 0.25, "age": 1.5, "type": 1,
              "id_lo": big & 0xFFFFFFFF, "id_hi": big >> 32}])}})
        root, problems = self.load(directory)
        self.assertEqual(problems, [])
        cloud = root.children[0]
        data = cloud.data.attributes
        self.assertEqual(data["radius"].data[0].value, 0.25)
        self.assertEqual(tuple(data["velocity"].data[0].vector), (4, 5, 6))
        self.assertEqual((data["id"].data[0].value, data["type"].data[0].value, data["age"].data[0].value),
                         (7, 1, 1.5))
        bpy.context.view_layer.update()
        place = cloud.matrix_world @ cloud.data.vertices[0].co
        numpy.testing.assert_allclose(place, (1, -3, 2), atol=1e-6)
        kinds = {i.object.type for i in bpy.context.evaluated_depsgraph_get().object_instances}
        self.assertIn("POINTCLOUD", kinds)

    def test_frames_are_followed_and_missing_ones_show_nothing(self):
        def row(count):
            return ply_points([{"x": i, "pscale": 0.1} for i in range(count)])
        directory = self.cache({f: {f"points/bubbles.{f:04d}.ply": row(f)} for f in (1, 2, 4, 5)})
        with open(os.path.join(directory, "points/bubbles.0005.ply"), "wb") as file:
            file.write(row(5)[:-10])
        root, _ = self.load(directory)
        cloud = root.children[0]
        counts = {}
        for frame in (1, 2, 3, 4, 5, 2, 9):
            self.scene.frame_set(frame)
            counts[frame] = (len(cloud.data.vertices), root["spume_problem"])
        self.assertEqual([counts[f][0] for f in (1, 2, 3, 4, 5, 9)], [1, 2, 0, 4, 0, 0])
        self.assertEqual((counts[1][1], counts[4][1]), ("", ""))
        self.assertIn("0003.json", counts[3][1])
        self.assertIn("cut short", counts[5][1])
        with open(os.path.join(directory, "frames/0003.json"), "w", encoding="utf-8") as file:
            file.write("{\"files\": [")  # a record that is still being written
        self.scene.frame_set(3)
        self.assertIn("damaged", root["spume_problem"])
        write_cache(directory, {3: {"points/bubbles.0003.ply": row(3)}})
        self.scene.frame_set(1)
        self.scene.frame_set(3)
        self.assertEqual((len(cloud.data.vertices), root["spume_problem"]), (3, ""))

    def test_meshes(self):
        moved = [[x + 2, y, z] for x, y, z in TETRAHEDRON[0]]
        directory = self.cache({1: {"mesh/surface.0001.ply": ply_mesh(*TETRAHEDRON)},
                                2: {"mesh/surface.0002.ply": ply_mesh(moved, TETRAHEDRON[1])}},
                               method="any", free_surface=True)
        root, _ = self.load(directory)
        surface = root.children[0]
        self.assertEqual(surface.data.materials[0].name, "Spume water")
        for frame, least in ((1, 0), (2, 2)):
            self.scene.frame_set(frame)
            mesh = surface.data
            self.assertEqual((len(mesh.vertices), len(mesh.edges), len(mesh.polygons)), (4, 6, 4))
            self.assertFalse(mesh.validate())
            self.assertEqual(min(v.co[0] for v in mesh.vertices), least)
            slanted = max(mesh.polygons, key=lambda p: p.area)
            self.assertGreater(slanted.normal.dot((1, 1, 1)), 1.7)  # outwards

    def test_bad_caches_are_told(self):
        empty = os.path.join(self.top, "empty")
        os.makedirs(empty)
        with self.assertRaises(RuntimeError) as told:  # a report of an error
            bpy.ops.import_scene.spume_cache(filepath=os.path.join(empty, "manifest.json"))
        self.assertIn("no such file", str(told.exception))
        with self.assertRaisesRegex(spume_cache.CacheProblem, "no frames yet"):
            self.load(write_cache(empty, {}))
        good = ply_points([{"x": 1, "pscale": 0.1}])
        huge = good.replace(b"vertex 1\n", b"vertex 4294967295\n")
        negative = good.replace(b"vertex 1\n", b"vertex -1\n")
        strange = good.replace(b"property float x", b"property quux x")
        ascii_file = good.replace(b"binary_little_endian", b"ascii")
        outside = ply_mesh(TETRAHEDRON[0], [[0, 1, 9]])
        for content in (b"", b"ply\n", huge, negative, strange, ascii_file, good[:100]):
            directory = self.cache({1: {"points/bubbles.0001.ply": content}})
            root, _ = self.load(directory)
            self.assertIn("bubbles.0001.ply", root["spume_problem"], content[:60])
            self.assertEqual(len(root.children[0].data.vertices), 0)
        root, _ = self.load(self.cache({1: {"mesh/surface.0001.ply": outside}}))
        self.assertIn("no triangles", root["spume_problem"])
        for path in ("../secret.ply", "/etc/passwd", "points/../../x.ply"):
            directory = self.cache({1: {"points/bubbles.0001.ply": good}})
            record = os.path.join(directory, "frames/0001.json")
            with open(record, "w", encoding="utf-8") as file:
                json.dump({"files": [{"path": path, "bytes": 1}]}, file)
            _, problems = self.load(directory)
            self.assertIn("impossible file", problems[0])

    def test_volumes(self):
        directory = os.environ["SPUME_CACHE"]
        root, problems = self.load(directory, points=False, meshes=False, volumes="density, fire")
        self.assertEqual(len(problems), 1)
        self.assertIn("no volume 'fire'", problems[0])
        for frame in (self.scene.frame_start, self.scene.frame_end):
            self.scene.frame_set(frame)
            grids = evaluated(root.children[0]).data.grids
            self.assertTrue(grids.load())
            self.assertEqual([g.name for g in grids], ["density"])
            self.assertIn(f"{frame:04d}.vdb", grids.frame_filepath)

    def test_pixels_of_a_bundled_scene_lie_where_its_bubbles_are(self):
        root, _ = self.load(os.environ["SPUME_CACHE"])
        self.scene.frame_set(self.scene.frame_end)
        cloud = next(c for c in root.children if c["spume_name"] == "bubbles")
        count = len(cloud.data.vertices)
        place, radius = numpy.empty(3 * count, "f4"), numpy.empty(count, "f4")
        cloud.data.vertices.foreach_get("co", place)
        cloud.data.attributes["radius"].data.foreach_get("value", radius)
        place = place.reshape(-1, 3)
        low, high = place.min(axis=0), place.max(axis=0)
        centre, width = (low + high) / 2, 1.2 * max((high - low)[0], (high - low)[1] * WIDTH / HEIGHT)
        look_along_minus_z(self.scene, centre, width)
        alpha = rendered(self.scene, self.top)[:, :, 3]
        expected = discs.coverage(place, radius, centre, width / WIDTH, WIDTH, HEIGHT, fine=8)
        self.assertGreater(expected.sum(), 100)
        print(f"coverage {alpha.sum():.1f} pixels, expected {expected.sum():.1f}")
        self.assertAlmostEqual(alpha.sum() / expected.sum(), 1, delta=0.05)
        self.assertGreater(numpy.corrcoef(alpha.ravel(), expected.ravel())[0, 1], 0.95)

    def test_an_air_bubble_reflects_totally_near_its_rim(self):
        directory = self.cache({1: {"points/bubbles.0001.ply": ply_points([{"pscale": 0.5}])}})
        self.load(directory)
        look_along_minus_z(self.scene, (0, 0, 0), 1.6)
        self.scene.render.film_transparent = False
        self.scene.cycles.samples = 64
        self.light_from_ahead(30)
        picture = rendered(self.scene, self.top)[:, :, 0]
        x, y = pixel_places((0, 0), 1.6)
        part = numpy.hypot(x, y) / 0.5  # of the radius; 0.75 is the critical angle
        ring = lambda a, b: float(picture[(part > a) & (part < b)].mean())  # noqa: E731
        middle, dark, outside = ring(0, 0.5), ring(0.78, 0.93), ring(1.05, 1.3)
        print(f"middle {middle:.3f}, beyond the critical angle {dark:.3f}, outside {outside:.3f}")
        # Light that comes from within 30 degrees of straight ahead passes the middle (with a Fresnel
        # loss of two times 2 %) and, reflected by more than 30 degrees, misses the ring.
        self.assertAlmostEqual(outside, 1, delta=0.01)
        self.assertAlmostEqual(middle, 0.96, delta=0.03)
        self.assertLess(dark, 0.05)

    def light_from_ahead(self, degrees):
        """A world that shines only around the direction the eye looks in."""
        self.scene.world.use_nodes = True
        tree = self.scene.world.node_tree
        nodes, links = tree.nodes, tree.links
        place = nodes.new("ShaderNodeTexCoord")
        along = nodes.new("ShaderNodeVectorMath")
        along.operation = "DOT_PRODUCT"
        along.inputs[1].default_value = (0, 1, 0)
        near = nodes.new("ShaderNodeMath")
        near.operation = "GREATER_THAN"
        near.inputs[1].default_value = math.cos(math.radians(degrees))
        links.new(place.outputs["Generated"], along.inputs[0])
        links.new(along.outputs["Value"], near.inputs[0])
        background = next(n for n in nodes if n.type == "BACKGROUND")
        links.new(near.outputs[0], background.inputs["Color"])
        background.inputs["Strength"].default_value = 1

    def test_velocity_blurs_by_the_way_gone_while_the_shutter_is_open(self):
        moving = ply_points([{"vx": 2.4, "pscale": 0.05}])
        directory = self.cache({1: {"points/bubbles.0001.ply": moving}}, fps=24)
        self.load(directory)
        look_along_minus_z(self.scene, (0, 0, 0), 0.4)
        self.scene.render.use_motion_blur = True
        self.scene.render.motion_blur_shutter = 0.5
        self.scene.cycles.samples = 256
        alpha = rendered(self.scene, self.top)[:, :, 3]
        columns = numpy.flatnonzero(alpha.max(axis=0) > 0.02)
        width = (columns[-1] - columns[0] + 1) * 0.4 / WIDTH
        area = float(alpha.sum()) * (0.4 / WIDTH) ** 2
        print(f"blurred over {width:.4f} m, covers {area:.6f} m2")
        # 2.4 m/s for half of 1/24 s is 0.05 m on top of the diameter; the covered area stays.
        self.assertAlmostEqual(width, 0.1 + 0.05, delta=0.008)
        self.assertAlmostEqual(area, math.pi * 0.05 ** 2, delta=0.04 * math.pi * 0.05 ** 2)

    def test_velocity_of_a_mesh_blurs_it_too(self):
        corners = [[-0.05, -0.05, 0], [0.05, -0.05, 0], [0.05, 0.05, 0], [-0.05, 0.05, 0]]
        sheet = ply_mesh(corners, [[0, 1, 2], [0, 2, 3]], (2.4, 0, 0))
        directory = self.cache({1: {"mesh/surface.0001.ply": sheet}}, fps=24)
        root, _ = self.load(directory)
        thing = root.children[0]
        self.assertEqual(tuple(round(x, 5) for x in thing.data.attributes["velocity"].data[2].vector), (2.4, 0, 0))
        thing.data.materials[0] = spume_cache.matte("plain", (1, 1, 1, 1))
        look_along_minus_z(self.scene, (0, 0, 0), 0.4)
        self.scene.render.use_motion_blur = True
        self.scene.render.motion_blur_shutter = 0.5
        self.scene.cycles.samples = 256
        alpha = rendered(self.scene, self.top)[:, :, 3]
        columns = numpy.flatnonzero(alpha.max(axis=0) > 0.02)
        width = (columns[-1] - columns[0] + 1) * 0.4 / WIDTH
        print(f"a sheet of 0.1 m blurred over {width:.4f} m")
        self.assertAlmostEqual(width, 0.1 + 0.05, delta=0.008)

    def test_a_solid_that_deforms_is_as_its_files_say_in_each_frame(self):
        frames = (1, 2, 5)
        directory = self.cache({f: {f"points/bubbles.{f:04d}.ply": ply_points([{"pscale": 0.1}])} for f in frames},
                               scene="[[solid]]")
        os.makedirs(os.path.join(directory, "export/solids"))
        places, faces = TETRAHEDRON
        names = ["solids/0.ply"] + [f"solids/0.{f}.ply" for f in frames]
        for n, name in enumerate(names):
            grown = [[x, y * max(n, 1), z] for x, y, z in places]
            Path(directory, "export", name).write_bytes(ply_mesh(grown, faces))
        still = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
        found = {"version": 1, "frames": list(frames),
                 "solids": [{"name": "fish", "file": names[0], "colour": [1, 0, 0], "glass": False,
                             "deformed": names[1:], "matrices": [still] * 3}]}
        Path(directory, "export/solids.json").write_text(json.dumps(found), encoding="utf-8")
        root, problems = self.load(directory, solids=True)
        self.assertEqual(problems, [])
        fish = next(c for c in root.children if "spume_solid" in c)
        for frame, height in ((1, 1), (2, 2), (3.5, 2.5), (5, 3)):
            self.scene.frame_set(int(frame), subframe=frame % 1)
            shown = fish.evaluated_get(bpy.context.evaluated_depsgraph_get()).data.vertices[2].co
            numpy.testing.assert_allclose(shown, (0, height, 0), atol=1e-5)
        found["solids"][0]["deformed"] = names[1:3]
        Path(directory, "export/solids.json").write_text(json.dumps(found), encoding="utf-8")
        with self.assertRaises(spume_cache.CacheProblem):
            self.load(directory, solids=True)

    def test_solids_move_and_the_camera_is_the_scenes(self):
        directory = self.cache({f: {f"points/bubbles.{f:04d}.ply": ply_points([{"pscale": 0.1}])} for f in (1, 2)},
                               scene="[[solid]]")
        _, problems = self.load(directory, solids=True)
        self.assertIn("spume export", problems[0])
        os.makedirs(os.path.join(directory, "export/solids"))
        Path(directory, "export/solids/0.ply").write_bytes(ply_mesh(*TETRAHEDRON))
        still = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
        turned = [0, -1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 3, 0, 0, 0, 1]  # x to y, and moved
        far = [1, 0, 0, 0, 0, 1, 0, 0.5, 0, 0, 1, 4, 0, 0, 0, 1]
        found = {"version": 1, "frames": [1, 2],
                 "solids": [{"name": "arm", "file": "solids/0.ply", "colour": [1, 0, 0], "glass": False,
                             "matrices": [still, turned]}],
                 "camera": {"field_of_view": [30, 30], "matrices": [far, far]}}
        Path(directory, "export/solids.json").write_text(json.dumps(found), encoding="utf-8")
        root, problems = self.load(directory, solids=True)
        self.assertEqual(problems, [])
        arm = next(c for c in root.children if "spume_solid" in c)
        for frame, place in ((1, (1, 0, 0)), (2, (1, -3, 3))):  # of the vertex (1, 0, 0), z up
            self.scene.frame_set(frame)
            numpy.testing.assert_allclose(arm.matrix_world @ arm.data.vertices[1].co, place, atol=1e-5)
        camera = self.scene.camera
        numpy.testing.assert_allclose(camera.matrix_world.translation, (0, -4, 0.5), atol=1e-6)
        numpy.testing.assert_allclose(camera.matrix_world.to_quaternion() @ mathutils.Vector((0, 0, -1)), (0, 1, 0),
                                      atol=1e-6)
        self.assertAlmostEqual(math.degrees(camera.data.angle_y), 30, places=3)
        found["solids"][0]["file"] = "../../secret"
        Path(directory, "export/solids.json").write_text(json.dumps(found), encoding="utf-8")
        with self.assertRaises(spume_cache.CacheProblem):
            self.load(directory, solids=True)


@unittest.skipUnless(os.environ.get("SPUME_MODULE"), "the Python module is not built")
class Module(unittest.TestCase):
    def test_simulates_inside_blender(self):
        sys.path.insert(0, os.environ["SPUME_MODULE"])
        import spume
        from scenes import lattice

        with tempfile.TemporaryDirectory() as folder:
            directory = os.path.join(folder, "cache")
            self.assertTrue(spume.run(spume.make_scene(lattice()), directory, threads=1))
            fresh_scene()
            root, problems = spume_cache.import_cache(bpy.context, directory)
            self.assertEqual(problems, [])
            self.assertEqual(len(root.children[0].data.vertices), 64)
            self.assertEqual(len(spume.Cache(directory).frame(1).points["bubbles"]), 64)


done = unittest.main(argv=["blender_test"], exit=False, verbosity=2)
sys.stdout.flush()
sys.stderr.flush()
os._exit(0 if done.result.wasSuccessful() and done.result.testsRun > 5 else 1)
