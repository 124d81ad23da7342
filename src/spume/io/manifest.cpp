// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/manifest.h"

#include <fmt/core.h>

#include "spume/io/atomic_file.h"
#include "spume/io/json_members.h"
#include "spume/scene/print.h"

namespace spume {
namespace {

constexpr int kFormat = 1;
constexpr std::uint64_t kMostBytes = std::uint64_t(64) << 20;
constexpr const char* kName = "manifest.json";

template <class T>
void compare(std::vector<std::string>& out, const char* what, const T& before, const T& now) {
    if (before != now) out.push_back(fmt::format("{}: was {}, is {}", what, before, now));
}

}  // namespace

std::string math_of_this_build() {
#if defined(__AVX512F__)
    const char* level = "x86-64-v4";
#elif defined(__AVX2__)
    const char* level = "x86-64-v3";
#else
    const char* level = "x86-64";
#endif
    return fmt::format("own elementary functions, no contraction, {}", level);
}

std::string encode_manifest(const Manifest& m) {
    Json json;
    json["format"] = kFormat;
    json["version"] = m.version;
    json["math"] = m.math;
    json["method"] = m.method;
    json["free_surface"] = m.free_surface;
    json["preset"] = m.preset;
    if (!m.variant.empty()) json["variant"] = m.variant;
    json["seed"] = m.seed;
    json["fps"] = m.fps;
    json["first_frame"] = m.first_frame;
    json["last_frame"] = m.last_frame;
    json["complete"] = m.complete;
    json["inputs"] = Json::object();
    for (const auto& [name, hash] : m.inputs) json["inputs"][name] = hash;
    json["breaks"] = m.breaks;
    json["scene"] = m.scene;
    json["facts"] = m.facts;
    return seal(std::move(json));
}

Manifest decode_manifest(std::string_view text, const std::string& file) {
    const Json json = unseal(text, file);
    Manifest m;
    try {
        if (const int format = read_member<int>(json, "format", file); format != kFormat)
            throw error_in_file(file, fmt::format("format {}, not {}", format, kFormat),
                                "written by another version of Spume: use that one");
        read_member(json, "version", m.version, file);
        read_member(json, "math", m.math, file);
        read_member(json, "method", m.method, file);
        // Older caches: only methods with a free surface take [[liquid]].
        m.free_surface = json.value(
            "free_surface", json.value("scene", "").find("[[liquid]]") != std::string::npos);
        if (json.contains("preset")) read_member(json, "preset", m.preset, file);
        if (json.contains("variant")) read_member(json, "variant", m.variant, file);
        read_member(json, "seed", m.seed, file);
        read_member(json, "fps", m.fps, file);
        read_member(json, "first_frame", m.first_frame, file);
        read_member(json, "last_frame", m.last_frame, file);
        read_member(json, "complete", m.complete, file);
        for (const auto& [name, hash] : json.at("inputs").items())
            m.inputs[name] = hash.get<std::string>();
        read_member(json, "breaks", m.breaks, file);
        read_member(json, "scene", m.scene, file);
        read_member(json, "facts", m.facts, file);
    } catch (const nlohmann::json::exception& error) {
        throw error_in_file(file, error.what(), "written by another version of Spume");
    }
    return m;
}

void write_manifest(FileSystem& files, const std::string& directory, const Manifest& manifest) {
    write_file(files, join_path(directory, kName), encode_manifest(manifest));
}

std::optional<Manifest> read_manifest(FileSystem& files, const std::string& directory) {
    const std::string path = join_path(directory, kName);
    if (!files.facts(path)) return std::nullopt;
    return decode_manifest(read_file(files, path, kMostBytes), path);
}

std::vector<std::string> resume_obstacles(const Manifest& before, const Manifest& now) {
    std::vector<std::string> out;
    compare(out, "version of Spume", before.version, now.version);
    compare(out, "arithmetic", before.math, now.math);
    compare(out, "method", before.method, now.method);
    compare(out, "preset", before.preset, now.preset);
    if (before.variant != now.variant)
        out.push_back(fmt::format("variant: was {}, is {}",
                                  before.variant.empty() ? "none" : before.variant,
                                  now.variant.empty() ? "none" : now.variant));
    compare(out, "seed", before.seed, now.seed);
    compare(out, "fps", before.fps, now.fps);
    compare(out, "first frame", before.first_frame, now.first_frame);
    for (const auto& [name, hash] : before.inputs)
        if (!now.inputs.count(name)) out.push_back(fmt::format("input {}: no longer used", name));
    for (const auto& [name, hash] : now.inputs) {
        const auto found = before.inputs.find(name);
        if (found == before.inputs.end())
            out.push_back(fmt::format("input {}: was not used", name));
        else if (found->second != hash)
            out.push_back(fmt::format("input {}: its content has changed", name));
    }
    for (std::string& line : differences(before.facts, now.facts)) out.push_back(std::move(line));
    return out;
}

}  // namespace spume
