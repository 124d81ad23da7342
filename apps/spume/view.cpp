// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <fmt/core.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "apps/spume/commands.h"
#include "apps/spume/places.h"
#include "spume/run/job_signals.h"
#include "spume/serve/viewer.h"

namespace spume {
namespace {

/// The built page: beside the program in a build folder, below share/ once installed.
std::string find_assets(FileSystem& files, const std::string& name, const char* remedy) {
    for (const std::string& place : {name, "../share/spume/" + name})
        if (const std::string folder = join_path(program_folder(), place);
            files.facts(join_path(folder, "index.html")))
            return folder;
    throw UserError("the page is not built", remedy);
}

/// Without a shell, and without waiting: a browser that does not start is no failure.
void open_browser(const std::string& address) {
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
    std::string program = "xdg-open", argument = address;
    char* words[] = {program.data(), argument.data(), nullptr};
    pid_t child = 0;
    (void)::posix_spawnp(&child, program.c_str(), nullptr, nullptr, words, environ);
}

}  // namespace

int view_command(const ViewFlags& flags) {
    const auto files = make_posix_file_system();
    if (flags.directory.empty() && !flags.playground)
        throw UserError("no cache is named",
                        "give the directory that `spume run` writes to, or "
                        "--playground");
    if (!flags.playground && !files->facts(flags.directory))
        throw error_in_file(flags.directory, "there is no such directory",
                            "give the directory that `spume run` writes to");
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    (void)::nice(10);  // a run on the same machine comes first
    ::signal(SIGCHLD, SIG_IGN);
    StopToken stop;
    const SignalWatch signals(stop);
    const auto ready = [&](const std::string& address) {
        fmt::print("{}  {}\nCtrl-C ends it\n", flags.playground ? "playground" : "viewer", address);
        std::fflush(stdout);
        if (!flags.no_browser) open_browser(address);
    };
    if (flags.playground)
        run_playground(
            {find_assets(*files, "playground", "build it with `./dev playground`"), flags.port},
            stop, ready);
    else
        run_viewer(
            {flags.directory, find_assets(*files, "web", "build it with `./dev web`"), flags.port},
            stop, ready);
    return 0;
}

}  // namespace spume
