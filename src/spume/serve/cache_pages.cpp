// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/serve/cache_pages.h"

#include <charconv>

#include <nlohmann/json.hpp>

#include "spume/io/lock.h"
#include "spume/io/ply.h"
#include "spume/io/sealed_json.h"
#include "spume/io/vdb.h"
#include "spume/scene/parse.h"
#include "spume/serve/packet.h"

namespace spume {
namespace {

// One file at a time, whole in memory: what a browser could not hold anyway is refused.
constexpr std::uint64_t kMostFileBytes = std::uint64_t(1) << 30;
// As large as the program itself reads them.
constexpr std::uint64_t kMostRecordBytes = 16 << 20;
constexpr std::uint64_t kMostManifestBytes = 64 << 20;
constexpr std::uint64_t kLogBytes = 64 * 1024;
constexpr int kMostFramesAnswered = 500;
constexpr std::size_t kMostPoints = 20'000'000;

HttpResponse json_response(const Json& json) {
    HttpResponse r;
    r.type = "application/json; charset=utf-8";
    r.body = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    return r;
}

HttpResponse packet_response(std::string bytes) {
    HttpResponse r;
    r.type = "application/octet-stream";
    r.body = std::move(bytes);
    return r;
}

/// A number in the query: the whole text, within bounds, or nothing.
template <class T>
std::optional<T> number(const HttpRequest& request, const std::string& name, T least, T most) {
    const auto found = request.query.find(name);
    if (found == request.query.end()) return std::nullopt;
    const std::string& text = found->second;
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    if (!(value >= least && value <= most)) return std::nullopt;
    return value;
}

/// "points/bubbles.0012.vdb" → "bubbles"; empty when it is not in the folder.
std::string name_in(const std::string& folder, const std::string& path) {
    if (!path.starts_with(folder + "/")) return {};
    const std::string rest = path.substr(folder.size() + 1);
    return rest.substr(0, rest.find('.'));
}

Json names_of(const CommitRecord& record, const std::string& folder) {
    Json names = Json::array();
    for (const FrameFile& file : record.files) {
        const std::string name = name_in(folder, file.path);
        if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
    }
    return names;
}

Json stats_of(const CommitRecord& record) {
    try {
        return parse_json(record.stats, "stats");
    } catch (const UserError&) {
        return Json::object();
    }
}

}  // namespace

CachePages::CachePages(const std::string& directory)
    : directory_(directory), files_(directory), listing_(make_posix_file_system()) {}

std::vector<int> CachePages::committed() const {
    try {
        return committed_frames(*listing_, directory_);
    } catch (const MachineError&) {
        return {};  // the run has not made the folder yet
    }
}

std::optional<CommitRecord> CachePages::record(int frame) const {
    const auto text = files_.read(commit_path(frame), kMostRecordBytes);
    if (!text) return std::nullopt;
    try {
        return decode_commit(*text, commit_path(frame), frame);
    } catch (const UserError&) {
        return std::nullopt;
    }
}

std::optional<std::string> CachePages::content(const CommitRecord& record,
                                               const std::string& folder, const std::string& name,
                                               std::string& path) const {
    for (const FrameFile& file : record.files) {
        if (name_in(folder, file.path) != name) continue;
        if (!file.path.ends_with(".vdb") && !file.path.ends_with(".ply")) continue;
        auto bytes = files_.read(file.path, kMostFileBytes);
        if (!bytes || bytes->size() != file.stamp.bytes || hash_of(*bytes) != file.stamp.hash)
            continue;
        path = file.path;
        return bytes;
    }
    return std::nullopt;
}

std::optional<Manifest> CachePages::manifest(std::string& problem) const {
    const auto text = files_.read("manifest.json", kMostManifestBytes);
    if (!text) return std::nullopt;
    try {
        return decode_manifest(*text, "manifest.json");
    } catch (const UserError&) {
        problem = "the manifest is damaged";
        return std::nullopt;
    }
}

/// Once for each scene: its meshes are read.
void CachePages::look_for_solids(const Manifest& manifest) {
    if (manifest.scene == scene_) return;
    scene_ = manifest.scene;
    solids_ = {};
    camera_ = {};
    try {
        camera_ = camera_at(parse_scene(manifest.scene, "manifest.json").camera, 0);
        solids_ = SceneSolids(manifest);
    } catch (const std::exception&) {  // a scene of another version: all else can be shown
    }
}

HttpResponse CachePages::cache() {
    Json json;
    json["name"] = name_of(directory_);
    json["frames"] = committed();
    std::string problem;
    const std::optional<Manifest> m = manifest(problem);
    json["ready"] = m.has_value();
    if (!problem.empty()) json["problem"] = problem;
    if (!m) return json_response(json);
    look_for_solids(*m);
    json["method"] = m->method;
    json["preset"] = m->preset;
    json["fps"] = m->fps;
    json["first"] = m->first_frame;
    json["last"] = m->last_frame;
    json["complete"] = m->complete;
    json["running"] = is_locked(directory_);
    const auto &eye = camera_.position, &at = camera_.target;
    if (!camera_.automatic)
        json["camera"] = {{"position", {eye[0], eye[1], eye[2]}},
                          {"target", {at[0], at[1], at[2]}},
                          {"field_of_view", camera_.field_of_view}};
    json["scene"] = m->scene;
    json["solids"] = solids_.count();
    json["solids_move"] = solids_.move();
    return json_response(json);
}

HttpResponse CachePages::solids(const HttpRequest& request) const {
    const auto frame = number<int>(request, "frame", 0, 100'000'000);
    if (!frame) return refusal(400);
    const auto found = record(*frame);
    if (!found) return refusal(404);
    return packet_response(packet_of(solids_.at(found->time, found->bodies)));
}

HttpResponse CachePages::frames(const HttpRequest& request) const {
    const int after = number<int>(request, "after", -1, 100'000'000).value_or(-1);
    Json list = Json::array();
    for (const int frame : committed()) {
        if (frame <= after) continue;
        if (list.size() >= kMostFramesAnswered) break;
        const auto found = record(frame);
        if (!found) {
            list.push_back({{"frame", frame}, {"damaged", true}});
            continue;
        }
        list.push_back({{"frame", frame},
                        {"time", found->time},
                        {"points", names_of(*found, "points")},
                        {"meshes", names_of(*found, "mesh")},
                        {"volumes", names_of(*found, "volumes")},
                        {"stats", stats_of(*found)}});
    }
    return json_response({{"frames", list}});
}

HttpResponse CachePages::log() const {
    HttpResponse r;
    r.type = "text/plain; charset=utf-8";
    r.body = files_.read_end("log.txt", kLogBytes).value_or("");
    return r;
}

HttpResponse CachePages::packet(const HttpRequest& request) const {
    const auto frame = number<int>(request, "frame", 0, 100'000'000);
    const auto name = request.query.find("name");
    if (!frame || name == request.query.end() || name->second.empty()) return refusal(400);
    const auto found = record(*frame);
    if (!found) return refusal(404);
    const std::string what = request.path.substr(5);
    const std::string folder = what == "points" ? "points" : what == "mesh" ? "mesh" : "volumes";
    std::string path;
    const auto bytes = content(*found, folder, name->second, path);
    if (!bytes) return refusal(404);
    if (what == "points") {
        const auto limit = number<std::size_t>(request, "limit", 1, kMostPoints);
        return packet_response(packet_of(path.ends_with(".vdb") ? decode_vdb_points(*bytes, path)
                                                                : decode_ply_points(*bytes, path),
                                         limit.value_or(kMostPoints)));
    }
    if (what == "mesh") return packet_response(packet_of(decode_ply_mesh(*bytes, path)));
    const Volume volume = decode_vdb_volume(*bytes, path);
    if (what == "tiles") return packet_response(packet_of_tiles(volume));
    const SliceRequest slice{number<int>(request, "axis", 0, 2).value_or(2),
                             number<double>(request, "at", 0.0, 1.0).value_or(0.5),
                             number<int>(request, "component", -1, 2).value_or(-1)};
    return packet_response(packet_of_slice(volume, slice));
}

HttpResponse CachePages::answer(const HttpRequest& request) {
    const std::string& path = request.path;
    try {
        if (path == "/api/cache") return cache();
        if (path == "/api/frames") return frames(request);
        if (path == "/api/log") return log();
        if (path == "/api/solids") return solids(request);
        for (const char* known : {"/api/points", "/api/mesh", "/api/tiles", "/api/slice"})
            if (path == known) return packet(request);
    } catch (const std::exception&) {
        return refusal(500);  // without words: they could name files of this machine
    }
    return refusal(404);
}

}  // namespace spume
