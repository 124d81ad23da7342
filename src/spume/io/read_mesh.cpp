// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/read_mesh.h"

#include "spume/io/obj.h"
#include "spume/io/ply.h"

namespace spume {
namespace {
constexpr std::uint64_t kMostBytes = std::uint64_t(4) << 30;
}

ReadMesh read_mesh(FileSystem& files, const std::string& path) {
    std::string bytes;
    try {
        bytes = read_file(files, path, kMostBytes);
    } catch (const FileError& error) {
        throw error_in_file(path, error.what(), "give the path of a .ply or .obj file");
    }
    if (path.ends_with(".ply")) return {decode_ply_mesh(bytes, path), hash_of(bytes)};
    if (path.ends_with(".obj")) return {decode_obj(bytes, path), hash_of(bytes)};
    throw error_in_file(path, "neither .ply nor .obj", "export the mesh in one of these formats");
}

}  // namespace spume
