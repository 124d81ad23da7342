// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "apps/spume/bulk_flags.h"

#include "spume/io/probe_vdb.h"

namespace spume {

void add_whitewater(CLI::App& app, BulkFlags& flags, std::function<int()>& call) {
    CLI::App& sub = *app.add_subcommand(
        "whitewater",
        "bubbles over a liquid simulated before: recognises the cache, writes a scene beside it, "
        "shows where air is drawn in, and runs");
    WhitewaterFlags& w = flags.whitewater;
    sub.add_option("path", w.path,
                   "a cache of Spume, a Mantaflow folder, a folder of VDB files or one of them")
        ->required();
    sub.add_option("--fps", w.fps, "frames a second of files that do not say (default 24)")
        ->check(CLI::Range(0.001, 1e5));
    sub.add_option("-j,--threads", w.threads, "0: as many as there are cores")
        ->check(CLI::Range(0, 4096));
    sub.add_flag("--no-run", w.no_run, "stop after the pictures of aeration");
    sub.add_flag("--overwrite", w.overwrite, "start again, removing the frames that are there");
    sub.callback([&] { call = [&] { return whitewater_command(flags.whitewater); }; });
}

void add_children(CLI::App& app, BulkFlags& flags, std::function<int()>& call) {
    CLI::App& describe = *app.add_subcommand("describe-vdb", "");
    describe.group("");  // the child of `info`: not for people
    describe.add_option("path", flags.path)->required();
    describe.callback([&] { call = [&] { return probe_main(flags.path, {}); }; });
    CLI::App& read = *app.add_subcommand("read-vdb", "");
    read.group("");  // the child that reads a foreign bulk
    read.add_option("words", flags.words)->required();
    read.callback([&] { call = [&] { return read_main(flags.words, {.seconds = 60}); }; });
}

}  // namespace spume
