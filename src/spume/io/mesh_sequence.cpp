// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/mesh_sequence.h"

#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "spume/core/error.h"
#include "spume/io/read_mesh.h"
#include "spume/scene/numbered_name.h"

namespace spume {
namespace {

constexpr const char* kSameFaces =
    "export the animation again with the same faces in every file: without modifiers that change "
    "them, and without remeshing";
constexpr std::size_t kMostVertices = std::size_t(1) << 28;

MeshSequence::Vertices positions(const ReadMesh& read, const std::string& file) {
    MeshSequence::Vertices r;
    for (const auto& x : read.mesh.vertices) {
        r.push_back(x.as<float>());
        for (int k = 0; k < 3; ++k)
            if (!std::isfinite(r.back()[k]))
                throw error_in_file(file,
                                    fmt::format("vertex {} has a coordinate that is not a finite "
                                                "number",
                                                r.size() - 1),
                                    "repair the mesh in the program that wrote it");
    }
    return r;
}

/// Level sets have other faces in every frame.
SceneMesh read_level_sets(FileSystem& files, const std::string& path, const FileSequence& names,
                          double fps, MeshUse use) {
    std::vector<TriangleMesh> frames;
    std::size_t vertices = 0;
    Hasher hasher;
    for (int n = names.first; n <= names.last; ++n) {
        ReadMesh read = read_sequence_mesh(files, names, n);
        hasher.add(read.hash.hex());
        positions(read, names.file(n));
        if (read.mesh.triangles.empty())
            throw error_in_file(names.file(n), "the level set has no surface",
                                "let the sequence begin and end with frames in which the solid is");
        vertices += read.mesh.vertices.size();
        frames.push_back(std::move(read.mesh));
        if (vertices > kMostVertices)
            throw error_in_file(
                path, fmt::format("has more than {} vertices in all its files", kMostVertices),
                "write coarser level sets or fewer frames");
    }
    SceneMesh r;
    r.mesh = LibraryMesh(std::make_shared<const MeshSequence>(frames, use), fps);
    r.hash = hasher.result();
    return r;
}

SceneMesh read_sequence(FileSystem& files, const std::string& path, double fps, MeshUse use) {
    const FileSequence names = sequence_of_name(files, path);
    if (names.suffix == ".vdb") return read_level_sets(files, path, names, fps, use);
    std::vector<Vec<std::int32_t, 3>> faces;
    std::vector<MeshSequence::Vertices> frames;
    Hasher hasher;
    for (int n = names.first; n <= names.last; ++n) {
        const std::string file = names.file(n);
        const ReadMesh read = read_sequence_mesh(files, names, n);
        hasher.add(read.hash.hex());
        if (n == names.first) faces = read.mesh.triangles;
        if (read.mesh.triangles != faces ||
            (!frames.empty() && read.mesh.vertices.size() != frames[0].size()))
            throw error_in_file(
                file,
                fmt::format("has {} vertices and {} faces that are not those of {}, with {} and {}",
                            read.mesh.vertices.size(), read.mesh.triangles.size(),
                            names.file(names.first), frames[0].size(), faces.size()),
                kSameFaces);
        frames.push_back(positions(read, file));
        if (frames.size() * frames[0].size() > kMostVertices)
            throw error_in_file(
                path, fmt::format("has more than {} vertices in all its files", kMostVertices),
                "export fewer faces or fewer frames");
    }
    auto sequence = std::make_shared<const MeshSequence>(std::move(faces), std::move(frames), use);
    SceneMesh r;
    r.mesh = LibraryMesh(std::move(sequence), fps);
    r.hash = hasher.result();
    return r;
}

}  // namespace

SceneMesh read_scene_mesh(FileSystem& files, const std::string& path, double fps, MeshUse use) {
    SceneMesh r;
    if (names_sequence(path)) {
        r = read_sequence(files, path, fps, use);
    } else {
        const ReadMesh read = read_mesh(files, path);
        r.mesh = std::make_shared<const MeshDistance>(read.mesh, use);
        r.hash = read.hash;
    }
    r.warnings = r.mesh.mesh->warnings();
    return r;
}

std::optional<std::string> missing_mesh(FileSystem& files, const std::string& path) {
    if (!names_sequence(path)) {
        if (files.facts(path)) return std::nullopt;
        return fmt::format("cannot read {}: error: no such file", path);
    }
    try {
        const FileSequence names = sequence_of_name(files, path);
        for (int n = names.first; n <= names.last; ++n)
            if (!files.facts(names.file(n)))
                return fmt::format("{}: no file {} of the sequence from {} to {}", path,
                                   name_of(names.file(n)), names.first, names.last);
    } catch (const UserError&) {
        return fmt::format("{}: no file of that name and a number is there", path);
    }
    return std::nullopt;
}

}  // namespace spume
