# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
"""Blender add-on: a Spume cache as an animated sequence. docs/blender.md tells how to use it."""

bl_info = {
    "name": "Spume cache",
    "author": "The Spume authors",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "File > Import > Spume cache",
    "description": "Bubbles, foam, surfaces and volumes simulated by Spume",
    "category": "Import-Export",
}

import json
import math
import os

import bpy
import mathutils
import numpy
from bpy.app.handlers import persistent
from bpy.props import BoolProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

# --- files -------------------------------------------------------------------------------------


class CacheProblem(Exception):
    """Something about a cache that its user should read."""


MOST_RECORD_BYTES = 16 << 20
TYPES = {"char": "i1", "uchar": "u1", "short": "<i2", "ushort": "<u2", "int": "<i4", "uint": "<u4",
         "float": "<f4", "double": "<f8", "int8": "i1", "uint8": "u1", "int32": "<i4",
         "uint32": "<u4", "float32": "<f4", "float64": "<f8"}


def read_json(path):
    try:
        if os.path.getsize(path) > MOST_RECORD_BYTES:
            raise CacheProblem(f"{path}: too large for a record")
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except FileNotFoundError:
        raise CacheProblem(f"{path}: there is no such file") from None
    except (OSError, ValueError, RecursionError) as error:
        raise CacheProblem(f"{path}: damaged ({error})") from None
    if not isinstance(found, dict):
        raise CacheProblem(f"{path}: damaged")
    return found


def read_ply(path):
    """The elements of a binary PLY as structured arrays; lists must be triangles."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise CacheProblem(f"{path}: {error.strerror}") from None
    end = data.find(b"end_header\n", 0, 1 << 16)
    lines = data[:max(end, 0)].decode("ascii", "replace").splitlines()
    if end < 0 or lines[:2] != ["ply", "format binary_little_endian 1.0"]:
        raise CacheProblem(f"{path}: not a binary PLY file")
    elements, names = {}, []
    try:
        for words in (line.split() for line in lines[2:]):
            if words[:1] == ["element"]:
                elements[words[1]] = (int(words[2]), [])
                names.append(words[1])
            elif words[:2] == ["property", "list"]:
                fields = [("corners", TYPES[words[2]]), ("triangle", TYPES[words[3]], (3,))]
                elements[names[-1]][1].extend(fields)
            elif words[:1] == ["property"]:
                elements[names[-1]][1].append((words[2], TYPES[words[1]]))
        kinds = {name: numpy.dtype(elements[name][1]) for name in names}
    except (KeyError, IndexError, ValueError, TypeError):
        raise CacheProblem(f"{path}: its header makes no sense") from None
    at, found = end + len(b"end_header\n"), {}
    for name in names:
        count = elements[name][0]
        if count < 0 or count * kinds[name].itemsize > len(data) - at:
            raise CacheProblem(f"{path}: cut short, {count} of '{name}' do not fit")
        found[name] = numpy.frombuffer(data, kinds[name], count, at)
        at += count * kinds[name].itemsize
    return found


def read_points(path):
    """Columns by name; velocity and id put together."""
    table = read_ply(path).get("vertex")
    if table is None or not {"x", "y", "z"} <= set(table.dtype.names):
        raise CacheProblem(f"{path}: holds no points")
    columns = {name: table[name] for name in table.dtype.names}

    def joined(*names):
        return numpy.stack([columns.pop(n).astype("f4") for n in names], axis=1)

    points = {"P": joined("x", "y", "z")}
    if {"vx", "vy", "vz"} <= set(columns):
        points["velocity"] = joined("vx", "vy", "vz")
    if "pscale" in columns:
        points["radius"] = columns.pop("pscale").astype("f4")
    if "id_lo" in columns:  # Blender's ids have 32 bits
        points["id"] = columns.pop("id_lo").astype("u4").view("i4")
        columns.pop("id_hi", None)
    points.update(columns)
    return points


def read_triangles(path):
    found = read_ply(path)
    vertices, faces = found.get("vertex"), found.get("face")
    if vertices is None or not {"x", "y", "z"} <= set(vertices.dtype.names):
        raise CacheProblem(f"{path}: holds no mesh")
    places = numpy.stack([vertices[a].astype("f4") for a in "xyz"], axis=1)
    columns = {n: vertices[n] for n in vertices.dtype.names if n not in ("x", "y", "z", "vx", "vy", "vz")}
    if {"vx", "vy", "vz"} <= set(vertices.dtype.names):  # Cycles blurs by this name
        columns["velocity"] = numpy.stack([vertices[n].astype("f4") for n in ("vx", "vy", "vz")], axis=1)
    if faces is None or "triangle" not in (faces.dtype.names or ()):
        return places, numpy.zeros((0, 3), "i4"), columns
    corners = faces["triangle"].astype("i4")
    if len(corners) and ((faces["corners"] != 3).any() or corners.min() < 0
                         or corners.max() >= len(places)):
        raise CacheProblem(f"{path}: faces that are no triangles of its vertices")
    return places, corners, columns


class Cache:
    """The committed frames of an output directory; a run may still be writing it."""

    def __init__(self, directory):
        self.directory = directory
        self.manifest = read_json(os.path.join(directory, "manifest.json"))

    def frames(self):
        try:
            names = os.listdir(os.path.join(self.directory, "frames"))
        except OSError:
            return []
        return sorted(int(n[:-5]) for n in names if n.endswith(".json") and n[:-5].isdigit())

    def files(self, frame):
        """Paths below the cache as the frame's record names them, by (folder, name, ending)."""
        record = read_json(os.path.join(self.directory, "frames", f"{frame:04d}.json"))
        named = {}
        for item in record.get("files") or []:
            path = item.get("path") if isinstance(item, dict) else None
            if not isinstance(path, str) or path.startswith("/") or ".." in path or "\0" in path:
                raise CacheProblem(f"frame {frame}: its record names an impossible file")
            folder, _, rest = path.partition("/")
            whole = os.path.join(self.directory, path)
            if not os.path.isfile(whole) or os.path.getsize(whole) != item.get("bytes"):
                named[folder, rest.split(".")[0], rest.rsplit(".", 1)[-1]] = None
            else:
                named[folder, rest.split(".")[0], rest.rsplit(".", 1)[-1]] = whole
        return named


