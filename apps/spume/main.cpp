// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cerrno>
#include <map>
#include <new>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "apps/spume/bulk_flags.h"
#include "apps/spume/command_line.h"
#include "spume/run/job_signals.h"

namespace spume {
namespace {

enum Status { kDone = 0, kDefect = 1, kUser = 2, kSimulation = 3, kMachine = 4 };

using Call = std::function<int()>;

void add_scene(CLI::App& command, SceneRequest& scene) {
    command.add_option("scene", scene.file, "a scene file, or the name of a bundled scene")
        ->required();
    command
        .add_option("--set", scene.overrides, "section.key=value, instead of what the scene says")
        ->take_all()
        ->allow_extra_args(false);
    command.add_option("--preset", scene.selection.preset,
                       "one of the scene's settings; `spume list presets` names them");
    command.add_option("--seed", scene.seed, "of all random numbers");
    command.add_option("-s,--start", scene.first_frame, "number of the first frame");
    command.add_option("-e,--end", scene.last_frame, "number of the last frame");
}

const std::map<std::string, ProgressMode>& progress_modes() {
    static const std::map<std::string, ProgressMode> kModes = {{"auto", ProgressMode::kAuto},
                                                               {"bar", ProgressMode::kBar},
                                                               {"json", ProgressMode::kJson},
                                                               {"none", ProgressMode::kNone}};
    return kModes;
}

/// The flags that a single run and a study of many share.
void add_simulation(CLI::App& run, RunFlags& flags) {
    add_scene(run, flags.scene);
    run.add_option("-o,--output", flags.directory, "where the cache goes (default out/NAME)");
    run.add_option("-j,--threads", flags.threads, "0: as many as there are cores")
        ->check(CLI::Range(0, 4096));
    run.add_flag("--overwrite", flags.overwrite, "start again, removing the frames that are there");
    run.add_option("--checkpoint-every", flags.checkpoint_every, "frames; 0: only when stopping")
        ->check(CLI::Range(0, 1000000));
    run.add_option("--memory", flags.memory_gb, "GB the run may use")->check(between(0.001, 1e6));
    run.add_option("--progress", flags.progress, "auto, bar, json or none")
        ->transform(one_of(progress_modes()));
    run.add_flag("--dry-run", flags.dry_run, "say what would be done and what it needs");
}

void add_variant(CLI::App& command, SceneRequest& scene) {
    command.add_option("--variant", scene.selection.variant, "one run of the scene's sweep");
}

void add_run(CLI::App& app, RunFlags& flags, Call& call) {
    CLI::App& run = *app.add_subcommand("run", "simulate a scene into a directory");
    add_simulation(run, flags);
    add_variant(run, flags.scene);
    run.add_flag("--resume", flags.resume, "go on with a run that was stopped");
    run.add_flag("--force", flags.force, "with --resume: accept differences and record them");
    run.get_option("--overwrite")->excludes("--resume");
    run.get_option("--force")->needs("--resume");
    run.callback([&] { call = [&] { return run_command(flags); }; });
}

void add_sweep(CLI::App& app, RunFlags& flags, Call& call) {
    CLI::App& sweep = *app.add_subcommand(
        "sweep",
        "simulate every variant of a scene's sweep, each into a directory of its own, with a table "
        "and a contact sheet; goes on where it was stopped");
    add_simulation(sweep, flags);
    sweep.callback([&] { call = [&] { return sweep_command(flags); }; });
}

/// WIDTHxHEIGHT as two numbers; an empty text changes nothing.
void read_size(const std::string& size, int& width, int& height) {
    char rest = 0;
    if (!size.empty() && (std::sscanf(size.c_str(), "%5dx%5d%c", &width, &height, &rest) != 2 ||
                          width < 16 || height < 16 || width > 16384 || height > 16384))
        throw CLI::ValidationError("--size", "give WIDTHxHEIGHT, each 16 to 16384");
}

void add_aeration(CLI::App& app, AerationFlags& flags, std::string& size, Call& call) {
    CLI::App& sub = *app.add_subcommand(
        "aeration",
        "where the bulk of a scene would entrain air: volumes and pictures, without simulating");
    add_scene(sub, flags.scene);
    add_variant(sub, flags.scene);
    sub.add_option("-f,--frame", flags.frames, "FRAME,… (default: four of the scene's)")
        ->delimiter(',')
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->check(CLI::Range(0, 1000000000));
    sub.add_option("-o,--output", flags.directory, "where they go (default out/NAME_aeration)");
    sub.add_option("--size", size, "WIDTHxHEIGHT of a picture in pixels (default 1280x720)");
    sub.add_option("-j,--threads", flags.threads, "0: as many as there are cores")
        ->check(CLI::Range(0, 4096));
    sub.callback([&] {
        read_size(size, flags.width, flags.height);
        call = [&] { return aeration_command(flags); };
    });
}

void add_render(CLI::App& app, RenderFlags& flags, std::string& size, Call& call) {
    CLI::App& render = *app.add_subcommand("render", "pictures and films of a cache");
    render.add_option("directory", flags.directory, "a cache")->required();
    auto* frame =
        render.add_option("-f,--frame", flags.first_frame, "one frame (default: the last)");
    auto* start = render.add_option("-s,--start", flags.first_frame, "the first of several frames");
    auto* end = render.add_option("-e,--end", flags.last_frame, "the last of several frames");
    for (CLI::Option* number : {frame, start, end}) number->check(CLI::Range(0, 1000000000));
    frame->excludes(start)->excludes(end);
    start->needs(end);
    end->needs(start);
    CLI::Option* mode = render.add_option(
        "--mode", flags.mode,
        "beauty, preview, slice or tiles (default beauty; of scenes in the plane preview)");
    mode->transform(one_of<RenderMode>({{"beauty", RenderMode::kBeauty},
                                        {"preview", RenderMode::kPreview},
                                        {"slice", RenderMode::kSlice},
                                        {"tiles", RenderMode::kTiles}}));
    render.add_option("--size", size, "WIDTHxHEIGHT in pixels (default 1280x720)");
    render
        .add_option("--samples", flags.samples,
                    "paths a pixel (default 64); preview: samples a pixel (default 4)")
        ->check(CLI::Range(1, 1000000));
    render.add_option("-o,--output", flags.file,
                      "the picture, .png or .exr (default DIR/images/MODE.####.png)");
    render.add_option("--format", flags.format, "png or exr (default: by the ending of -o)")
        ->transform(
            one_of<RenderFormat>({{"png", RenderFormat::kPng}, {"exr", RenderFormat::kExr}}));
    render.add_option("--movie", flags.movie,
                      "a film of the frames (default: all of them) instead of pictures");
    auto* sheet = render
                      .add_option("--sheet", flags.sheet,
                                  "FRAME,…: these frames side by side in one picture; of a study "
                                  "(spume sweep) every variant; --size is that of one of them")
                      ->delimiter(',')
                      ->check(CLI::Range(0, 1000000000));
    sheet->excludes(frame)->excludes(start);
    render.add_option("--columns", flags.columns, "of the sheet")
        ->needs(sheet)
        ->check(CLI::Range(1, 1000));
    render.add_flag("--resume", flags.resume,
                    "leave the pictures in DIR/images that are as they would become; a film keeps "
                    "its pictures there");
    render.add_option("--seed", flags.seed, "of the noise")->check(between(0, 1.8e19));
    render.add_option("-j,--threads", flags.threads, "0: as many as there are cores")
        ->check(CLI::Range(0, 4096));
    render.add_option("--progress", flags.progress, "auto, bar, json or none")
        ->transform(one_of(progress_modes()));
    add_render_look(render, flags);
    render.callback([&, frame, mode] {
        flags.mode_asked = mode->count() > 0;
        if (frame->count() > 0) flags.last_frame = flags.first_frame;
        read_size(size, flags.width, flags.height);
        call = [&] { return render_command(flags); };
    });
}

void add_view(CLI::App& app, ViewFlags& flags, Call& call) {
    CLI::App& view =
        *app.add_subcommand("view", "show a cache in a browser, also while it is being written");
    CLI::Option* playground = view.add_flag(
        "--playground", flags.playground, "the playground in place of a cache: water to play with");
    view.add_option("directory", flags.directory, "a cache")->excludes(playground);
    view.add_option("beside", flags.beside, "another one, shown side by side at equal times");
    view.add_option("--port", flags.port, "on loopback; a taken one: the next that is free")
        ->check(CLI::Range(0, 65435));
    view.add_flag("--no-browser", flags.no_browser, "only print the address");
    view.callback([&] { call = [&] { return view_command(flags); }; });
}

void add_export(CLI::App& app, ExportFlags& flags, Call& call) {
    CLI::App& sub = *app.add_subcommand("export", "the frames of a cache in another format");
    sub.add_option("directory", flags.directory, "a cache")->required();
    sub.add_option("--to", flags.format,
                   "ply, vtk, usd, vdb, csv (points as tables), or solids: those of the scene and "
                   "its camera")
        ->required()
        ->check(CLI::IsMember({"ply", "vtk", "usd", "vdb", "csv", "solids"}));
    sub.add_option("-s,--start", flags.first_frame, "the first frame");
    sub.add_option("-e,--end", flags.last_frame, "the last frame");
    sub.add_option("-o,--output", flags.output, "where the files go (default DIR/export)");
    sub.callback([&] { call = [&] { return export_command(flags); }; });
}

/// What main reports: status, and the parts of a message.
struct Failure {
    int status = kDefect;
    const char* kind = "defect";
    std::string text;
    std::vector<Complaint> complaints;
};

/// Text for people, or one JSON object for programs.
void report(const Failure& failure, bool as_json) {
    const bool prefixed = !failure.complaints.empty();
    // fputs, not fmt::print: that throws when standard error is full or closed.
    if (!as_json) {
        std::fputs(((prefixed ? "" : "error: ") + failure.text + "\n").c_str(), stderr);
        return;
    }
    nlohmann::ordered_json json;
    json["event"] = "error";
    json["error"] = failure.kind;
    json["status"] = failure.status;
    json["message"] = failure.text;
    for (const Complaint& c : failure.complaints)
        json["complaints"].push_back({{"file", c.place.file},
                                      {"line", c.place.line},
                                      {"column", c.place.column},
                                      {"message", c.message},
                                      {"remedy", c.remedy}});
    std::fputs((json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n")
                   .c_str(),
               stderr);
}

int guarded(const Call& call, bool as_json) {
    Failure failure;
    try {
        const int status = call();
        // A full disk behind standard output must not pass for success.
        errno = 0;
        if (std::fflush(stdout) != 0 && errno != EPIPE)
            throw MachineError("cannot write to standard output");
        return status;
    } catch (const UserError& error) {
        failure = {kUser, "user", error.what(), error.complaints()};
    } catch (const SimulationError& error) {
        failure = {kSimulation, "simulation", error.what(), {}};
    } catch (const MachineError& error) {
        failure = {kMachine, "machine", error.what(), {}};
    } catch (const std::bad_alloc&) {
        failure = {kMachine, "machine", "out of memory; finished frames are intact", {}};
    } catch (const std::system_error& error) {            // from fmt::print to standard output
        if (error.code().value() == EPIPE) return kDone;  // `| head` has seen enough
        failure = {kMachine, "machine", error.what(), {}};
    } catch (const std::exception& error) {
        failure = {kDefect, "defect", error.what(), {}};
    }
    report(failure, as_json);
    return failure.status;
}

/// Of a command line that could not be read.
bool asks_for_json(const std::vector<std::string>& words) {
    bool json = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--progress" && i + 1 < words.size()) json = words[i + 1] == "json";
        if (words[i].starts_with("--progress=")) json = words[i] == "--progress=json";
    }
    return json;
}

/// Text about the commands themselves.
void add_completion(CLI::App& app, std::string& what, Call& call) {
    CLI::App& completion =
        *app.add_subcommand("completion", "code that lets a shell complete commands and flags");
    completion.add_option("shell", what, "bash, zsh or fish; man: the manual page")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish", "man"}));
    completion.callback([&] {
        call = [&] {
            fmt::print("{}", generated_text(app, what));
            return 0;
        };
    });
}

int run_program(int argc, char** argv) {
    ignore_write_signals();
    CLI::App app(
        "Spume simulates air in water.\nExit status: 0 done, 1 a defect of Spume, 2 your input, "
        "3 the simulation cannot go on, 4 the machine, 130 or 143 stopped by a signal.",
        "spume");
    app.require_subcommand(1);
    // A wrapper's flag first, the user's after it: the last one counts.
    app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    app.set_version_flag("--version", SPUME_VERSION);
    Call call;
    RunFlags run;
    AerationFlags aeration;
    BulkFlags bulk;
    RenderFlags render;
    ViewFlags view;
    ExportFlags exported;
    SceneRequest checked;
    bool timed = false;
    std::string size, path, what = "scenes", method, shell;
    add_run(app, run, call);
    add_sweep(app, run, call);
    CLI::App& check =
        *app.add_subcommand("check", "validate a scene, print it in full and what it needs");
    add_scene(check, checked);
    add_variant(check, checked);
    check.add_flag("--time", timed, "simulate a little and say how long the whole will take here");
    check.callback([&] { call = [&] { return check_command(checked, timed); }; });
    add_aeration(app, aeration, size, call);
    add_whitewater(app, bulk, call);
    add_render(app, render, size, call);
    add_view(app, view, call);
    add_export(app, exported, call);
    CLI::App& info = *app.add_subcommand("info", "what a cache, .vdb, .ply or .obj holds");
    info.add_option("path", path, "a directory or a file")->required();
    info.callback([&] { call = [&] { return info_command(path); }; });
    CLI::App& verify =
        *app.add_subcommand("verify", "check every file of a cache against its hash");
    verify.add_option("directory", path, "a cache")->required();
    verify.callback([&] { call = [&] { return verify_command(path); }; });
    CLI::App& list = *app.add_subcommand("list", "the methods, scenes or presets there are");
    list.add_option("what", what, "methods, scenes or presets")
        ->check(CLI::IsMember({"methods", "scenes", "presets"}));
    list.callback([&] { call = [&] { return list_command(what); }; });
    CLI::App& help = *app.add_subcommand("help", "the parameters of a method, or of scenes");
    help.add_option("method", method, "a method, a key, 'scene', or 'reference' (all, as Markdown)")
        ->required();
    help.callback([&] { call = [&] { return help_command(method); }; });
    add_completion(app, shell, call);
    add_children(app, bulk, call);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        const std::vector<std::string> words(argv + 1, argv + argc);
        report({kUser, "user", command_line_error(app, error, words), {}}, asks_for_json(words));
        return kUser;
    }
    return guarded(call,
                   run.progress == ProgressMode::kJson || render.progress == ProgressMode::kJson);
}

}  // namespace
}  // namespace spume

int main(int argc, char** argv) { return spume::run_program(argc, argv); }
