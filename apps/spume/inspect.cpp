// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <fmt/core.h>

#include "apps/spume/commands.h"
#include "apps/spume/places.h"
#include "apps/spume/words.h"
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

void print_state(const Json& stats, int dimensions) {
    fmt::print(
        "last frame: {} bubbles, {} voxels in {} tiles, {} substeps, {} pressure iterations\n",
        count_in(stats, "bubbles"), count_in(stats, "voxels"), count_in(stats, "tiles"),
        count_in(stats, "substeps"), count_in(stats.at("pressure"), "iterations"));
    const Json& air = stats.at("air");
    const char* unit = dimensions == 2 ? "m^2" : "m^3";
    fmt::print("air: {:.4g} {} emitted, {:.4g} {} in bubbles, {:.4g} {} left, drift {:.2g} %\n",
               air.value("emitted", 0.0), unit, air.value("bubbles", 0.0), unit,
               air.value("left", 0.0), unit, 100 * air.value("drift", 0.0));
    fmt::print("liquid: {:.4g} {}, drift {:.2g} %\n", stats.value("liquid_volume", 0.0), unit,
               100 * stats.value("liquid_drift", 0.0));
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
        print_state(parse_json(last.stats, commit_path(last.frame)), last.dimensions);
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

/// Names and titles.
void print_scenes(FileSystem& files, const std::string& folder) {
    std::vector<std::string> names;
    std::size_t width = 0;
    for (const std::string& name : files.list(folder))
        if (name.ends_with(".toml")) {
            names.push_back(name.substr(0, name.size() - 5));
            width = std::max(width, names.back().size());
        }
    for (const std::string& name : names)
        fmt::print("{:<{}}  {}\n", name, width, title_of(files, join_path(folder, name + ".toml")));
}

/// Sections have no rows of their own here.
bool is_key(const ParamRow& row) {
    return row.kind != ParamRow::Kind::kSection && row.kind != ParamRow::Kind::kList;
}

/// Rows about one key, wherever there is one of that name.
std::vector<ParamRow> rows_named(const std::string& name,
                                 const std::vector<std::vector<ParamRow>>& tables) {
    std::vector<ParamRow> found;
    for (const std::vector<ParamRow>& rows : tables)
        for (const ParamRow& row : rows)
            if (is_key(row) && (row.name == name || row.table + "." + row.name == name))
                found.push_back(row);
    return found;
}

/// A key on its own, under the name of its table.
std::string text_of(const ParamRow& row) {
    ParamRow alone = row;
    alone.table.clear();
    return (row.table.empty() ? "" : "[" + row.table + "]\n") + reference_text({alone});
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
    if (!holds_cache(*files, directory))
        throw error_in_file(directory, "not a cache: no manifest.json and no frames in it",
                            "name the -o of a run");
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
    if (what == "scenes") print_scenes(*files, scenes);
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
    all.push_back(scene_params(methods()[0].name));
    const std::vector<ParamRow> rows = rows_named(name, all);
    for (const ParamRow& row : rows) fmt::print("{}", text_of(row));
    if (!rows.empty()) return 0;
    std::vector<std::string> words{"scene", "reference"};
    for (const MethodEntry& method : methods()) words.emplace_back(method.name);
    for (const auto& table : all)
        for (const ParamRow& row : table) words.push_back(row.name);
    throw UserError(fmt::format("there is no help about '{}'", name) + meant(name, words),
                    "there is: " + known + ", and each key of a scene");
}

}  // namespace spume
