// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <fmt/core.h>

#include "spume/io/checkpoint.h"
#include "spume/io/commit.h"
#include "spume/io/manifest.h"
#include "spume/io/stats.h"

namespace spume {
namespace {

/// Runs a check that throws, and notes what it throws under `path`.
template <class Check>
void note(std::vector<Damage>& found, const std::string& path, Check&& check) {
    try {
        check();
    } catch (const UserError& error) {
        found.push_back({0, path, error.complaints()[0].message});
    } catch (const FileError& error) {
        found.push_back({0, path, error.what()});
    }
}

}  // namespace

std::vector<Damage> check_cache(FileSystem& files, const std::string& directory) {
    std::vector<Damage> found;
    note(found, "manifest.json", [&] {
        if (!read_manifest(files, directory)) found.push_back({0, "manifest.json", "is missing"});
    });
    std::string lines, events;
    for (int frame : committed_frames(files, directory)) {
        const auto damage = check_frame(files, directory, frame);
        found.insert(found.end(), damage.begin(), damage.end());
        note(found, commit_path(frame), [&] {
            if (!damage.empty()) return;
            const std::string line = read_commit(files, directory, frame).stats;
            lines += line + "\n";
            events += event_lines(line);
        });
    }
    // With a damaged frame its lines cannot be known.
    const bool known = found.empty();
    const auto compare = [&](const char* name, const std::string& expected) {
        note(found, name, [&] {
            const std::string path = join_path(directory, name);
            if (expected.empty() && !files.facts(path)) return;
            const std::string text =
                read_file(files, path, expected.size() + (std::uint64_t(1) << 20));
            if (known && text != expected)
                found.push_back({0, name, "does not agree with the frames"});
        });
    };
    compare("stats.jsonl", lines);
    compare("events.jsonl", events);
    for (const std::string& name : list_checkpoints(files, directory)) {
        const std::string path = join_path("checkpoints", name);
        note(found, path, [&] { check_checkpoint(files, join_path(directory, path)); });
    }
    return found;
}

}  // namespace spume
