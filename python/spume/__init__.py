# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
"""Spume simulates air in water. Scenes, simulations and caches from Python: docs/python.md."""

from pathlib import Path

from . import _core
from ._core import Cache, Frame, Mesh, Points, Scene, Simulation, Volume, methods, version
from .errors import Defect, Error, MachineError, SimulationError, UserError
from .scene_text import scene_text, value_text

__version__ = version()
__all__ = ["Cache", "Defect", "Error", "Frame", "MachineError", "Mesh", "Points", "Scene",
           "Simulation", "SimulationError", "UserError", "Volume", "load_scene", "make_scene",
           "methods", "run", "scene_text", "scenes"]


def _overrides(given):
    return [f"{key}={value_text(value, key)}" for key, value in (given or {}).items()]


class _Named(dict):
    """By name; a name that is not there is an error that says which are."""

    def __missing__(self, name):
        raise KeyError(f"{name}: there are {', '.join(self) or 'none'}")


def _scenes_folder():
    installed = Path(__file__).resolve().parents[4] / "share/spume/scenes"
    return installed if installed.is_dir() else Path(_core.source_scenes)


def scenes():
    """Names of the bundled scenes, which load_scene takes."""
    return sorted(path.stem for path in _scenes_folder().glob("*.toml"))


def _scene_file(path):
    if not Path(path).exists() and str(path) in scenes():
        return str(_scenes_folder() / f"{path}.toml")
    return str(path)


def load_scene(path, overrides=None, preset="", variant="", seed=None, first_frame=None,
               last_frame=None):
    """A scene file, or a bundled scene by name, with everything it names, checked. `overrides` maps keys such as
    "emitter.0.rate" to values. Raises UserError with every mistake."""
    return _core.load_scene(_scene_file(path), _overrides(overrides), preset, variant, seed, first_frame,
                            last_frame)


def make_scene(content, folder=".", overrides=None, preset="", variant="", seed=None,
               first_frame=None, last_frame=None):
    """A scene from a dictionary that holds what a scene file would say. Files it names are relative
    to `folder`."""
    return _core.make_scene(scene_text(content), str(folder), _overrides(overrides), preset,
                            variant, seed, first_frame, last_frame)


def run(scene, directory, on_frame=None, threads=0, resume=False, overwrite=False, force=False,
        memory=0):
    """Simulates a scene into a cache, like `spume run`. `on_frame(stats)` is called when a frame is
    done; when it returns False the run stops with a checkpoint, as it does on Ctrl-C. True: all
    frames are there. `force` resumes although something differs; `memory` is how many GB the run may
    use, 0 what the machine has."""
    return _core.run(scene, str(directory), on_frame, threads, resume, overwrite, force, memory)


def _dense(volume):
    """The volume as one array over the box around its tiles, and the cell at its lower corner. A
    staggered volume gets an axis of three components in front. Copies."""
    import numpy

    tiles, side = volume.tiles, volume.side
    parts = volume.values if volume.kind == "staggered" else (volume.values,)
    if len(tiles) == 0:
        lower, size = (0, 0, 0), (0, 0, 0)
    else:
        lower = tiles.min(axis=0)
        size = tiles.max(axis=0) + side - lower
    whole = numpy.full((len(parts), *size), volume.background, dtype=numpy.float32)
    for values, out in zip(parts, whole):
        for tile, block in zip(tiles, values):
            x, y, z = tile - lower
            out[x:x + side[0], y:y + side[1], z:z + side[2]] = block
    return (whole if volume.kind == "staggered" else whole[0]), tuple(int(c) for c in lower)


def _to_dict(scene):
    """What the scene says, every default filled in."""
    import tomllib

    return tomllib.loads(scene.text)


def _named(part):
    own = getattr(Frame, part)
    return property(lambda frame: _Named(own.__get__(frame)), doc=own.__doc__)


for _part in ("points", "volumes", "meshes"):
    setattr(Frame, _part, _named(_part))
Volume.dense = _dense
Scene.to_dict = _to_dict
