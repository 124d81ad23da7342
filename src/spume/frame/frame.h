// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "spume/core/array.h"
#include "spume/core/vec.h"
#include "spume/geometry/mesh.h"
#include "spume/geometry/pose.h"

namespace spume {

/// What a volume means to the program that opens it.
enum class VolumeKind { kScalar, kFog, kLevelSet, kStaggered };

/// A sparse grid: tiles of `side` cells, each a flat block of values, last axis fastest. A 2D grid
/// is one voxel thick in z (side[2] = 1). kStaggered holds three values a voxel, those of its lower
/// x, y and z face. Cell (i, j, k) has its centre at origin + (i + ½, j + ½, k + ½) · voxel.
struct Volume {
    std::string name, unit;
    VolumeKind kind = VolumeKind::kScalar;
    double voxel = 1;
    Vec<double, 3> origin{};
    Vec<int, 3> side{8, 8, 8};
    float background = 0;
    Array<Vec<int, 3>> tiles;          ///< lower corner of each tile, in cells
    int components = 1;                ///< 3 for kStaggered
    std::vector<Array<float>> values;  ///< one array a component, tiles in order
};

using Column =
    std::variant<Array<float>, Array<Vec<float, 3>>, Array<std::int32_t>, Array<std::uint64_t>>;
struct NamedColumn {
    std::string name, unit;
    Column values;
};

/// Points with named columns: v, id, pscale, age, life, type, density (those that apply).
struct PointSet {
    std::string name;
    Array<Vec<double, 3>> position;
    std::vector<NamedColumn> columns;

    std::size_t size() const { return position.size(); }
    const NamedColumn* find(const std::string& column) const;
};

struct NamedMesh {
    std::string name;
    TriangleMesh mesh;
};

/// Where a body is that the simulation moves: a solid of the scene, by its place there.
struct BodyPose {
    int solid = 0;
    Pose pose;    ///< of the shape's own frame
    Twist twist;  ///< of the pose's position
};

/// One frame of any method: the waist between simulators and everything that shows their results.
struct Frame {
    int number = 0;
    double time = 0;
    int dimensions = 3;
    bool free_surface = false;  ///< "surface" is that of a liquid with air around it
    std::vector<Volume> volumes;
    std::vector<PointSet> points;
    std::vector<NamedMesh> meshes;
    std::vector<BodyPose> bodies;
};

}  // namespace spume
