// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/read_frame.h"

#include <algorithm>
#include <map>

#include "spume/io/ply.h"
#include "spume/io/vdb.h"

namespace spume {

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t(64) << 30;

struct NamedFile {
    std::string folder, name, extension;
};

/// points/bubbles.0012.ply; the frame's number may be missing.
NamedFile parts_of(const std::string& path) {
    const std::string file = name_of(path);
    const std::size_t first = file.find('.'), last = file.rfind('.');
    NamedFile parts;
    parts.folder = path.substr(0, path.find('/'));
    parts.name = file.substr(0, first);
    parts.extension = last == std::string::npos ? "" : file.substr(last + 1);
    return parts;
}

std::string checked_bytes(FileSystem& files, const std::string& path, const FrameFile& file) {
    if (!files.facts(path))
        throw error_in_file(path, "is missing", "`spume run --resume` makes damaged frames again");
    std::string bytes = read_file(files, path, kMostBytes);
    if (bytes.size() != file.stamp.bytes || hash_of(bytes) != file.stamp.hash)
        throw error_in_file(path, "its content has changed since it was written",
                            "`spume run --resume` makes damaged frames again");
    return bytes;
}

/// One file a name: PLY before VDB, which is slower to read.
std::map<std::string, const FrameFile*> chosen(const CommitRecord& record,
                                               const std::string& folder) {
    std::map<std::string, const FrameFile*> found;
    for (const FrameFile& file : record.files) {
        const NamedFile parts = parts_of(file.path);
        if (parts.folder != folder) continue;
        if (parts.extension == "ply" || (parts.extension == "vdb" && !found.count(parts.name)))
            found[parts.name] = &file;
    }
    return found;
}

}  // namespace

std::vector<std::string> volume_names(const CommitRecord& record) {
    std::vector<std::string> names;
    for (const auto& [name, file] : chosen(record, "volumes")) names.push_back(name);
    return names;
}

Frame read_frame(FileSystem& files, const std::string& directory, const CommitRecord& record,
                 const FrameContents& contents, std::vector<Complaint>& problems) {
    Frame frame;
    frame.number = record.frame;
    frame.time = record.time;
    if (record.dimensions != 0) frame.dimensions = record.dimensions;
    frame.free_surface = record.free_surface;
    frame.bodies = record.bodies;
    auto each = [&](const char* folder, auto&& take) {
        for (const auto& [name, file] : chosen(record, folder)) {
            const std::string path = join_path(directory, file->path);
            try {
                take(name, path, *file);
            } catch (const UserError& error) {
                for (Complaint c : error.complaints()) {
                    if (c.place.file.empty()) c.place.file = path;
                    problems.push_back(std::move(c));
                }
            } catch (const FileError& error) {
                Complaint complaint;
                complaint.place.file = path;
                complaint.message = error.what();
                complaint.remedy = "make the file readable";
                problems.push_back(std::move(complaint));
            }
        }
    };
    if (contents.points)
        each("points", [&](const std::string& name, const std::string& path, const FrameFile& f) {
            const auto& sets = contents.point_sets;
            if (!sets.empty() && std::find(sets.begin(), sets.end(), name) == sets.end()) return;
            const std::string bytes = checked_bytes(files, path, f);
            frame.points.push_back(path.ends_with(".ply") ? decode_ply_points(bytes, path)
                                                          : decode_vdb_points(bytes, path));
            frame.points.back().name = name;
        });
    if (contents.meshes)
        each("mesh", [&](const std::string& name, const std::string& path, const FrameFile& f) {
            frame.meshes.push_back({name, decode_ply_mesh(checked_bytes(files, path, f), path)});
        });
    if (!contents.volumes.empty())
        each("volumes", [&](const std::string& name, const std::string& path, const FrameFile& f) {
            if (std::find(contents.volumes.begin(), contents.volumes.end(), name) ==
                contents.volumes.end())
                return;
            frame.volumes.push_back(decode_vdb_volume(checked_bytes(files, path, f), path));
            frame.volumes.back().name = name;
        });
    return frame;
}

}  // namespace spume
