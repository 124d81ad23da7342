// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>

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
        if (std::string folder = join_path(program_folder(), place);
            files.facts(join_path(folder, "index.html")))
            return folder;
    throw UserError("the page is not built", remedy);
}

/// A file that only its owner can read and that sends a browser to an address. Words of a command
/// are seen by every user of the machine, and the address holds the token. Gone with the object.
class Signpost {
  public:
    explicit Signpost(const std::string& address) {
        const char* own = std::getenv("XDG_RUNTIME_DIR");
        path_ = std::string(own != nullptr ? own : "/tmp") + "/spume_view_XXXXXX.html";
        const int file = ::mkstemps(path_.data(), 5);  // made with mode 0600
        const std::string page = fmt::format(
            "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" "
            "content=\"0; url={}\"><title>Spume</title>\n",
            address);
        if (file < 0) path_.clear();
        if (file >= 0 && ::write(file, page.data(), page.size()) != ssize_t(page.size())) remove();
        if (file >= 0) ::close(file);
    }
    ~Signpost() { remove(); }
    Signpost(const Signpost&) = delete;
    Signpost& operator=(const Signpost&) = delete;

    /// Without a shell, and without waiting: a browser that does not start is no failure.
    void open() const {
        if (path_.empty()) return;
        std::string program = "xdg-open", argument = path_;
        char* words[] = {program.data(), argument.data(), nullptr};
        pid_t child = 0;
        (void)::posix_spawnp(&child, program.c_str(), nullptr, nullptr, words, environ);
    }

  private:
    void remove() {
        if (!path_.empty()) ::unlink(path_.c_str());
        path_.clear();
    }

    std::string path_;
};

bool has_screen() {
    return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
}

}  // namespace

int view_command(const ViewFlags& flags) {
    const auto files = make_posix_file_system();
    if (flags.directory.empty() && !flags.playground)
        throw UserError("no cache is named",
                        "give the directory that `spume run` writes to, or "
                        "--playground");
    for (const std::string& directory : {flags.directory, flags.beside})
        if (!flags.playground && !directory.empty() && !files->facts(directory))
            throw error_in_file(directory, "there is no such directory",
                                "give the directory that `spume run` writes to");
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    (void)::nice(10);  // a run on the same machine comes first
    ::signal(SIGCHLD, SIG_IGN);
    StopToken stop;
    const SignalWatch signals(stop);
    bool first = true;
    std::unique_ptr<Signpost> signpost;
    const auto ready = [&](const std::string& address) {
        const char* what = flags.playground ? "playground" : "viewer";
        fmt::print("{}  {}{}\n", first ? what : "another browser", address,
                   first ? "\nan address works once; Ctrl-C ends it" : "");
        std::fflush(stdout);
        signpost.reset();  // it has been followed, or is the first
        if (first && !flags.no_browser && has_screen()) {
            signpost = std::make_unique<Signpost>(address);
            signpost->open();
        }
        first = false;
    };
    if (flags.playground)
        run_playground(
            {find_assets(*files, "playground", "build it with `./dev playground`"), flags.port},
            stop, ready);
    else
        run_viewer({flags.directory, find_assets(*files, "web", "build it with `./dev web`"),
                    flags.port, flags.beside},
                   stop, ready);
    return 0;
}

}  // namespace spume
