// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <fmt/core.h>

#include "apps/spume/commands.h"
#include "apps/spume/places.h"
#include "spume/io/checkpoint.h"
#include "spume/io/commit.h"
#include "spume/io/json_members.h"
#include "spume/io/ply.h"
#include "spume/io/probe_vdb.h"
#include "spume/io/read_mesh.h"
#include "spume/scene/reference.h"

namespace spume {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t(4) << 30;

void print_files(const std::vector<FrameFile>& list) {
    for (const FrameFile& file : list)
        fmt::print("  {}  {}\n", file.path, bytes_in_words(file.stamp.bytes));
}

std::int64_t count_in(const Json& stats, const char* name) {
    return stats.contains(name) ? read_member<std::int64_t>(stats, name, "stats.jsonl") : 0;
}

void print_state(const Json& stats) {
    fmt::print(
        "last frame: {} bubbles, {} voxels in {} tiles, {} substeps, {} pressure iterations\n",
        count_in(stats, "bubbles"), count_in(stats, "voxels"), count_in(stats, "tiles"),
        count_in(stats, "substeps"), count_in(stats.at("pressure"), "iterations"));
    const Json& air = stats.at("air");
    fmt::print("air: {:.4g} emitted, {:.4g} in bubbles, {:.4g} left, drift {:.2g}\n",
               air.value("emitted", 0.0), air.value("bubbles", 0.0), air.value("left", 0.0),
               air.value("drift", 0.0));
    fmt::print("liquid: {:.4g}, drift {:.2g}\n", stats.value("liquid_volume", 0.0),
               stats.value("liquid_drift", 0.0));
}

int info_of_cache(FileSystem& files, const std::string& directory) {
    const auto manifest = read_manifest(files, directory);
    if (!manifest)
        throw UserError(directory + " is not a cache", "name the -o of a run, or a file");
    const auto frames = committed_frames(files, directory);
    fmt::print("{}: method {}, preset {}, Spume {}, seed {}, {} frames a second\n", directory,
               manifest->method, manifest->preset, manifest->version, manifest->seed,
               manifest->fps);
    fmt::print("frames {} to {} asked for, {} there{}\n", manifest->first_frame,
               manifest->last_frame, frames.size(), manifest->complete ? ", complete" : "");
    for (const std::string& text : manifest->breaks) fmt::print("broken: {}\n", text);
    for (const auto& [name, hash] : manifest->inputs) fmt::print("input {}\n", name);
    std::uint64_t total = 0;
    for (int frame : frames)
        for (const FrameFile& file : read_commit(files, directory, frame).files)
            total += file.stamp.bytes;
    if (!frames.empty()) {
        const CommitRecord last = read_commit(files, directory, frames.back());
        fmt::print("{} in all; frame {} at {:.4g} s:\n", bytes_in_words(total), last.frame,
                   last.time);
        print_files(last.files);
        print_state(parse_json(last.stats, commit_path(last.frame)));
    }
    for (const std::string& name : list_checkpoints(files, directory))
        fmt::print("checkpoint {}\n", name);
    return 0;
}

int info_of_ply(FileSystem& files, const std::string& path) {
    const std::string bytes = read_file(files, path, kMostBytes);
    const PointSet points = decode_ply_points(bytes, path);
    const TriangleMesh mesh = decode_ply_mesh(bytes, path);
    fmt::print("{}: {} points, {} triangles, columns", path, points.size(), mesh.triangles.size());
    for (const NamedColumn& column : points.columns) fmt::print(" {}", column.name);
    fmt::print("\n");
    return 0;
}

}  // namespace

int info_command(const std::string& path) {
    const auto files = make_posix_file_system();
    const auto facts = files->facts(path);
    if (!facts) throw error_in_file(path, "no such file or directory", "name a cache or a file");
    if (facts->directory) return info_of_cache(*files, path);
    if (path.ends_with(".vdb")) {
        fmt::print("{}", probe_vdb({"/proc/self/exe", "describe-vdb"}, path));
        return 0;
    }
    if (path.ends_with(".ply")) return info_of_ply(*files, path);
    if (path.ends_with(".obj")) {
        const TriangleMesh mesh = read_mesh(*files, path).mesh;
        fmt::print("{}: {} vertices, {} triangles\n", path, mesh.vertices.size(),
                   mesh.triangles.size());
        return 0;
    }
    throw error_in_file(path, "neither .vdb, .ply nor .obj", "name a cache or such a file");
}

int verify_command(const std::string& directory) {
    const auto files = make_posix_file_system();
    const auto facts = files->facts(directory);
    if (!facts || !facts->directory)
        throw error_in_file(directory, "no such directory", "name the -o of a run");
    std::vector<Complaint> complaints;
    for (const Damage& d : check_cache(*files, directory)) {
        Complaint complaint;
        complaint.place.file = join_path(directory, d.path);
        complaint.message = d.what;
        complaint.remedy = "`spume run --resume` makes damaged frames again";
        complaints.push_back(std::move(complaint));
    }
    if (!complaints.empty()) throw UserError(std::move(complaints));
    fmt::print("{} frames, all as they were written\n", committed_frames(*files, directory).size());
    return 0;
}

int list_command(const std::string& what) {
    const auto files = make_posix_file_system();
    const std::string scenes = scenes_folder(*files);
    if (what == "methods")
        for (const MethodEntry& method : methods())
            fmt::print("{}  {}\n", method.name, method.summary);
    if (what == "scenes")
        for (const std::string& name : files->list(scenes))
            if (name.ends_with(".toml")) fmt::print("{}\n", name.substr(0, name.size() - 5));
    if (what == "presets")
        for (const std::string& name : files->list(scenes)) {
            if (!name.ends_with(".toml")) continue;
            std::string presets;
            for (const std::string& preset : presets_of(*files, join_path(scenes, name)))
                presets += " " + preset;
            fmt::print("{} {}\n", name.substr(0, name.size() - 5), presets);
        }
    return 0;
}

int help_command(const std::string& name) {
    std::string known = "scene, reference";
    std::vector<std::vector<ParamRow>> all;
    for (const MethodEntry& method : methods()) {
        known += std::string(", ") + method.name;
        MethodParams params = method.defaults();
        auto body = [&](ParamVisitor& v) {
            v.section(method.name, method.summary,
                      [&](ParamVisitor& inner) { describe(params, inner); });
        };
        all.push_back(list_params(body));
        if (name != method.name) continue;
        fmt::print("{}", reference_text(all.back()));
        return 0;
    }
    if (name == "scene" || name == "reference") {
        fmt::print("{}", name == "scene" ? reference_text(scene_params(methods()[0].name)) + "\n" +
                                               reference_text(sweep_params())
                                         : scene_reference(all));
        return 0;
    }
    throw UserError(fmt::format("there is no help about '{}'", name), "there is: " + known);
}

}  // namespace spume
