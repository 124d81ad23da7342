# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
"""A Spume cache in ParaView: bubbles as spheres of their size, coloured by an attribute, and the
volumes beside them. docs/paraview.md tells how to get the .pvd files.

    paraview --script=spume_cache.py         then in its shell: show("out/mine")
    pvpython spume_cache.py DIR [--colour v|pscale|age|type] [--picture FILE.png]
"""

import argparse
import glob
import os
import sys

from paraview import simple

FOLDERS = ("", "export")  # [output] vtk = true, and `spume export --to vtk`


def collections(directory):
    """The .pvd files of a cache by name."""
    for folder in FOLDERS:
        found = sorted(glob.glob(os.path.join(glob.escape(os.path.join(directory, folder)), "*.pvd")))
        if found:
            return {os.path.splitext(os.path.basename(path))[0]: path for path in found}
    raise SystemExit(f"{directory}: no .pvd file; make them with `spume export {directory} --to vtk`")


def holds(path):
    """points, mesh or volumes: the folder of the files that a .pvd names."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return next((folder for folder in ("points", "mesh") if f'file="{folder}/' in text), "volumes")


def show_mesh(reader, view, colour):
    """A surface; coloured by the same attribute where its vertices have it."""
    display = simple.Show(reader, view)
    display.Representation = "Surface"
    display.Opacity = 0.6
    if colour in reader.PointData.keys():
        simple.ColorBy(display, ("POINTS", colour))
    return display


def show_points(reader, view, colour):
    display = simple.Show(reader, view)
    display.Representation = "Point Gaussian"
    display.ShaderPreset = "Sphere"
    display.SetScaleArray = ["POINTS", "pscale"]
    display.ScaleByArray = 1
    display.UseScaleFunction = 0  # the radius as it is
    display.GaussianRadius = 1.0
    arrays = reader.PointData.keys()
    if colour in arrays:
        simple.ColorBy(display, ("POINTS", colour))
        display.SetScalarBarVisibility(view, True)
    elif colour:
        print(f"there is no attribute '{colour}'; there are: {', '.join(arrays)}", file=sys.stderr)
    return display


def show(directory, colour="v", view=None):
    """Loads a cache. Returns the readers by name; volumes are loaded but only outlined."""
    view = view or simple.GetActiveViewOrCreate("RenderView")
    readers, volumes = {}, []
    for name, path in collections(directory).items():
        reader = simple.PVDReader(registrationName=name, FileName=path)
        readers[name] = reader
        times = reader.TimestepValues
        reader.UpdatePipeline(times[-1] if len(times) else 0)
        kind = holds(path)
        if kind == "volumes":
            volumes.append(reader)
            continue
        display = (show_points if kind == "points" else show_mesh)(reader, view, colour)
        display.RescaleTransferFunctionToDataRange(False, True)
    animation = simple.GetAnimationScene()
    animation.UpdateAnimationUsingDataTimeSteps()
    animation.GoToLast()
    view.CameraViewUp = [0, 1, 0]
    simple.ResetCamera(view)  # to the bubbles of the last frame: a volume may be far wider
    for reader in volumes:
        simple.Show(reader, view).Representation = "Outline"
    return readers


def main():
    parser = argparse.ArgumentParser(description="A Spume cache in ParaView")
    parser.add_argument("directory")
    parser.add_argument("--colour", default="v")
    parser.add_argument("--picture", help="of the last frame")
    parser.add_argument("--size", default="1280x720")
    words = parser.parse_args()
    view = simple.GetActiveViewOrCreate("RenderView")
    readers = show(words.directory, words.colour, view)
    times = sorted({t for reader in readers.values() for t in reader.TimestepValues})
    print(f"{', '.join(readers)}: {len(times)} frames, {times[0]:.4g} s to {times[-1]:.4g} s")
    if words.picture:
        size = [int(n) for n in words.size.split("x")]
        simple.SaveScreenshot(words.picture, view, ImageResolution=size)


if __name__ == "__main__" and len(sys.argv) > 1:
    main()
