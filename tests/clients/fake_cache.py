# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
"""Caches written by hand, for tests that know what must be seen. Needs numpy only."""

import json
import os

import numpy

POINT = numpy.dtype([(n, "<f4") for n in ("x", "y", "z", "vx", "vy", "vz", "pscale", "age", "life")]
                    + [("type", "<i4"), ("id_lo", "<u4"), ("id_hi", "<u4"), ("density", "<f4")])
WORDS = {"f": "float", "i": "int", "u": "uint"}


def ply_points(points):
    """`points`: dictionaries with x, y, z, pscale …; what is left out is 0."""
    table = numpy.zeros(len(points), POINT)
    for row, point in zip(table, points):
        for name, value in point.items():
            row[name] = value
    head = f"ply\nformat binary_little_endian 1.0\nelement vertex {len(table)}\n"
    head += "".join(f"property {WORDS[POINT[n].kind]} {n}\n" for n in POINT.names)
    return (head + "end_header\n").encode() + table.tobytes()


def ply_mesh(vertices, triangles, velocity=None):
    """`velocity`: that of all vertices."""
    faces = numpy.zeros(len(triangles), [("n", "u1"), ("v", "<i4", (3,))])
    faces["n"], faces["v"] = 3, numpy.reshape(triangles, (-1, 3))
    head = (f"ply\nformat binary_little_endian 1.0\nelement vertex {len(vertices)}\n"
            "property float x\nproperty float y\nproperty float z\n"
            + ("property float vx\nproperty float vy\nproperty float vz\n" if velocity else "") +
            f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n")
    rows = [list(v) + list(velocity or ()) for v in vertices]
    return head.encode() + numpy.asarray(rows, "<f4").tobytes() + faces.tobytes()


def write_cache(directory, frames, method="mixture", fps=24, **more):
    """`frames` maps a number to {path: bytes}."""
    for folder in ("frames", "points", "mesh", "volumes"):
        os.makedirs(os.path.join(directory, folder), exist_ok=True)
    with open(os.path.join(directory, "manifest.json"), "w", encoding="utf-8") as file:
        json.dump({"format": 1, "method": method, "fps": fps, "scene": "", **more}, file)
    for number, files in frames.items():
        for path, content in files.items():
            with open(os.path.join(directory, path), "wb") as file:
                file.write(content)
        record = {"frame": number, "time": number / fps,
                  "files": [{"path": p, "bytes": len(c)} for p, c in files.items()]}
        with open(os.path.join(directory, f"frames/{number:04d}.json"), "w", encoding="utf-8") as file:
            json.dump(record, file)
    return directory
