# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
"""The Python module. PYTHONPATH names it, SPUME_PROGRAM the program, SPUME_SOURCE the sources."""

import gc
import json
import math
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import numpy

import spume
from scenes import lattice, stirred

PROGRAM = os.environ["SPUME_PROGRAM"]
SOURCE = Path(os.environ["SPUME_SOURCE"])
BALL = 4 / 3 * math.pi * 0.002 ** 3


def bits(simulation):
    """Everything the next substep reads, as bytes."""
    return {name: values.tobytes() for name, values in simulation.state().items()}


def files_of(directory):
    top = Path(directory)
    return {str(p.relative_to(top)): p.read_bytes() for p in top.rglob("*")
            if p.is_file() and p.name not in ("log.txt", "timing.jsonl")}


class Scenes(unittest.TestCase):
    def test_bundled_scenes_have_names(self):
        self.assertIn("bubble_column", spume.scenes())
        scene = spume.load_scene("bubble_column", preset="low")
        self.assertEqual(scene.text, spume.load_scene(SOURCE / "scenes/bubble_column.toml", preset="low").text)

    def test_every_bundled_scene_loads(self):
        scenes = sorted((SOURCE / "scenes").glob("*.toml"))
        self.assertGreater(len(scenes), 10)
        for path in scenes:
            try:
                scene = spume.load_scene(path)
            except spume.UserError as error:  # it reads what another scene has written
                self.assertRegex(str(error), "/out/.*(no such directory|ends with frame)", path)
                continue
            self.assertIn(scene.method, spume.methods(), path)
            self.assertGreater(scene.estimate()["voxels"], 0, path)

    def test_a_scene_comes_back_from_its_own_words(self):
        scene = spume.load_scene(SOURCE / "scenes/bubble_column.toml", preset="low")
        self.assertEqual(scene.last_frame, 24)
        self.assertEqual(spume.make_scene(scene.to_dict()).text, scene.text)

    def test_overrides_and_numpy_values(self):
        content = lattice()
        content["domain"]["lower"] = numpy.array([-0.05, 0, -0.05])
        content["time"]["frames"] = numpy.int64(5)
        scene = spume.make_scene(content, overrides={"time.fps": 30, "emitter.0.radius": "1 mm"})
        self.assertEqual((scene.fps, scene.last_frame), (30, 5))
        self.assertEqual(scene.to_dict()["emitter"][0]["radius"], 0.001)

    def test_mistakes_are_told_with_place_and_remedy(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "wrong.toml"
            path.write_text('version = 1\n[domain]\ndivisons = 3\nvoxel = "5 kg"\n')
            with self.assertRaises(spume.UserError) as caught:
                spume.load_scene(path)
        found = {c["line"]: c for c in caught.exception.complaints}
        self.assertEqual(sorted(found), [3, 4])
        self.assertIn("divisions", found[3]["remedy"])
        self.assertIn(f"{path}:3:1: error:", str(caught.exception))

    def test_mistakes_in_a_dictionary_name_the_key(self):
        content = lattice()
        content["emitter"][0]["radius"] = -1
        with self.assertRaises(spume.UserError) as caught:
            spume.make_scene(content)
        complaint, = caught.exception.complaints
        self.assertIn("emitter[0].radius", complaint["message"])
        self.assertEqual((complaint["file"], complaint["line"]), ("", 0))
        for value in (math.nan, object(), {1: 2}, None):
            content["emitter"][0]["radius"] = value
            with self.assertRaisesRegex(spume.UserError, r"emitter\[0\]\.radius|emitter"):
                spume.make_scene(content)

    def test_hostile_text_stays_text(self):
        title = 'a "b" \\ \n [domain]\nvoxel = 1 \x7f é'
        self.assertEqual(spume.make_scene(lattice(title=title)).title, title)

    def test_what_no_machine_holds_is_refused_before_it_is_tried(self):
        before = time.monotonic()
        with self.assertRaises(spume.UserError):
            spume.make_scene(lattice(domain={"divisions": 30000, "dense": True}))
        scene = spume.make_scene(lattice(domain={"divisions": 1500, "dense": True}))
        with self.assertRaises(spume.UserError):
            spume.Simulation(scene)
        self.assertLess(time.monotonic() - before, 2)


class Running(unittest.TestCase):
    def test_bubbles_are_where_the_scene_puts_them(self):
        simulation = spume.Simulation(spume.make_scene(lattice()), threads=1)
        self.assertEqual((simulation.time, simulation.frame), (0, 1))
        stats = simulation.advance()
        self.assertEqual((stats["frame"], stats["complete"]), (1, True))
        self.assertAlmostEqual(simulation.time, 1 / 48)
        self.assertAlmostEqual(stats["air"]["bubbles"], 64 * BALL, delta=1e-6 * 64 * BALL)
        points = simulation.view().points["bubbles"]
        self.assertEqual(len(points), 64)
        self.assertTrue((points["pscale"] == numpy.float32(0.002)).all())
        self.assertEqual(len(numpy.unique(points["id"])), 64)
        # They start to rise, all together, from the lattice.
        simulation.advance()
        points = simulation.view().points["bubbles"]
        middle = points["P"].mean(axis=0)
        self.assertLess(numpy.abs(middle[[0, 2]]).max(), 1e-4)
        self.assertTrue(0.0401 < middle[1] < 0.045, middle)
        self.assertTrue((points["v"][:, 1] > 0).all())
        columns = numpy.sort(points["P"][:, 0]).reshape(4, 16).mean(axis=1)
        numpy.testing.assert_allclose(columns, [-0.015, -0.005, 0.005, 0.015], atol=1e-3)

    def test_arrays_are_not_copies_and_outlive_their_owner(self):
        simulation = spume.Simulation(spume.make_scene(lattice()), threads=1)
        simulation.advance()
        frame = simulation.view()
        points, volume = frame.points["bubbles"], frame.volumes["vel"]
        radius, again = points["pscale"], points["pscale"]
        self.assertTrue(numpy.shares_memory(radius, again))
        self.assertTrue(numpy.shares_memory(volume.values[1], volume.values[1]))
        with self.assertRaises(ValueError):
            radius[0] = 1
        kept, velocity = points["P"], volume.values[1]
        before, speeds = kept.copy(), velocity.copy()
        simulation.advance()
        del frame, points, volume, simulation, radius, again
        gc.collect()
        noise = [numpy.ones(1 << 18) for _ in range(64)]
        self.assertTrue((kept == before).all() and (velocity == speeds).all() and len(noise))

    def test_unknown_names_are_key_errors(self):
        frame = spume.Simulation(spume.make_scene(lattice()), threads=1).view()
        with self.assertRaisesRegex(KeyError, "colour.*P, v, .*pscale"):
            frame.points["bubbles"]["colour"]
        with self.assertRaisesRegex(KeyError, "fire.*vel"):
            frame.volumes["fire"]
        self.assertNotIn("fire", frame.volumes)

    def test_the_start_can_be_written(self):
        scene = spume.make_scene(lattice(), overrides={"domain.dense": True})
        simulation = spume.Simulation(scene, threads=1)
        name = "water.y"
        values = simulation.state()[name] + 0.25
        self.assertGreater(values.size, 0)
        simulation.set(name, values)
        numpy.testing.assert_array_equal(simulation.state()[name], values)
        with self.assertRaisesRegex(KeyError, "colour.*" + name.replace(".", r"\.")):
            simulation.set("colour", values)
        with self.assertRaises(spume.UserError):
            simulation.set(name, numpy.zeros((1, 2, 3, 4, 5)))
        with self.assertRaises(spume.UserError):
            simulation.set(name, values * numpy.nan)
        simulation.advance()
        with self.assertRaisesRegex(spume.UserError, "has begun"):
            simulation.set(name, values)

    def test_substeps_pauses_and_frames_give_the_same_bits(self):
        scene = spume.make_scene(stirred())
        whole = spume.Simulation(scene, threads=1)
        substeps = whole.advance()["substeps"]
        self.assertGreater(substeps, 3)
        single = spume.Simulation(scene, threads=2)
        for i in range(substeps):
            stats = single.substep()
            self.assertEqual((stats["substeps"], stats["complete"]), (i + 1, i + 1 == substeps))
        self.assertEqual(bits(single), bits(whole))
        paused, shares = spume.Simulation(scene, threads=1), []
        while not paused.advance(lambda share: shares.append(share) or len(shares) % 2 == 0)["complete"]:
            pass
        self.assertEqual(len(shares), substeps)
        self.assertEqual(shares, sorted(shares))
        self.assertEqual(bits(paused), bits(whole))

    def test_two_at_once_and_in_threads(self):
        scenes = [spume.make_scene(lattice(), seed=s, overrides={"emitter.0.radius": r})
                  for s, r in ((1, 0.001), (2, 0.002))]
        alone = []
        for scene in scenes:
            simulation = spume.Simulation(scene, threads=1)
            list(simulation)
            alone.append(bits(simulation))
        self.assertNotEqual(*alone)
        both = [spume.Simulation(scene, threads=1) for scene in scenes]
        for _ in zip(*both):
            pass
        self.assertEqual([bits(s) for s in both], alone)
        both = [spume.Simulation(scene, threads=1) for scene in scenes]
        threads = [threading.Thread(target=lambda s=s: list(s)) for s in both]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([bits(s) for s in both], alone)

    def test_frames_end_with_stop_iteration(self):
        simulation = spume.Simulation(spume.make_scene(lattice()), threads=1)
        self.assertEqual([s["frame"] for s in simulation], [1, 2, 3])
        self.assertTrue(simulation.finished)
        with self.assertRaises(StopIteration):
            simulation.advance()

    def test_callbacks_may_look_but_not_advance_and_may_fail(self):
        simulation = spume.Simulation(spume.make_scene(stirred()), threads=1)
        threads, times = set(), []

        def look(_):
            threads.add(threading.current_thread())
            times.append(simulation.view().time)

        simulation.advance(look)
        self.assertEqual(threads, {threading.current_thread()})
        self.assertEqual(times, sorted(set(times)))

        def fail(_):
            raise LookupError("mine")

        with self.assertRaisesRegex(LookupError, "mine"):
            simulation.advance(fail)
        with self.assertRaisesRegex(spume.UserError, "advancing already"):
            simulation.advance(lambda _: simulation.advance())
        other = []

        def elsewhere(_):
            def use():
                try:
                    simulation.view()
                except spume.UserError as error:
                    other.append(str(error))
            thread = threading.Thread(target=use)
            thread.start()
            thread.join()
            return False

        simulation.advance(elsewhere)
        self.assertIn("another thread", other[0])

    def test_other_threads_run_meanwhile(self):
        simulation = spume.Simulation(spume.make_scene(stirred()), threads=1)
        stop, count = threading.Event(), [0]

        def tick():
            while not stop.is_set():
                count[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=tick)
        thread.start()
        begin = time.monotonic()
        simulation.advance()
        seconds = time.monotonic() - begin
        stop.set()
        thread.join()
        self.assertGreater(count[0], 50 * seconds)

    def test_control_c_ends_it_within_a_second_and_it_can_go_on(self):
        scene = spume.make_scene(stirred())
        whole = spume.Simulation(scene, threads=1)
        begin = time.monotonic()
        whole.advance()
        seconds = time.monotonic() - begin
        for part in (0.1, 0.35, 0.6):
            simulation = spume.Simulation(scene, threads=1)
            sent = []
            timer = threading.Timer(part * seconds, lambda: (
                sent.append(time.monotonic()), os.kill(os.getpid(), signal.SIGINT)))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                simulation.advance()
                time.sleep(5)
            self.assertLess(time.monotonic() - sent[0], 1)
            while not simulation.advance()["complete"]:
                pass
            self.assertEqual(bits(simulation), bits(whole))

    def test_a_simulation_that_cannot_go_on_says_so(self):
        content = lattice(force=[{"acceleration": [1e5, 0, 0]}])
        content["time"]["max_substeps"] = 2
        simulation = spume.Simulation(spume.make_scene(content), threads=1)
        with self.assertRaises(spume.SimulationError):
            list(simulation)

    def test_many_come_and_go_without_growth(self):
        scene = spume.make_scene(lattice())

        def some(count):
            for _ in range(count):
                spume.Simulation(scene, threads=1).view().points["bubbles"]["P"]
            gc.collect()
            return resident()

        before = some(50)
        self.assertLess(some(200) - before, 8e6)


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


class Caches(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.top = Path(self.folder.name)
        self.addCleanup(self.folder.cleanup)

    def run_scene(self, name="cache", **more):
        scene = spume.make_scene(lattice(**more))
        self.assertTrue(spume.run(scene, self.top / name, threads=1))
        return spume.Cache(self.top / name)

    def test_the_same_bytes_as_the_program(self):
        scene = spume.make_scene(lattice())
        (self.top / "scene.toml").write_text(scene.text)
        self.run_scene("mine")
        subprocess.run([PROGRAM, "run", self.top / "scene.toml", "-o", self.top / "its",
                        "--progress", "none", "-j", "1"], check=True)
        mine, its = files_of(self.top / "mine"), files_of(self.top / "its")
        self.assertEqual(sorted(mine), sorted(its))
        for name, content in mine.items():
            self.assertEqual(content, its[name], name)

    def test_frames_statistics_and_volumes_agree(self):
        cache = self.run_scene()
        self.assertEqual(cache.frames, [1, 2, 3])
        lines = (self.top / "cache/stats.jsonl").read_text().splitlines()
        self.assertEqual(cache.stats, [json.loads(line) for line in lines])
        self.assertTrue(cache.manifest["complete"])
        for stats in cache.stats:
            frame = cache.frame(stats["frame"])
            self.assertEqual(len(frame.points["bubbles"]), stats["bubbles"])
            self.assertAlmostEqual(frame.time, stats["frame"] / 48)
            density = frame.volumes["density"]
            air = density.values.sum(dtype=float) * density.voxel ** 3
            self.assertAlmostEqual(air, stats["air"]["grid"], delta=1e-5 * 64 * BALL)
            whole, lower = density.dense()
            self.assertAlmostEqual(whole.sum(dtype=float), density.values.sum(dtype=float), delta=1e-6)
            # The air's centre of mass, from points and from the grid in metres.
            cells = [numpy.arange(n) + 0.5 + low for n, low in zip(whole.shape, lower)]
            mass = whole.astype(float)
            height = (mass * cells[1][None, :, None]).sum() / mass.sum() * density.voxel + density.origin[1]
            self.assertAlmostEqual(height, frame.points["bubbles"]["P"][:, 1].mean(), delta=2e-4)
            self.assertEqual(frame.volumes["vel"].dense()[0].shape[0], 3)

    def test_a_callback_sees_frames_that_are_there_and_may_stop(self):
        seen = []

        def look(stats):
            seen.append(stats["frame"])
            self.assertIn(stats["frame"], spume.Cache(self.top / "cache").frames)
            return len(seen) < 2

        scene = spume.make_scene(lattice())
        self.assertFalse(spume.run(scene, self.top / "cache", look, threads=1))
        self.assertEqual(seen, [1, 2])
        self.assertTrue(spume.run(scene, self.top / "cache", threads=1, resume=True))
        self.run_scene("whole")
        resumed, whole = files_of(self.top / "cache"), files_of(self.top / "whole")
        for name in whole:
            if not name.startswith("checkpoints"):
                self.assertEqual(resumed[name], whole[name], name)

    def test_limits_and_force_are_those_of_the_command_line(self):
        dense = lattice()
        dense["domain"]["dense"] = True  # of a sparse grid nobody knows before the first frame
        with self.assertRaisesRegex(spume.UserError, "memory"):
            spume.run(spume.make_scene(dense), self.top / "cache", memory=1e-6)
        scene = spume.make_scene(lattice())
        self.assertFalse(spume.run(scene, self.top / "cache", lambda stats: False, threads=1))
        other = spume.make_scene(lattice(physics={"surface_tension": 0.05}))
        self.assertRaises(spume.UserError, spume.run, other, self.top / "cache", resume=True)
        self.assertTrue(spume.run(other, self.top / "cache", resume=True, force=True))

    def test_control_c_leaves_a_cache_that_goes_on(self):
        scene = spume.make_scene(stirred())
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            spume.run(scene, self.top / "cache", threads=1)
            time.sleep(5)
        self.assertTrue(spume.run(scene, self.top / "cache", threads=1, resume=True))
        self.assertEqual(spume.Cache(self.top / "cache").verify(), [])

    def test_damage_is_named_and_the_rest_is_read(self):
        cache = self.run_scene()
        path = self.top / "cache/volumes/density.0002.vdb"
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
        self.assertEqual([d[:2] for d in cache.verify()], [(2, "volumes/density.0002.vdb")])
        with self.assertRaisesRegex(spume.UserError, "density.0002.vdb"):
            cache.frame(2)
        frame = cache.frame(2, allow_damage=True)
        self.assertEqual(len(frame.problems), 1)
        self.assertNotIn("density", frame.volumes)
        self.assertEqual(len(frame.points["bubbles"]), 64)
        self.assertEqual(len(cache.frame(2, volumes=[]).volumes), 0)
        (self.top / "cache/frames/0003.json").write_text("{}")
        with self.assertRaises(spume.UserError):
            cache.frame(3)
        self.assertEqual(cache.frame(1).number, 1)

    def test_what_is_not_there(self):
        with self.assertRaises(spume.UserError):
            spume.Cache(self.top / "nothing")
        cache = self.run_scene()
        with self.assertRaises((spume.UserError, spume.MachineError)):
            cache.frame(99)
        with self.assertRaises(spume.MachineError):
            spume.run(spume.make_scene(lattice()), "/dev/null/cache")

    def test_meshes(self):
        content = lattice(output={"surface": True, "preview": "none"})
        content["time"]["frames"] = 1
        content["emitter"] = [{"mode": "seed", "radius_law": "marker", "spacing": 0.1 / 32,
                               "shape": {"kind": "sphere", "center": [0, 0.05, 0], "radius": 0.02}}]
        self.assertTrue(spume.run(spume.make_scene(content), self.top / "cache", threads=1))
        frame = spume.Cache(self.top / "cache").frame(1)
        mesh = next(iter(frame.meshes.values()))
        corners = mesh.vertices[mesh.triangles].astype(float)
        # Of a closed mesh the areas add up to nothing, and the volume is positive.
        area = numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        self.assertLess(numpy.abs(area.sum(axis=0)).max(), 1e-9)
        volume = (corners[:, 0] * numpy.cross(corners[:, 1], corners[:, 2])).sum() / 6
        self.assertAlmostEqual(volume / (4 / 3 * math.pi * 0.02 ** 3), 1, delta=0.4)

    def test_bodies_that_the_simulation_moves(self):
        scene = spume.make_scene({
            "method": "constraint", "time": {"fps": 50, "frames": 3},
            "domain": {"dimensions": 2, "lower": [0, 0, 0], "upper": [0.4, 0.4, 0], "divisions": 32,
                       "bottom": "wall", "sides": "wall"},
            "liquid": [{"shape": {"kind": "box", "center": [0.2, 0.025, 0], "size": [0.4, 0.05, 1]}}],
            "solid": [{"motion": "dynamic", "density": 500,
                       "shape": {"kind": "sphere", "center": [0.2, 0.3, 0], "radius": 0.03}}],
            "output": {"preview": "none"},
        })
        self.assertTrue(spume.run(scene, self.top / "cache", threads=1))
        for frame in (1, 2, 3):  # it falls freely through the air
            time_gone = frame / 50
            body = spume.Cache(self.top / "cache").frame(frame, volumes=[]).bodies[0]
            self.assertAlmostEqual(body["velocity"][1], -9.81 * time_gone, delta=0.02 * 9.81 * time_gone)
            first_order = 9.81 / 2 * time_gone / 50  # what whole substeps of one frame are off
            self.assertAlmostEqual(body["position"][1], 0.3 - 9.81 / 2 * time_gone ** 2,
                                   delta=first_order + 1e-5)
            self.assertAlmostEqual(body["rotation"][0][0], 1, delta=1e-6)

    def test_names_are_those_other_programs_expect(self):
        self.run_scene()

        def told(path):
            done = subprocess.run([PROGRAM, "info", self.top / "cache" / path], capture_output=True,
                                  text=True, check=True)
            return done.stdout

        # As Houdini's SOPs take them: docs/houdini.md.
        self.assertRegex(told("points/bubbles.0001.vdb"),
                         r"^bubbles: .* 64 points, attributes P v id pscale age life type density")
        self.assertRegex(told("volumes/density.0001.vdb"), r"^density: float, Fog Volume")
        self.assertRegex(told("volumes/vel.0001.vdb"), r"^vel: vec3s, Staggered Vector Field")

    def test_the_examples(self):
        self.run_scene()
        examples = SOURCE / "python/examples"
        self.assertEqual(len(list(examples.glob("*.py"))), 3)
        for name, words in (("rising_cloud.py", []), ("read_cache.py", [self.top / "cache"]),
                            ("two_at_once.py", [])):
            done = subprocess.run([sys.executable, examples / name, *words], capture_output=True,
                                  text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("frame 3", done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
