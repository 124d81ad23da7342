// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "spume/geometry/mesh_sequence.h"

namespace spume {

/// A mesh, or one that deforms, as it is in its first frame.
struct LibraryMesh {
    std::shared_ptr<const MeshDistance> mesh;
    std::shared_ptr<const MeshSequence> sequence;  ///< none: it stays as it is
    double fps = 24;                               ///< of the sequence, unless a shape has its own

    LibraryMesh() = default;
    template <class Mesh>
    LibraryMesh(std::shared_ptr<Mesh> still) : mesh(std::move(still)) {}
    LibraryMesh(std::shared_ptr<const MeshSequence> deforming, double frames_a_second)
        : mesh(deforming->at(0)->mesh), sequence(std::move(deforming)), fps(frames_a_second) {}
};

/// Meshes named in a scene, by the path that stands there.
using MeshLibrary = std::map<std::string, LibraryMesh>;

}  // namespace spume
