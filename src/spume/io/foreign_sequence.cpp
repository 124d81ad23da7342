// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include <fmt/core.h>
#include <zlib.h>

#include "spume/io/bounded_reader.h"
#include "spume/io/foreign_source.h"

namespace spume {
namespace {

constexpr const char* kRemedy =
    "set bulk.path to a folder of VDB files, a Mantaflow cache, or a name with #### for the "
    "number; "
    "it is relative to the scene file";

/// prefix, number and suffix of a name whose last digits before ".vdb" are its number.
struct Numbered {
    std::string prefix;
    int number = 0, digits = 0;
};
std::optional<Numbered> numbered(const std::string& name) {
    if (!name.ends_with(".vdb")) return std::nullopt;
    const std::size_t end = name.size() - 4;
    std::size_t begin = end;
    while (begin > 0 && end - begin < 9 &&
           std::isdigit(static_cast<unsigned char>(name[begin - 1])))
        --begin;
    if (begin == end) return std::nullopt;
    return Numbered{name.substr(0, begin), std::stoi(name.substr(begin, end - begin)),
                    int(end - begin)};
}

/// Numbers of the files in a folder that go with a prefix; all prefixes there are if it is empty.
std::map<std::string, FileSequence> sequences_in(FileSystem& files, const std::string& folder) {
    std::map<std::string, FileSequence> r;
    for (const std::string& name : files.list(folder)) {
        const auto n = numbered(name);
        if (!n) continue;
        auto [at, fresh] = r.try_emplace(n->prefix);
        FileSequence& s = at->second;
        if (fresh) {
            s.prefix = join_path(folder, n->prefix);
            s.suffix = ".vdb";
            s.digits = n->digits;
            s.first = s.last = n->number;
        }
        s.digits = std::min(s.digits, n->digits);
        s.first = std::min(s.first, n->number);
        s.last = std::max(s.last, n->number);
    }
    return r;
}

FileSequence only_one(FileSystem& files, const std::string& folder, const std::string& prefix,
                      const std::string& path) {
    const auto all = sequences_in(files, folder);
    if (all.empty()) throw error_in_file(path, "there are no numbered .vdb files", kRemedy);
    if (prefix.empty() && all.size() > 1) {
        std::string names;
        for (const auto& [name, s] : all)
            names += fmt::format("{}{}{}.vdb", names.empty() ? "" : ", ", name,
                                 std::string(std::size_t(s.digits), '#'));
        throw error_in_file(path, fmt::format("there are {} sequences of files", all.size()),
                            "set bulk.path to one of: " + names);
    }
    const auto found = prefix.empty() ? all.begin() : all.find(prefix);
    if (found == all.end()) throw error_in_file(path, "no file of that name is there", kRemedy);
    return found->second;
}

std::string unzipped(const std::string& bytes, std::size_t most, const std::string& path) {
    std::string out(most, '\0');
    z_stream stream{};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = uInt(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = uInt(out.size());
    bool good = inflateInit2(&stream, 15 + 16) == Z_OK;
    if (good) {
        good = inflate(&stream, Z_FINISH) == Z_STREAM_END;
        inflateEnd(&stream);
    }
    if (!good)
        throw error_in_file(path, "is no gzip file of Mantaflow's configuration",
                            "bake the cache again, or take the config folder away");
    out.resize(out.size() - stream.avail_out);
    return out;
}

}  // namespace

std::string FileSequence::file(int number) const {
    return fmt::format("{}{:0{}}{}", prefix, number, digits, suffix);
}

FileSequence find_sequence(FileSystem& files, const std::string& given) {
    std::string path = given;
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    std::size_t begin = path.find('#'), end = path.find_first_not_of('#', begin);
    if (begin == std::string::npos && (begin = path.find("$F")) != std::string::npos) {
        end = begin + 2;
        while (end < path.size() && std::isdigit(static_cast<unsigned char>(path[end]))) ++end;
    }
    if (begin != std::string::npos) {
        const std::string before = path.substr(0, begin);
        const std::string folder =
            before.find('/') == std::string::npos ? "." : directory_of(before + "x");
        const auto facts = files.facts(folder);
        if (!facts || !facts->directory) throw error_in_file(folder, "no such directory", kRemedy);
        return only_one(files, folder,
                        name_of(before + "x").substr(0, name_of(before + "x").size() - 1), path);
    }
    const auto facts = files.facts(path);
    if (!facts) throw error_in_file(path, "no such file or directory", kRemedy);
    if (!facts->directory) {
        const auto n = numbered(name_of(path));
        if (!n) throw error_in_file(path, "is no numbered .vdb file", kRemedy);
        return only_one(files, directory_of(path), n->prefix, path);
    }
    std::string folder = path;
    const std::string data = join_path(path, "data");
    if (files.facts(data) && !sequences_in(files, data).empty()) folder = data;
    const auto all = sequences_in(files, folder);
    const bool mantaflow = all.count("fluid_data_") != 0;
    FileSequence r = only_one(files, folder, mantaflow ? "fluid_data_" : "", path);
    if (mantaflow) {
        const std::string config =
            join_path(folder == data ? path : directory_of(folder), "config");
        if (files.facts(config)) r.configuration = config;
    }
    return r;
}

MantaflowPlace read_mantaflow_place(FileSystem& files, const std::string& path) {
    constexpr std::size_t kBytes = 204;
    const std::string text = unzipped(read_file(files, path, 1 << 16), 4096, path);
    if (text.size() < kBytes)
        throw error_in_file(path, fmt::format("has {} bytes, not {}", text.size(), kBytes),
                            "bake the cache again with a Blender of version 2.9 to 4");
    const auto number = [&](std::size_t at) {
        float v = 0;
        std::memcpy(&v, text.data() + at, sizeof v);
        return double(v);
    };
    MantaflowPlace r;
    Vec<double, 3> lower{}, size{};
    double longest = 0;
    int most = 0;
    for (std::size_t a = 0; a < 3; ++a) {
        std::int32_t cells = 0;
        std::memcpy(&cells, text.data() + 4 + 4 * a, sizeof cells);
        r.cells[int(a)] = cells;
        lower[int(a)] = number(24 + 4 * a);
        size[int(a)] = number(36 + 4 * a) - lower[int(a)];
        longest = std::max(longest, size[int(a)]);
        most = std::max(most, int(cells));
    }
    // Rows of the object's matrix; the last is where it stands.
    double m[4][4], scale = 0;
    for (std::size_t i = 0; i < 16; ++i) m[i / 4][i % 4] = number(84 + 4 * i);
    scale = std::hypot(m[0][0], m[0][1], m[0][2]);
    bool square = scale > 0 && std::isfinite(scale) && longest > 0 && most > 0 && most < 1 << 20;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            square = square && std::abs(m[i][j] - (i == j ? scale : 0)) < 1e-4 * scale;
    if (!square)
        throw error_in_file(path, "the domain is rotated or stretched, or its size is none",
                            "apply its rotation and scale in Blender and bake again");
    r.voxel = longest / most * scale;
    for (int a = 0; a < 3; ++a) r.corner[a] = m[3][a] + scale * lower[a];
    r.seconds = number(196) / 2.5;
    return r;
}

}  // namespace spume
