// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "apps/spume/commands.h"
#include "spume/io/atomic_file.h"
#include "spume/io/commit.h"
#include "spume/io/png.h"
#include "spume/render/contact_sheet.h"
#include "spume/render/preview.h"
#include "spume/run/job_sweep.h"
#include "spume/scene/toml.h"

namespace spume {
namespace {

constexpr int kInterrupted = 128;  // statuses from here on are signals

/// A parameter study: all its variants, read and found right before the first is simulated.
struct Study {
    std::string directory, title;
    Sweep sweep;
    std::vector<LoadedScene> scenes;  ///< one a variant
    std::vector<SweepRow> rows;

    std::string directory_of(std::size_t i) const {
        return join_path(directory, sweep.variants[i].name);
    }
};

void refuse_swept_overrides(const Sweep& sweep, const std::vector<std::string>& overrides) {
    for (const std::string& argument : overrides)
        for (const SweepVariant& variant : sweep.variants)
            for (const auto& [key, value] : variant.values)
                if (argument.substr(0, argument.find('=')) == key)
                    throw UserError(
                        fmt::format("--set {}: the sweep itself varies {}", argument, key),
                        "leave it out, or `spume run` a single variant");
}

Study read_study(FileSystem& files, const RunFlags& flags) {
    Study study;
    SceneRequest request = flags.scene;
    request.file = find_scene(files, request.file);
    const LoadedScene plain = load_scene(files, request);
    study.sweep = plain.offers.sweep;
    study.title = plain.scene.title;
    study.directory = flags.directory.empty() ? default_directory(request.file) : flags.directory;
    if (study.sweep.variants.empty())
        throw error_in_file(request.file, "the scene has no [sweep]",
                            "give it [sweep.values] or [[sweep.variant]]: "
                            "docs/how_to_write_a_scene.md");
    refuse_swept_overrides(study.sweep, request.overrides);
    for (const SweepVariant& variant : study.sweep.variants) {
        request.selection.variant = variant.name;
        study.scenes.push_back(load_scene(files, request));
        refuse_too_large(study.scenes.back(), flags.memory_gb, "--memory");
        study.rows.push_back({variant, "waiting", {}});
    }
    return study;
}

bool finished(FileSystem& files, const std::string& directory, const Manifest& wanted) {
    const auto manifest = read_manifest(files, directory);
    return manifest && manifest->complete && manifest->last_frame == wanted.last_frame &&
           resume_obstacles(*manifest, wanted).empty();
}

void announce(const RunFlags& flags, const Study& study, std::size_t i, const char* what) {
    const std::string& name = study.sweep.variants[i].name;
    if (flags.progress == ProgressMode::kNone) return;
    if (flags.progress == ProgressMode::kJson) {
        nlohmann::ordered_json json{{"event", "variant"},
                                    {"variant", name},
                                    {"number", i + 1},
                                    {"of", study.scenes.size()},
                                    {"state", what}};
        std::fputs((json.dump() + "\n").c_str(), stderr);
        return;
    }
    std::fputs(
        fmt::format("variant {} ({} of {}): {}\n", name, i + 1, study.scenes.size(), what).c_str(),
        stderr);
}

/// Simulates one variant, or finds that it has been; the status of a run.
int simulate_variant(FileSystem& files, const RunFlags& flags, Study& study, std::size_t i,
                     Context& context) {
    const std::string directory = study.directory_of(i);
    if (!flags.overwrite && finished(files, directory, study.scenes[i].manifest)) {
        announce(flags, study, i, "done before");
        study.rows[i].status = "done";
        return 0;
    }
    RunFlags own = flags;
    own.directory = directory;
    own.resume = !flags.overwrite && holds_cache(files, directory);
    announce(flags, study, i, own.resume ? "going on" : "simulating");
    try {
        const int status = simulate(files, study.scenes[i], own, context);
        if (status == 0) study.rows[i].status = "done";
        return status;
    } catch (const SimulationError& error) {
        study.rows[i].status = error.what();
        announce(flags, study, i, error.what());
        return 3;
    }
}

Image tile_picture(FileSystem& files, const Study& study, std::size_t i, int number,
                   Context& context) {
    const std::string directory = study.directory_of(i);
    const std::vector<int> there = committed_frames(files, directory);
    if (number < 0 && !there.empty()) number = there.back();
    if (std::find(there.begin(), there.end(), number) == there.end()) return {};
    const LoadedScene& loaded = study.scenes[i];
    const Frame frame =
        read_for_preview(files, directory, read_commit(files, directory, number), loaded.scene);
    PreviewOptions options = preview_options(loaded.scene, loaded.inputs.meshes, frame,
                                             study.sweep.tile_width, study.sweep.tile_height);
    if (study.sweep.colours == "speed") options.colours = PreviewColours::kSpeed;
    if (study.sweep.colours == "type") options.colours = PreviewColours::kType;
    if (study.sweep.colours == "radius") options.colours = PreviewColours::kRadius;
    return render_preview(frame, options, context);
}

void write_sheet(FileSystem& files, const Study& study, Context& context) {
    SheetOptions options{study.title, study.sweep.columns, study.sweep.tile_width,
                         study.sweep.tile_height};
    std::vector<int> frames = study.sweep.frames;
    if (frames.empty()) frames.push_back(-1);
    if (frames.size() > 1) options.columns = static_cast<int>(study.scenes.size());
    std::vector<SheetTile> tiles;
    for (const int frame : frames)
        for (std::size_t i = 0; i < study.scenes.size(); ++i) {
            std::string label = study.sweep.variants[i].label;
            if (frames.size() > 1) label = fmt::format("{}, frame {}", label, frame);
            if (study.rows[i].status != "done") label += " (unfinished)";
            tiles.push_back({tile_picture(files, study, i, frame, context), std::move(label)});
        }
    const Image sheet = contact_sheet(tiles, options);
    const std::string path = join_path(study.directory, "contact_sheet.png");
    write_file(files, path, encode_png(sheet.width, sheet.height, sheet.rgb));
    fmt::print("{}\n", path);
}

}  // namespace

int sweep_command(const RunFlags& flags) {
    const auto files = make_posix_file_system();
    Study study = read_study(*files, flags);
    if (flags.dry_run) {
        for (std::size_t i = 0; i < study.scenes.size(); ++i) {
            const bool done = !flags.overwrite &&
                              finished(*files, study.directory_of(i), study.scenes[i].manifest);
            fmt::print("{}  {}\n", study.directory_of(i), done ? "done before" : "to simulate");
        }
        return 0;
    }
    make_directories(*files, study.directory);
    Context context(flags.threads);
    int worst = 0;
    for (std::size_t i = 0; i < study.scenes.size(); ++i) {
        const int status = simulate_variant(*files, flags, study, i, context);
        worst = std::max(worst, status);
        study.rows[i] =
            sweep_row(*files, study.directory_of(i), study.sweep.variants[i], study.rows[i].status);
        write_sweep_summary(*files, study.directory, study.rows);
        if (status >= kInterrupted) return status;
    }
    write_sheet(*files, study, context);
    return worst;
}

}  // namespace spume