# --- geometry ----------------------------------------------------------------------------------

KINDS = {"f": "FLOAT", "i": "INT", "u": "INT"}


def set_attribute(mesh, name, values):
    vector = values.ndim == 2
    kind = "FLOAT_VECTOR" if vector else KINDS[values.dtype.kind]
    attribute = mesh.attributes.get(name) or mesh.attributes.new(name, kind, "POINT")
    plain = values.astype("i4" if kind == "INT" else "f4")
    attribute.data.foreach_set("vector" if vector else "value", numpy.ascontiguousarray(plain).ravel())


def set_points(mesh, points):
    mesh.clear_geometry()
    mesh.vertices.add(len(points["P"]))
    mesh.vertices.foreach_set("co", points["P"].ravel())
    for name, values in points.items():
        if name != "P":
            set_attribute(mesh, name, values)
    mesh.update()


def set_triangles(mesh, vertices, triangles, columns=()):
    mesh.clear_geometry()
    count = len(triangles)
    mesh.vertices.add(len(vertices))
    mesh.vertices.foreach_set("co", vertices.ravel())
    mesh.loops.add(3 * count)
    mesh.loops.foreach_set("vertex_index", triangles.ravel())
    mesh.polygons.add(count)
    mesh.polygons.foreach_set("loop_start", numpy.arange(0, 3 * count, 3, dtype="i4"))
    mesh.polygons.foreach_set("loop_total", numpy.full(count, 3, "i4"))
    mesh.polygons.foreach_set("use_smooth", numpy.ones(count, bool))
    for name in columns:
        set_attribute(mesh, name, columns[name])
    mesh.update(calc_edges=True)


