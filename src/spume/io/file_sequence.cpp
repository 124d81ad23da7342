// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/file_sequence.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include <fmt/core.h>

#include "spume/core/error.h"
#include "spume/scene/numbered_name.h"

namespace spume {
namespace {

constexpr const char* kRemedy =
    "set bulk.path to a folder of VDB files or meshes, a Mantaflow cache, or a name with #### for "
    "the number; it is relative to the scene file";
/// Of what is read as a sequence; the first that a folder has counts.
constexpr std::array kSuffixes = {".vdb", ".bobj.gz", ".bobj", ".ply", ".obj"};

/// Prefix, number and digits of a name whose last digits before its suffix are its number.
struct Numbered {
    std::string prefix;
    int number = 0, digits = 0;
};
std::optional<Numbered> numbered(const std::string& name, const std::string& suffix) {
    if (!name.ends_with(suffix)) return std::nullopt;
    const std::size_t end = name.size() - suffix.size();
    std::size_t begin = end;
    while (begin > 0 && end - begin < 9 &&
           std::isdigit(static_cast<unsigned char>(name[begin - 1])))
        --begin;
    if (begin == end) return std::nullopt;
    return Numbered{name.substr(0, begin), std::stoi(name.substr(begin, end - begin)),
                    int(end - begin)};
}

std::string suffix_of(const std::string& name) {
    for (const char* suffix : kSuffixes)
        if (name.ends_with(suffix)) return suffix;
    return {};
}

FileSequence only_one(FileSystem& files, const std::string& folder, const std::string& suffix,
                      const std::string& prefix, const std::string& path) {
    const auto all = sequences_in(files, folder, suffix);
    if (all.empty())
        throw error_in_file(
            path, fmt::format("there are no numbered {} files", suffix.empty() ? ".vdb" : suffix),
            kRemedy);
    if (prefix.empty() && all.size() > 1) {
        std::string names;
        for (const auto& [name, s] : all)
            names += fmt::format("{}{}{}{}", names.empty() ? "" : ", ", name,
                                 std::string(std::size_t(s.digits), '#'), suffix);
        throw error_in_file(path, fmt::format("there are {} sequences of files", all.size()),
                            "set bulk.path to one of: " + names);
    }
    const auto found = prefix.empty() ? all.begin() : all.find(prefix);
    if (found == all.end()) throw error_in_file(path, "no file of that name is there", kRemedy);
    return found->second;
}

}  // namespace

std::string FileSequence::file(int number) const {
    return fmt::format("{}{:0{}}{}", prefix, number, digits, suffix);
}

std::map<std::string, FileSequence> sequences_in(FileSystem& files, const std::string& folder,
                                                 const std::string& suffix) {
    std::map<std::string, FileSequence> r;
    if (suffix.empty()) return r;
    for (const std::string& name : files.list(folder)) {
        const auto n = numbered(name, suffix);
        if (!n) continue;
        auto [at, fresh] = r.try_emplace(n->prefix);
        FileSequence& s = at->second;
        if (fresh) {
            s.prefix = join_path(folder, n->prefix);
            s.suffix = suffix;
            s.digits = n->digits;
            s.first = s.last = n->number;
        }
        s.digits = std::min(s.digits, n->digits);
        s.first = std::min(s.first, n->number);
        s.last = std::max(s.last, n->number);
    }
    return r;
}

FileSequence sequence_of_name(FileSystem& files, const std::string& path) {
    const auto [begin, end] = number_in_name(path);
    const std::string before = path.substr(0, begin), suffix = path.substr(end);
    const std::string folder =
        before.find('/') == std::string::npos ? "." : directory_of(before + "x");
    const auto facts = files.facts(folder);
    if (!facts || !facts->directory) throw error_in_file(folder, "no such directory", kRemedy);
    std::string prefix = name_of(before + "x");
    prefix.pop_back();
    // A folder may hold files that are only numbers.
    if (prefix.empty()) {
        const auto all = sequences_in(files, folder, suffix);
        if (const auto bare = all.find(""); bare != all.end()) return bare->second;
    }
    return only_one(files, folder, suffix, prefix, path);
}

FileSequence find_sequence(FileSystem& files, const std::string& given) {
    std::string path = given;
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    if (names_sequence(path)) return sequence_of_name(files, path);
    const auto facts = files.facts(path);
    if (!facts) throw error_in_file(path, "no such file or directory", kRemedy);
    if (!facts->directory) {
        const std::string suffix = suffix_of(path);
        const auto n = numbered(name_of(path), suffix);
        if (suffix.empty() || !n)
            throw error_in_file(path, "is no numbered .vdb file or mesh", kRemedy);
        return only_one(files, directory_of(path), suffix, n->prefix, path);
    }
    std::string folder = path, suffix;
    const std::string data = join_path(path, "data");
    if (files.facts(data) && !sequences_in(files, data, ".vdb").empty()) folder = data;
    for (const char* one : kSuffixes)
        if (suffix.empty() && !sequences_in(files, folder, one).empty()) suffix = one;
    const auto all = sequences_in(files, folder, suffix);
    const bool mantaflow = all.count("fluid_data_") != 0;
    // FLIP Fluids writes its surface as numbers only, and other things beside it.
    const bool bare = !mantaflow && all.size() > 1 && all.count("") != 0;
    if (bare) return all.at("");
    FileSequence r = only_one(files, folder, suffix, mantaflow ? "fluid_data_" : "", path);
    if (mantaflow) {
        const std::string config =
            join_path(folder == data ? path : directory_of(folder), "config");
        if (files.facts(config)) r.configuration = config;
    }
    return r;
}

}  // namespace spume
