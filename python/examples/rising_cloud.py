# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
"""Builds a scene in code, simulates it frame by frame and looks at the bubbles: how fast does a
cloud rise when it is dense, and how fast is each bubble on its own?"""

import numpy

import spume


def cloud(count):
    return spume.make_scene({
        "version": 1,
        "time": {"fps": 24, "frames": 6},
        "domain": {"lower": [-0.1, 0, -0.1], "upper": [0.1, 0.2, 0.1], "divisions": 24},
        "emitter": [{
            "mode": "seed",
            "count": count,
            "shape": {"kind": "sphere", "center": [0, 0.06, 0], "radius": "4 cm"},
            "radius": "1 mm",
        }],
    })


for count in (1, 1000):
    simulation = spume.Simulation(cloud(count))
    for stats in simulation:
        bubbles = simulation.view().points["bubbles"]
        height = bubbles["P"][:, 1].mean()  # numpy, over the simulation's own memory
        speed = numpy.linalg.norm(bubbles["v"], axis=1).mean()
        print(f"{count:5} bubbles, frame {stats['frame']}: at {height:.4f} m, {speed:.3f} m/s, "
              f"{stats['substeps']} substeps")