EMPTY_POINTS = {"P": numpy.zeros((0, 3), "f4"), "radius": numpy.zeros(0, "f4")}
NO_MESH = (EMPTY_POINTS["P"], numpy.zeros((0, 3), "i4"), {})


def load_object(thing, cache, files):
    """Fills one object from the files of a frame; what is wrong is returned as text."""
    folder, name = thing["spume_kind"], thing["spume_name"]
    missing = (folder, name, "ply") not in files
    path = files.get((folder, name, "ply"))
    problem = ""
    if path is None:
        problem = f"{folder}/{name}: " + ("not in this frame" if missing else "missing or cut short")
    try:
        if folder == "points":
            set_points(thing.data, read_points(path) if path else EMPTY_POINTS)
        else:
            places, corners, columns = read_triangles(path) if path else NO_MESH
            set_triangles(thing.data, places, corners, columns)
    except CacheProblem as error:
        problem = str(error)
        if folder == "points":
            set_points(thing.data, EMPTY_POINTS)
        else:
            set_triangles(thing.data, *NO_MESH)
    return problem


def load_frame(root, frame):
    """All objects below a cache's root at a frame of the scene. Returns what is wrong, as texts."""
    things = [c for c in root.children if "spume_kind" in c]
    try:
        cache = Cache(bpy.path.abspath(root["spume_directory"]))
        files = cache.files(frame)
        problems = [load_object(thing, cache, files) for thing in things]
    except CacheProblem as error:  # no such frame: nothing is shown rather than something old
        problems = [str(error)]
        for thing in things:
            load_object(thing, None, {})
    problems = [p for p in problems if p]
    root["spume_frame"] = frame
    root["spume_problem"] = "; ".join(problems)
    return problems


@persistent
def follow_frame(scene, _=None):
    for root in scene.objects:
        if "spume_directory" in root:
            load_frame(root, scene.frame_current)


# --- looks -------------------------------------------------------------------------------------


def glass(name, refraction, colour=(1, 1, 1, 1)):
    """`refraction` is that of the inside divided by that of the outside."""
    material = bpy.data.materials.get(name)
    if material:
        return material
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    shader = tree.nodes.new("ShaderNodeBsdfGlass")
    shader.inputs["IOR"].default_value = refraction
    shader.inputs["Roughness"].default_value = 0
    shader.inputs["Color"].default_value = colour
    output = tree.nodes.new("ShaderNodeOutputMaterial")
    tree.links.new(shader.outputs[0], output.inputs["Surface"])
    return material


