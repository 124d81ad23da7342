// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/read_mesh.h"

#include <variant>

#include <fmt/core.h>

#include "spume/io/bobj.h"
#include "spume/io/foreign_place.h"
#include "spume/io/gzip.h"
#include "spume/io/obj.h"
#include "spume/io/ply.h"
#include "spume/io/probe_vdb.h"

namespace spume {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t(4) << 30;
constexpr const char* kFormats = "export the mesh as .ply, .obj or .bobj, or its level set as .vdb";

ReadMesh read_ply(const std::string& bytes, const std::string& path) {
    std::vector<NamedColumn> columns;
    ReadMesh r{decode_ply_mesh(bytes, path, &columns), {}, {}};
    for (const NamedColumn& column : columns)
        if (const auto* v = std::get_if<Array<Vec<float, 3>>>(&column.values);
            v && column.name == "v" && v->size() == r.mesh.vertices.size())
            r.velocity.assign(v->read().begin(), v->read().end());
    return r;
}

/// The surface of a level set that another program wrote, in metres where Mantaflow's config files
/// of the sequence say where it lies.
ReadMesh read_level_set(FileSystem& files, const std::string& path, const FileSequence& sequence,
                        int number, const std::string& grid,
                        const std::vector<std::string>& reader) {
    ForeignRequest request;
    request.surface = grid;
    request.use = ForeignUse::kSolid;
    const ForeignFrame raw = read_foreign(reader, path, request, {.seconds = 60});
    const ForeignPlace place = place_of(files, raw, sequence, number, {});
    ReadMesh r;
    r.hash = hash_of(read_file(files, path, kMostBytes));
    for (const auto& x : raw.vertices.read())
        r.mesh.vertices.push_back(place.of_grid(raw, x.as<double>()));
    r.mesh.triangles.assign(raw.triangles.read().begin(), raw.triangles.read().end());
    return r;
}

}  // namespace

ReadMesh read_mesh(FileSystem& files, const std::string& path) {
    if (path.ends_with(".vdb") && files.facts(path))
        return read_level_set(files, path, {}, 0, {}, {});
    std::string bytes;
    try {
        bytes = read_file(files, path, kMostBytes);
    } catch (const FileError& error) {
        throw error_in_file(path, error.what(),
                            "give the path of a .ply, .obj, .bobj or .vdb file");
    }
    const Hash128 hash = hash_of(bytes);
    if (path.ends_with(".gz"))
        bytes = unzipped(bytes, kMostBytes, path, "the file is damaged or half copied");
    const auto is = [&](const char* end) {
        return path.ends_with(end) || path.ends_with(std::string(end) + ".gz");
    };
    ReadMesh r;
    if (is(".ply"))
        r = read_ply(bytes, path);
    else if (is(".obj"))
        r.mesh = decode_obj(bytes, path);
    else if (is(".bobj"))
        r.mesh = decode_bobj(bytes, path);
    else
        throw error_in_file(path, "neither .ply nor .obj nor .bobj nor .vdb", kFormats);
    r.hash = hash;
    return r;
}

ReadMesh read_sequence_mesh(FileSystem& files, const FileSequence& sequence, int number,
                            const std::string& grid, const std::vector<std::string>& reader) {
    const std::string path = sequence.file(number);
    const auto facts = files.facts(path);
    if (!facts || facts->bytes == 0)
        throw error_in_file(path, facts ? "has no bytes" : "no such file",
                            "write this frame of the sequence again");
    if (sequence.suffix == ".vdb")
        return read_level_set(files, path, sequence, number, grid, reader);
    ReadMesh r = read_mesh(files, path);
    const std::string beside = join_path(directory_of(path), "velocity" + name_of(path));
    if (!sequence.suffix.starts_with(".bobj") || !files.facts(beside)) return r;
    std::string bytes = read_file(files, beside, kMostBytes);
    if (is_gzip(bytes))
        bytes = unzipped(bytes, kMostBytes, beside, "the file is damaged or half copied");
    r.velocity = decode_bobj_vectors(bytes, beside);
    if (r.velocity.size() != r.mesh.vertices.size())
        throw error_in_file(beside,
                            fmt::format("holds {} velocities for {} vertices", r.velocity.size(),
                                        r.mesh.vertices.size()),
                            "write the surface and its velocities together");
    return r;
}

}  // namespace spume
