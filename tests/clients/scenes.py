# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
"""Small scenes that the tests of clients share."""


def lattice(**more):
    """Bubbles of 2 mm on a lattice of 1 cm in a box of 4 cm: 4 x 4 x 4 of them."""
    return {
        "version": 1,
        "time": {"fps": 48, "frames": 3},
        "domain": {"lower": [-0.05, 0, -0.05], "upper": [0.05, 0.1, 0.05], "divisions": 16,
                   **more.pop("domain", {})},
        "emitter": [{"mode": "seed", "spacing": "1 cm", "radius": "2 mm",
                     "shape": {"kind": "box", "center": [0, 0.04, 0],
                               "size": [0.04, 0.04, 0.04]}}],
        "output": {"preview": "none", "checkpoint_every": 0},
        **more,
    }


def stirred():
    """The same, long enough to be interrupted: a force that stirs all the water."""
    content = lattice(force=[{"acceleration": [30, 0, 0]}],
                      domain={"divisions": 24, "dense": True})
    content["time"] = {"fps": 12, "frames": 3, "max_substeps": 1000}
    return content
