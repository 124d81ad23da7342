# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
"""The ParaView script: xvfb-run -a pvbatch THIS. SPUME_CACHE is a finished cache exported to vtk,
SPUME_SOURCE the sources."""

import json
import os
import sys
import tempfile
import unittest
from pathlib import Path

import numpy
from paraview import servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader

SOURCE, CACHE = Path(os.environ["SPUME_SOURCE"]), os.environ["SPUME_CACHE"]
sys.path[:0] = [str(SOURCE / "tests/clients"), str(SOURCE / "integrations/paraview")]

import discs  # noqa: E402
import spume_cache  # noqa: E402

WIDTH, HEIGHT = 320, 240


def read_png(path):
    reader = vtkPNGReader()
    reader.SetFileName(path)
    reader.Update()
    values = vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars())
    return values.reshape(HEIGHT, WIDTH, -1)[::-1].astype(float)  # first row at the top


class Script(unittest.TestCase):
    def setUp(self):
        simple.ResetSession()
        self.view = simple.GetActiveViewOrCreate("RenderView")
        self.view.ViewSize = [WIDTH, HEIGHT]
        self.stats = [json.loads(line) for line in Path(CACHE, "stats.jsonl").read_text().splitlines()]

    def test_every_time_holds_the_frame_s_points_and_volumes(self):
        readers = spume_cache.show(CACHE)
        self.assertEqual(sorted(readers), ["bubbles", "density", "vel"])
        numpy.testing.assert_allclose(readers["bubbles"].TimestepValues, [s["time"] for s in self.stats])
        for line in self.stats:
            data = servermanager.Fetch(self.at(readers["bubbles"], line["time"]))
            self.assertEqual(data.GetNumberOfPoints(), line["bubbles"])
            radius = vtk_to_numpy(data.GetPointData().GetArray("pscale")).astype(float)
            air = (4 / 3 * numpy.pi * radius ** 3).sum()
            self.assertAlmostEqual(air, line["air"]["bubbles"], delta=1e-5 * air)
            self.assertEqual(data.GetPointData().GetArray("v").GetNumberOfComponents(), 3)
            image = servermanager.Fetch(self.at(readers["density"], line["time"]))
            density = vtk_to_numpy(image.GetCellData().GetArray("density")).astype(float)
            grid = density.sum() * numpy.prod(image.GetSpacing())
            self.assertAlmostEqual(grid, line["air"]["grid"], delta=0.02 * line["air"]["grid"])

    def at(self, reader, time):
        reader.UpdatePipeline(time)
        simple.GetAnimationScene().AnimationTime = time
        return reader

    def test_spheres_have_their_size_and_place(self):
        readers = spume_cache.show(CACHE, colour="")
        time = self.stats[-1]["time"]
        data = servermanager.Fetch(self.at(readers["bubbles"], time))
        place = vtk_to_numpy(data.GetPoints().GetData())
        radius = vtk_to_numpy(data.GetPointData().GetArray("pscale"))
        for name in ("density", "vel"):
            simple.Hide(readers[name], self.view)
        low, high = place.min(axis=0), place.max(axis=0)
        centre, height = (low + high) / 2, 1.2 * max((high - low)[1], (high - low)[0] * HEIGHT / WIDTH)
        self.view.UseColorPaletteForBackground = 0
        self.view.Background = [0, 0, 0]
        self.view.OrientationAxesVisibility = 0
        self.view.CameraParallelProjection = 1
        self.view.CameraFocalPoint = list(centre)
        self.view.CameraPosition = [centre[0], centre[1], centre[2] + 2]
        self.view.CameraParallelScale = height / 2
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "picture.png")
            simple.SaveScreenshot(path, self.view, ImageResolution=[WIDTH, HEIGHT])
            shown = read_png(path).max(axis=2) > 12
        expected = discs.coverage(place, radius, centre, height / HEIGHT, WIDTH, HEIGHT, fine=4)
        print(f"covered {shown.sum()} pixels, expected {expected.sum():.0f}")
        self.assertAlmostEqual(shown.sum() / expected.sum(), 1, delta=0.12)
        self.assertGreater(numpy.corrcoef(shown.ravel(), expected.ravel())[0, 1], 0.85)

    def test_what_is_not_there_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(SystemExit, "spume export"):
                spume_cache.show(folder)
        self.assertIn("bubbles", spume_cache.show(CACHE, colour="taste"))


done = unittest.main(argv=["paraview_test"], exit=False, verbosity=2)
sys.stdout.flush()
sys.stderr.flush()
os._exit(0 if done.result.wasSuccessful() and done.result.testsRun == 3 else 1)
