// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/commit.h"

#include <algorithm>
#include <charconv>

#include <fmt/core.h>

#include "spume/io/json_members.h"

namespace spume {
namespace {

constexpr std::uint64_t kMostRecordBytes = std::uint64_t(16) << 20;

/// Only files of the cache itself: a record must not send `verify` or `--overwrite` elsewhere.
bool is_inside(const std::string& path) {
    return !path.empty() && path[0] != '/' && path.find("..") == std::string::npos &&
           path.find('\0') == std::string::npos;
}

FrameFile decode_file(const Json& item, const std::string& file) {
    FrameFile out;
    out.path = read_member<std::string>(item, "path", file);
    out.stamp.bytes = read_member<std::uint64_t>(item, "bytes", file);
    const auto hash = Hash128::from_hex(read_member<std::string>(item, "hash", file));
    if (!hash || !is_inside(out.path))
        throw error_in_file(file, "names an impossible file", "restore the record from a copy");
    out.stamp.hash = *hash;
    return out;
}

Json encode_vector(const Vec<double, 3>& v) { return Json::array({v[0], v[1], v[2]}); }

Vec<double, 3> decode_vector(const Json& json) {
    return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

Json encode_body(const BodyPose& body) {
    const Quaternion q = Quaternion::from_rotation(body.pose.rotation);
    return {{"solid", body.solid},
            {"position", encode_vector(body.pose.position)},
            {"rotation", Json::array({q.w, q.x, q.y, q.z})},
            {"velocity", encode_vector(body.twist.linear)},
            {"spin", encode_vector(body.twist.angular)}};
}

BodyPose decode_body(const Json& json, const std::string& file) {
    BodyPose body;
    read_member(json, "solid", body.solid, file);
    const Json& q = json.at("rotation");
    body.pose.rotation = Quaternion{q.at(0).get<double>(), q.at(1).get<double>(),
                                    q.at(2).get<double>(), q.at(3).get<double>()}
                             .rotation();
    body.pose.position = decode_vector(json.at("position"));
    body.twist = {decode_vector(json.at("velocity")), decode_vector(json.at("spin"))};
    return body;
}

}  // namespace

std::string commit_path(int frame) { return fmt::format("frames/{:04}.json", frame); }

std::string encode_commit(const CommitRecord& record) {
    Json json;
    json["frame"] = record.frame;
    json["time"] = record.time;
    if (record.dimensions != 0) {
        json["dimensions"] = record.dimensions;
        json["free_surface"] = record.free_surface;
    }
    json["files"] = Json::array();
    for (const FrameFile& file : record.files)
        json["files"].push_back(
            {{"path", file.path}, {"bytes", file.stamp.bytes}, {"hash", file.stamp.hash.hex()}});
    if (!record.bodies.empty()) {
        json["bodies"] = Json::array();
        for (const BodyPose& body : record.bodies) json["bodies"].push_back(encode_body(body));
    }
    json["stats"] = record.stats;
    return seal(std::move(json));
}

CommitRecord decode_commit(std::string_view text, const std::string& file, int frame) {
    const Json json = unseal(text, file);
    CommitRecord record;
    try {
        read_member(json, "frame", record.frame, file);
        read_member(json, "time", record.time, file);
        read_member(json, "stats", record.stats, file);
        if (json.contains("dimensions")) {
            read_member(json, "dimensions", record.dimensions, file);
            read_member(json, "free_surface", record.free_surface, file);
            if (record.dimensions != 2 && record.dimensions != 3)
                throw error_in_file(file, fmt::format("{} dimensions", record.dimensions),
                                    "restore the record from a copy");
        }
        for (const Json& item : json.at("files")) record.files.push_back(decode_file(item, file));
        if (json.contains("bodies"))
            for (const Json& item : json.at("bodies"))
                record.bodies.push_back(decode_body(item, file));
    } catch (const nlohmann::json::exception& error) {
        throw error_in_file(file, error.what(), "written by another version of Spume");
    }
    if (record.frame != frame)
        throw error_in_file(file, fmt::format("is the record of frame {}", record.frame),
                            "two files were exchanged: put them back");
    return record;
}

void write_commit(FileSystem& files, const std::string& directory, const CommitRecord& record) {
    write_file(files, join_path(directory, commit_path(record.frame)), encode_commit(record));
}

CommitRecord read_commit(FileSystem& files, const std::string& directory, int frame) {
    const std::string path = join_path(directory, commit_path(frame));
    return decode_commit(read_file(files, path, kMostRecordBytes), path, frame);
}

void amend_commit(FileSystem& files, const std::string& directory, int frame,
                  const FrameFile& picture) {
    CommitRecord record = read_commit(files, directory, frame);
    for (FrameFile& file : record.files) {
        if (file.path != picture.path || file.stamp == picture.stamp) continue;
        file.stamp = picture.stamp;
        write_commit(files, directory, record);
    }
}

void complete(CommitRecord& record, const Scene& scene) {
    if (record.dimensions != 0) return;
    record.dimensions = scene.domain.dimensions;
    record.free_surface = !scene.liquids.empty();
}

std::vector<int> committed_frames(FileSystem& files, const std::string& directory) {
    std::vector<int> frames;
    const std::string folder = join_path(directory, "frames");
    if (!files.facts(folder)) return frames;
    for (const std::string& name : files.list(folder)) {
        int frame = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), frame);
        if (error == std::errc() && name == name_of(commit_path(frame))) frames.push_back(frame);
    }
    std::sort(frames.begin(), frames.end());
    return frames;
}

std::vector<Damage> check_frame(FileSystem& files, const std::string& directory, int frame) {
    std::vector<Damage> found;
    CommitRecord record;
    try {
        record = read_commit(files, directory, frame);
    } catch (const UserError& error) {
        found.push_back({frame, commit_path(frame), error.complaints()[0].message});
        return found;
    } catch (const FileError& error) {
        found.push_back({frame, commit_path(frame), error.what()});
        return found;
    }
    for (const FrameFile& file : record.files) {
        try {
            const FileStamp stamp = stamp_of_file(files, join_path(directory, file.path));
            if (stamp.bytes != file.stamp.bytes)
                found.push_back(
                    {frame, file.path,
                     fmt::format("{} bytes instead of {}", stamp.bytes, file.stamp.bytes)});
            else if (stamp.hash != file.stamp.hash)
                found.push_back({frame, file.path, "its content has changed"});
        } catch (const FileError& error) {
            found.push_back({frame, file.path, error.what()});
        }
    }
    return found;
}

}  // namespace spume