def matte(name, colour):
    material = bpy.data.materials.get(name)
    if material:
        return material
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    shader = next(n for n in material.node_tree.nodes if n.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = colour
    shader.inputs["Roughness"].default_value = 0.8
    material.diffuse_color = colour
    return material


def fog(name):
    material = bpy.data.materials.get(name)
    if material:
        return material
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    shader = tree.nodes.new("ShaderNodeVolumePrincipled")
    shader.inputs["Density"].default_value = 50
    output = tree.nodes.new("ShaderNodeOutputMaterial")
    tree.links.new(shader.outputs[0], output.inputs["Volume"])
    return material


def material_for(kind, name, free_surface):
    if name in ("foam", "spray"):
        return matte("Spume foam", (0.95, 0.97, 1, 1))
    if name == "grains":
        return matte("Spume grains", (0.75, 0.6, 0.4, 1))
    if name == "liquid" or (kind == "mesh" and free_surface):
        return glass("Spume water", 1.333, (0.95, 0.99, 1, 1))
    return glass("Spume air in water", 1 / 1.333)


def spheres(material):
    """Geometry nodes: vertices with a radius as spheres of a point cloud."""
    name = f"Spume spheres ({material.name})"
    tree = bpy.data.node_groups.get(name)
    if tree:
        return tree
    tree = bpy.data.node_groups.new(name, "GeometryNodeTree")
    if hasattr(tree, "interface"):  # Blender 4
        tree.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
        tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    else:
        tree.inputs.new("NodeSocketGeometry", "Geometry")
        tree.outputs.new("NodeSocketGeometry", "Geometry")
    nodes, links = tree.nodes, tree.links
    begin, end = nodes.new("NodeGroupInput"), nodes.new("NodeGroupOutput")
    radius = nodes.new("GeometryNodeInputNamedAttribute")
    radius.data_type = "FLOAT"
    radius.inputs["Name"].default_value = "radius"
    points = nodes.new("GeometryNodeMeshToPoints")
    look = nodes.new("GeometryNodeSetMaterial")
    look.inputs["Material"].default_value = material
    links.new(begin.outputs[0], points.inputs["Mesh"])
    links.new(next(o for o in radius.outputs if o.enabled and o.name == "Attribute"),
              points.inputs["Radius"])
    links.new(points.outputs[0], look.inputs["Geometry"])
    links.new(look.outputs[0], end.inputs[0])
    return tree


# --- import ------------------------------------------------------------------------------------


def add_object(scene, root, kind, name, free_surface):
    mesh = bpy.data.meshes.new(f"{root.name} {name}")
    thing = bpy.data.objects.new(mesh.name, mesh)
    thing["spume_kind"], thing["spume_name"] = kind, name
    thing.parent = root
    scene.collection.objects.link(thing)
    material = material_for(kind, name, free_surface)
    mesh.materials.append(material)
    if kind == "points":
        thing.modifiers.new("Spheres", "NODES").node_group = spheres(material)
    return thing


def add_volume(scene, root, name, frames, first_file):
    volume = bpy.data.volumes.new(f"{root.name} {name}")
    volume.filepath = first_file
    volume.is_sequence = True
    volume.frame_start = frames[0]
    volume.frame_duration = frames[-1] - frames[0] + 1
    volume.frame_offset = frames[0] - 1
    volume.materials.append(fog("Spume fog"))
    thing = bpy.data.objects.new(volume.name, volume)
    thing.parent = root
    scene.collection.objects.link(thing)


def read_solids(directory):
    """What `spume export --to solids` wrote, and where; nothing if it was not asked to."""
    for folder in (directory, os.path.join(directory, "export")):
        path = os.path.join(folder, "solids.json")
        if not os.path.isfile(path):
            continue
        found = read_json(path)
        try:
            frames = [int(f) for f in found["frames"]]
            solids = [(str(s["name"]), str(s["file"]), [float(c) for c in s["colour"]] + [1.0], bool(s["glass"]),
                       matrices_of(s, frames), [str(f) for f in s.get("deformed", [])]) for s in found["solids"]]
            camera = found.get("camera")
            if camera:
                camera = (matrices_of(camera, frames), [math.radians(float(a)) for a in camera["field_of_view"]])
            if any(name.startswith("/") or ".." in name for solid in solids for name in [solid[1], *solid[5]]):
                raise ValueError("a file outside its folder")
            if any(len(solid[5]) not in (0, len(frames)) for solid in solids):
                raise ValueError("files that do not fit the frames")
        except (KeyError, TypeError, ValueError) as error:
            raise CacheProblem(f"{path}: damaged ({error})") from None
        return folder, frames, solids, camera
    return None


def matrices_of(item, frames):
    values = [[float(x) for x in m] for m in item["matrices"]]
    if len(values) != len(frames) or any(len(m) != 16 for m in values):
        raise ValueError("matrices that do not fit the frames")
    return [mathutils.Matrix([m[0:4], m[4:8], m[8:12], m[12:16]]) for m in values]


def key_places(thing, frames, matrices):
    """Keys of the object's place; one is enough where it rests."""
    thing.rotation_mode = "QUATERNION"
    before = None
    for frame, matrix in zip(frames, matrices):
        if all(m == matrices[0] for m in matrices):
            thing.matrix_local = matrix
            return
        thing.location, turn, _ = matrix.decompose()
        if before is not None:
            turn.make_compatible(before)
        thing.rotation_quaternion = before = turn
        thing.keyframe_insert("location", frame=frame)
        thing.keyframe_insert("rotation_quaternion", frame=frame)
    for curve in thing.animation_data.action.fcurves:
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"


def key_shapes(thing, frames, files):
    """A shape key for each frame of a mesh that deforms, one after another and linear between."""
    if not files:
        return
    for file in files:
        places, corners, _ = read_triangles(file)
        if len(places) != len(thing.data.vertices):
            raise CacheProblem(f"{file}: another number of vertices than before")
        thing.shape_key_add(from_mix=False).data.foreach_set("co", numpy.asarray(places, numpy.float32).ravel())
    keys = thing.data.shape_keys
    keys.use_relative = False
    for block in keys.key_blocks:
        block.interpolation = "KEY_LINEAR"
    for frame, block in zip(frames, keys.key_blocks):
        keys.eval_time = block.frame
        keys.keyframe_insert("eval_time", frame=frame)
    for curve in keys.animation_data.action.fcurves:
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"


def add_solids(scene, root, directory, says):
    """Solids and camera of the scene, whose text is `says`, below the root."""
    found = read_solids(directory)
    if found is None:
        wanted = "[[solid]]" in says
        return [f"no solids: `spume export {directory} --to solids` writes them"] if wanted else []
    folder, frames, solids, camera = found
    for name, file, colour, is_glass, matrices, deformed in solids:
        places, corners, _ = read_triangles(os.path.join(folder, file))
        mesh = bpy.data.meshes.new(f"{root.name} {name or 'solid'}")
        set_triangles(mesh, places, corners)
        mesh.polygons.foreach_set("use_smooth", numpy.zeros(len(corners), bool))
        label = "Spume solid " + " ".join(f"{c:.3g}" for c in colour[:3])
        mesh.materials.append(glass("Spume glass", 1.52) if is_glass else matte(label, colour))
        thing = bpy.data.objects.new(mesh.name, mesh)
        thing["spume_solid"] = name
        thing.parent = root
        scene.collection.objects.link(thing)
        key_places(thing, frames, matrices)
        key_shapes(thing, frames, [os.path.join(folder, f) for f in deformed])
    if camera:
        data = bpy.data.cameras.new(f"{root.name} camera")
        data.sensor_fit, thing = "VERTICAL", bpy.data.objects.new(data.name, data)
        thing.parent = root
        scene.collection.objects.link(thing)
        key_places(thing, frames, camera[0])
        for frame, angle in zip(frames, camera[1]):
            data.angle_y = angle
            if len(set(camera[1])) > 1:
                data.keyframe_insert("lens", frame=frame)
        scene.camera = thing
    return []


def import_cache(context, directory, points=True, meshes=True, volumes="", set_scene=True, solids=False):
    """Adds a cache to the scene. Returns its root object and what is wrong, as texts."""
    directory = os.path.normpath(bpy.path.abspath(directory))
    cache = Cache(directory)
    frames = cache.frames()
    if not frames:
        raise CacheProblem(f"{directory}: no frames yet")
    # Caches that do not say: only methods with a free surface take [[liquid]].
    free_surface = bool(cache.manifest.get("free_surface",
                                           "[[liquid]]" in str(cache.manifest.get("scene", ""))))
    scene = context.scene
    root = bpy.data.objects.new(os.path.basename(directory) or "Spume", None)
    root["spume_directory"] = directory
    root.rotation_euler = (math.pi / 2, 0, 0)  # Spume's y is up, Blender's z
    root.empty_display_size = 0.1
    scene.collection.objects.link(root)
    problems, named, fogs = [], {}, {}
    for frame in frames:  # what appears in any frame
        try:
            for key, path in cache.files(frame).items():
                named.setdefault(key[:2], key[2])
                if key[0] == "volumes" and path:
                    fogs.setdefault(key[1], path)
        except CacheProblem as error:
            problems.append(str(error))
    for kind, name in sorted(named):
        if (kind == "points" and points) or (kind == "mesh" and meshes):
            add_object(scene, root, kind, name, free_surface)
    for name in (n.strip() for n in volumes.split(",")):
        if name and name not in fogs:
            problems.append(f"there is no volume '{name}'; there are: {', '.join(sorted(fogs))}")
        elif name:
            add_volume(scene, root, name, frames, fogs[name])
    if solids:
        problems += add_solids(scene, root, directory, str(cache.manifest.get("scene", "")))
    if set_scene:
        scene.frame_start, scene.frame_end = frames[0], frames[-1]
        fps = float(cache.manifest.get("fps") or 24)
        scene.render.fps = max(1, round(fps))
        scene.render.fps_base = scene.render.fps / fps
        scene.render.use_lock_interface = True  # frames change meshes: nobody else may read them then
        scene.frame_set(min(max(scene.frame_current, frames[0]), frames[-1]))
    load_frame(root, scene.frame_current)
    return root, problems


class IMPORT_SCENE_OT_spume_cache(bpy.types.Operator, ImportHelper):
    """Load a cache of Spume as an animated sequence: choose its manifest.json"""

    bl_idname = "import_scene.spume_cache"
    bl_label = "Import Spume cache"
    bl_options = {"REGISTER", "UNDO"}
    filename_ext = ".json"
    filter_glob: StringProperty(default="manifest.json", options={"HIDDEN"})
    points: BoolProperty(name="Points", description="Bubbles, foam and spray as spheres", default=True)
    meshes: BoolProperty(name="Surfaces", description="Meshes of liquids and of connected air", default=True)
    volumes: StringProperty(name="Volumes", description="Names of volumes to load, for example density")
    solids: BoolProperty(name="Solids and camera", description="What `spume export --to solids` wrote", default=True)
    set_scene: BoolProperty(name="Set frame range", description="Take frames and rate from the cache",
                            default=True)

    def execute(self, context):
        directory = self.filepath if os.path.isdir(self.filepath) else os.path.dirname(self.filepath)
        try:
            root, problems = import_cache(context, directory, self.points, self.meshes, self.volumes,
                                          self.set_scene, self.solids)
        except CacheProblem as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for text in problems + [root["spume_problem"]]:
            if text:
                self.report({"WARNING"}, text)
        return {"FINISHED"}


class SPUME_PT_cache(bpy.types.Panel):
    """Where an object's cache lies, and what is wrong with its frame"""

    bl_label = "Spume cache"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "object"

    @classmethod
    def poll(cls, context):
        return context.object is not None and "spume_directory" in context.object

    def draw(self, context):
        self.layout.prop(context.object, '["spume_directory"]', text="Directory")
        problem = context.object.get("spume_problem", "")
        self.layout.label(text=problem or f"frame {context.object.get('spume_frame', 0)} loaded",
                          icon="ERROR" if problem else "CHECKMARK")


def menu_entry(self, _):
    self.layout.operator(IMPORT_SCENE_OT_spume_cache.bl_idname, text="Spume cache (manifest.json)")


CLASSES = (IMPORT_SCENE_OT_spume_cache, SPUME_PT_cache)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.TOPBAR_MT_file_import.append(menu_entry)
    bpy.app.handlers.frame_change_pre.append(follow_frame)


def unregister():
    bpy.app.handlers.frame_change_pre.remove(follow_frame)
    bpy.types.TOPBAR_MT_file_import.remove(menu_entry)
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)


if __name__ == "__main__":
    register()
