// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/run/job_start.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "spume/io/commit.h"
#include "spume/io/stats.h"

namespace spume {
namespace {

constexpr const char* kFolders[] = {"frames", "points", "volumes", "mesh", "images", "checkpoints"};

bool ends_with_known_extension(const std::string& name) {
    for (const char* extension : {".vdb", ".ply", ".vtp", ".vti", ".png", ".json", ".checkpoint"})
        if (name.ends_with(extension)) return true;
    return false;
}

template <class Which>
void remove_files(FileSystem& files, const std::string& folder, Which&& which) {
    const auto facts = files.facts(folder);
    if (!facts || !facts->directory) return;
    for (const std::string& name : files.list(folder))
        if (which(name)) files.remove(join_path(folder, name));
    files.sync_directory(folder);
}

void remove_temporaries(FileSystem& files, const std::string& directory) {
    for (const char* folder : kFolders) {
        const std::string path = join_path(directory, folder);
        if (!files.facts(path)) continue;
        for (const std::string& name : files.list(path))
            if (is_temporary_name(name)) files.remove(join_path(path, name));
    }
    for (const std::string& name : files.list(directory))
        if (is_temporary_name(name)) files.remove(join_path(directory, name));
}

/// Commit records go first: from then on there are no frames, only files without meaning.
void clear_cache(FileSystem& files, const std::string& directory) {
    for (const char* folder : kFolders)
        remove_files(files, join_path(directory, folder), ends_with_known_extension);
    remove_files(files, directory, [](const std::string& name) {
        return name == "manifest.json" || name == "stats.jsonl" || name == "events.jsonl" ||
               name == "timing.jsonl" || name == "log.txt" || name.ends_with(".pvd");
    });
}

std::string list_text(const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items) text += "\n    " + item;
    return text;
}

void refuse_existing(FileSystem& files, const std::string& directory) {
    const auto frames = committed_frames(files, directory);
    throw UserError(
        fmt::format("{} already holds {}", directory,
                    frames.empty() ? "a cache without frames"
                                   : fmt::format("frames {} to {}", frames.front(), frames.back())),
        "--resume goes on with it, --overwrite starts again, -o names another directory");
}

/// The frames whose files are all there and unchanged. What is damaged is reported and made again.
std::set<int> good_frames(const JobOptions& options, FileSystem& files, const Warn& warn) {
    std::set<int> good;
    for (int frame : committed_frames(files, options.directory)) {
        const auto damage = check_frame(files, options.directory, frame);
        for (const Damage& d : damage)
            warn(fmt::format("frame {} is damaged: {}: {}", frame, d.path, d.what));
        if (damage.empty()) good.insert(frame);
    }
    return good;
}

int last_in_a_row(const JobOptions& options, const std::set<int>& good) {
    int last = options.manifest.first_frame - 1;
    while (!is_written(options, last + 1) || good.count(last + 1) != 0) {
        ++last;
        if (last > options.manifest.last_frame && (good.empty() || last > *good.rbegin())) break;
    }
    return last;
}

/// Looks at what is there and decides where to go on.
void continue_from(const JobOptions& options, FileSystem& files, const Manifest& before,
                   StartingPoint& start, const Warn& warn) {
    const auto obstacles = resume_obstacles(before, options.manifest);
    if (!obstacles.empty() && !options.force)
        throw UserError(fmt::format("{} was made from something else:{}", options.directory,
                                    list_text(obstacles)),
                        "make them equal again, or accept a break in the sequence with --force");
    start.manifest.breaks = before.breaks;
    for (const std::string& obstacle : obstacles) {
        start.manifest.breaks.push_back(obstacle);
        warn("forced to go on although: " + obstacle);
    }
    start.good = good_frames(options, files, warn);
    const int last = last_in_a_row(options, start.good);
    // A forced break changes what belongs together, but not what the state is.
    const std::string identity = run_identity(obstacles.empty() ? options.manifest : before);
    start.checkpoint = find_checkpoint(files, options.directory, identity, last, warn);
    if (start.checkpoint) {
        start.next_frame = start.checkpoint->info.frame + 1;
        // A run killed while it rotated them may have left some too many.
        remove_old_checkpoints(files, options.directory, name_of(start.checkpoint->path));
    }
    // After a break the frames that follow come out differently: they are made again.
    if (!obstacles.empty())
        start.good.erase(start.good.lower_bound(start.next_frame), start.good.end());
    start.stats_until = std::min(last, start.good.empty() ? last : *start.good.rbegin());
    std::vector<std::string> lines;
    for (const int frame : start.good)
        if (frame <= last) lines.push_back(read_commit(files, options.directory, frame).stats);
    restore_stats(files, options.directory, lines);
}

}  // namespace

std::string run_identity(const Manifest& manifest) {
    Manifest m = manifest;
    m.last_frame = m.first_frame;
    m.complete = false;
    m.scene.clear();
    m.breaks.clear();
    return hash_of(encode_manifest(m)).hex();
}

bool holds_cache(FileSystem& files, const std::string& directory) {
    return files.facts(join_path(directory, "manifest.json")) ||
           !committed_frames(files, directory).empty() ||
           !list_checkpoints(files, directory).empty();
}

StartingPoint prepare_directory(const JobOptions& options, FileSystem& files, const Warn& warn) {
    StartingPoint start;
    start.manifest = options.manifest;
    start.next_frame = options.manifest.first_frame;
    start.stats_until = options.manifest.first_frame - 1;
    remove_temporaries(files, options.directory);
    if (options.overwrite) {
        clear_cache(files, options.directory);
    } else if (holds_cache(files, options.directory)) {
        if (!options.resume) refuse_existing(files, options.directory);
        const auto before = read_manifest(files, options.directory);
        if (!before)
            throw UserError(
                join_path(options.directory, "manifest.json") + " is missing",
                "without it nobody knows what the frames are: restore it, or --overwrite");
        continue_from(options, files, *before, start, warn);
    }
    for (const char* folder : kFolders)
        make_directories(files, join_path(options.directory, folder));
    start.manifest.complete = false;
    write_manifest(files, options.directory, start.manifest);
    return start;
}

void check_same(int frame, const std::string& before, const std::string& now) {
    if (before == now) return;
    throw MachineError(fmt::format(
        "frame {} came out differently from the first time: this machine or this build does not "
        "repeat the run.\n  first {}\n  now   {}\n  --overwrite starts again",
        frame, before, now));
}

}  // namespace spume
