// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/write_frame.h"

#include <fmt/core.h>

#include "spume/frame/mesh_columns.h"
#include "spume/io/ply.h"
#include "spume/io/vdb.h"
#include "spume/io/vtk.h"

namespace spume {
namespace {

/// One line a format: which scenes want it, and what it can hold.
struct Format {
    const char* extension;
    bool Output::*wanted;
    std::string (*volume)(const Volume&, const VdbOptions&);
    std::string (*points)(const PointSet&, const VdbOptions&);
    std::string (*mesh)(const TriangleMesh&, const std::vector<NamedColumn>&);
};

const Format kFormats[] = {
    {"vdb", &Output::vdb, [](const Volume& v, const VdbOptions& o) { return encode_vdb(v, o); },
     [](const PointSet& p, const VdbOptions& o) { return encode_vdb(p, o); }, nullptr},
    {"ply", &Output::ply, nullptr,
     [](const PointSet& p, const VdbOptions&) { return encode_ply(p); },
     [](const TriangleMesh& m, const std::vector<NamedColumn>& c) { return encode_ply(m, c); }},
    {"vti", &Output::vtk, [](const Volume& v, const VdbOptions&) { return encode_vti(v); }, nullptr,
     nullptr},
    {"vtp", &Output::vtk, nullptr,
     [](const PointSet& p, const VdbOptions&) { return encode_vtp(p); },
     [](const TriangleMesh& m, const std::vector<NamedColumn>& c) { return encode_vtp(m, c); }},
};

}  // namespace

std::string frame_file_name(const std::string& name, int frame, const std::string& extension) {
    return fmt::format("{}.{:04}.{}", name, frame, extension);
}

std::vector<FrameFile> write_frame(FileSystem& files, const std::string& directory,
                                   const Frame& frame, const Output& output) {
    VdbOptions options;
    options.half = output.half;
    // The bubbles' own grid: a point file's leaves then cover what the solver's tiles cover.
    if (!frame.volumes.empty()) options.point_voxel = frame.volumes[0].voxel;
    std::vector<FrameFile> written;
    auto write = [&](const char* folder, const std::string& name, const Format& format,
                     const std::string& bytes) {
        const std::string path =
            join_path(folder, frame_file_name(name, frame.number, format.extension));
        written.push_back({path, write_file(files, join_path(directory, path), bytes)});
    };
    for (const Format& format : kFormats) {
        if (!(output.*format.wanted)) continue;
        if (format.volume)
            for (const Volume& volume : frame.volumes)
                write("volumes", volume.name, format, format.volume(volume, options));
        if (format.points)
            for (const PointSet& points : frame.points)
                write("points", points.name, format, format.points(points, options));
        if (format.mesh)
            for (const NamedMesh& mesh : frame.meshes)
                write("mesh", mesh.name, format, format.mesh(mesh.mesh, mesh_columns(frame, mesh)));
    }
    return written;
}

}  // namespace spume
